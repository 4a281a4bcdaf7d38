# SPDX-License-Identifier: MIT
"""Bounds for a VLIW that cannot be run: reschedules executed code to bound a block's cycles."""

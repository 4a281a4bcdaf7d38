# SPDX-License-Identifier: MIT
"""Bounds on the cycles of a block on a VLIW that nobody can run: executed code, scheduled anew."""

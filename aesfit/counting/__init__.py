# SPDX-License-Identifier: MIT
"""Counts any function of any ELF file, a user's own AES included."""

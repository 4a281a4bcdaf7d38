# SPDX-License-Identifier: MIT
"""Counts cycles of any function of any ELF file, such as a user's own AES."""

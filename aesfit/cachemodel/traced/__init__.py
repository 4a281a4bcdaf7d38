# SPDX-License-Identifier: MIT
"""Versions of any table code: tables, lines and reads from the data trace of a function in an ELF.

sampling.py calls the function with random inputs, tables.py finds its tables, independence.py
tests the assumption that the model makes of their reads, and version.py puts the version together.
"""

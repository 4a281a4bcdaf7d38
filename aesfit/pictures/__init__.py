# SPDX-License-Identifier: MIT
"""Encrypts pictures, and computes the statistics by which papers judge the result."""

# SPDX-License-Identifier: MIT
"""Parikh and Patel, 2007: AES on processors and in hardware."""

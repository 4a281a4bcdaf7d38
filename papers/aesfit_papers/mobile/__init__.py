# SPDX-License-Identifier: MIT
"""Javed, 2010: AES on mobile devices."""

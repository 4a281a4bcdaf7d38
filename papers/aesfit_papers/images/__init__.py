# SPDX-License-Identifier: MIT
"""Doomun et al., 2008: AES-CBC for images."""

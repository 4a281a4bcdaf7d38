# SPDX-License-Identifier: MIT
"""Bertoni et al., CHES 2002: AES with the state transposed."""

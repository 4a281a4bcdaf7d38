# SPDX-License-Identifier: MIT
"""Bertoni et al., ISCAS 2003: AES behind caches."""

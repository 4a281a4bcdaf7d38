# SPDX-License-Identifier: MIT
"""Experiments: pictures under encryption, their statistics, and counted operations."""

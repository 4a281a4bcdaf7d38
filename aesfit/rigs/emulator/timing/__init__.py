# SPDX-License-Identifier: MIT
"""Timing models: one processor's rules, one file."""

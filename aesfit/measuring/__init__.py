# SPDX-License-Identifier: MIT
"""Measures jobs, which gives rows or refusals, and traces bursts of calls."""

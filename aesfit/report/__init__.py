# SPDX-License-Identifier: MIT
"""Plots and pages of what was measured."""

# SPDX-License-Identifier: MIT
"""Executed instructions by class and by step, beside the formula of Doomun et al. (2008)."""

# SPDX-License-Identifier: MIT
"""Caches: their geometry and what a miss costs."""

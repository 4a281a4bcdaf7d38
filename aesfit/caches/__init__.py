# SPDX-License-Identifier: MIT
"""Caches: their geometry, what a miss costs, and stores that queue for one bus."""

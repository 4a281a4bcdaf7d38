# SPDX-License-Identifier: MIT
"""What the rooms pass to each other: jobs, placements, rows with their provenance, messages."""

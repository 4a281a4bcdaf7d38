# SPDX-License-Identifier: MIT
"""The nouns that are passed along: jobs, rows and their provenance, and messages."""

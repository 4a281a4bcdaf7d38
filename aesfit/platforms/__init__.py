# SPDX-License-Identifier: MIT
"""Processors and chips: their files read strictly, and the names that everything else refers to."""

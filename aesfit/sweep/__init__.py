# SPDX-License-Identifier: MIT
"""Sweeps: a table of figures over the cross product of designs, made in pieces that are kept."""

# SPDX-License-Identifier: MIT
"""Sweeps: a table of figures over the cross product of designs, computed in stored pieces."""

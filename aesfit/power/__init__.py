# SPDX-License-Identifier: MIT
"""Leakage of an image through a named model of power: traces, a t-test, and an attack."""

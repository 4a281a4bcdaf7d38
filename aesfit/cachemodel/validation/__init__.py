# SPDX-License-Identifier: MIT
"""The cache model against the simulation of real traces."""

# SPDX-License-Identifier: MIT
"""Figures that were measured in advance and are shipped: answers before anything is compiled."""

# SPDX-License-Identifier: MIT
"""Masked code: arguments in shares, and proofs about what a model of power observes."""

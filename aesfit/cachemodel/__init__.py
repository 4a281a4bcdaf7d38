# SPDX-License-Identifier: MIT
"""The cache model and the cache simulator: the same questions, the same form of answer.

versions.py says what a core is to both; validation/ compares one with the other.
"""

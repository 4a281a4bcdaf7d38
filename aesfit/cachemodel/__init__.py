# SPDX-License-Identifier: MIT
"""The cache model and the cache simulator: the same questions, the same form of answer."""

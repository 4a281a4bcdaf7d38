# SPDX-License-Identifier: MIT
"""The harness that makes a core or a mode callable with machine words, and its messages."""

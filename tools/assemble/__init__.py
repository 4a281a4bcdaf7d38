# SPDX-License-Identifier: MIT
"""Assembly from programs of word operations: README.md says how."""

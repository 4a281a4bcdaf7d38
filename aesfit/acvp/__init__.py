# SPDX-License-Identifier: MIT
"""NIST's Automated Cryptographic Validation Protocol: its JSON files of vectors, answered by us."""

# SPDX-License-Identifier: MIT
"""Answers JSON vector files of NIST's Automated Cryptographic Validation Protocol (ACVP)."""

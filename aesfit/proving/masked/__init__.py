# SPDX-License-Identifier: MIT
"""Masked code: arguments in shares, and proofs that no single observed bit or transition depends on a secret."""

# SPDX-License-Identifier: MIT
"""Proofs on machine code: equal to FIPS 197, and independent of secrets.

An executor runs the P-code of an image (pypcode) over numbers and words of a domain.  One domain
marks the bits that depend on secrets; the other writes each bit as a sum of functions of key and
data, so that equal bits are equal functions.
"""

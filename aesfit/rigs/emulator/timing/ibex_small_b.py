# SPDX-License-Identifier: MIT
"""Ibex in the configuration "small" with bit manipulation, RV32B = RV32BBalanced."""

from . import ibex_small
from ._rv32imb import with_bit_manipulation

MODEL = with_bit_manipulation(ibex_small.MODEL)

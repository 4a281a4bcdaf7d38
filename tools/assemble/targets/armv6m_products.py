# SPDX-License-Identifier: MIT
"""ARMv6-M as the products of GHASH use it: two high registers hold pointers through them."""

from __future__ import annotations

from typing import Final

from ..anneal import Heat
from .armv6m import REGISTERS, costs, destroyed

__all__ = ["FURTHER", "HEAT", "NAME", "REGISTERS", "costs", "destroyed"]

NAME: Final = "armv6m_products"
FURTHER: Final = ("r9", "r11", "r12", "r14")
"""High registers that are free."""
HEAT: Final = Heat(steps=1_500_000, hot=2.0, cold=0.25, excess=1.0, dearer=4.0)

# SPDX-License-Identifier: MIT
"""ARMv6-M whose high registers are taken, by what a program needs all the time."""

from __future__ import annotations

from typing import Final

from .armv6m import HEAT, NAME, REGISTERS, costs, destroyed, load, move, operation, store

__all__ = [
    "FURTHER", "HEAT", "NAME", "REGISTERS", "costs", "destroyed", "load", "move", "operation",
    "store",
]  # fmt: skip
FURTHER: Final = ()

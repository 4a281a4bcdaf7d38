# SPDX-License-Identifier: MIT
"""The cores and GHASH multipliers that are written here, by name.

Each module has header().  Those of SEARCHED, whose order of operations a search found, also have
SCHEDULES, programs(), searched() and cost().
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from . import (
    bitslice_rv32,
    fixslice_4k_armv7m,
    fixslice_armv4,
    fixslice_armv6m,
    fixslice_armv7m,
    fixslice_rv32,
    ghash_armv7m,
    mul_low_armv6m,
    table4_armv7m,
    transposed_armv4,
    transposed_armv6m,
    ttable1_armv4,
    ttable1_armv7m,
    ttable1_armv8m,
    ttable_diffused_armv6m,
    ttable_diffused_rv32,
)

MULTIPLIERS: Final[dict[str, ModuleType | ghash_armv7m.ByPairs]] = {
    one.CORE: one
    for one in (mul_low_armv6m, ghash_armv7m.mul_low, ghash_armv7m.mul32, table4_armv7m)
}
"""Of GHASH: the functions that a multiplier has for an instruction set."""
SEARCHED: Final[dict[str, ModuleType]] = {
    one.CORE: one
    for one in (
        fixslice_armv7m, fixslice_armv4, fixslice_rv32, fixslice_armv6m, fixslice_4k_armv7m,
        transposed_armv6m, bitslice_rv32,
    )
}  # fmt: skip
CORES: Final[dict[str, ModuleType]] = {
    **SEARCHED,
    transposed_armv4.CORE: transposed_armv4,
    "ttable1_armv7m": ttable1_armv7m,
    ttable1_armv8m.CORE: ttable1_armv8m,
    "ttable1_armv4": ttable1_armv4,
    ttable_diffused_armv6m.CORE: ttable_diffused_armv6m,
    ttable_diffused_rv32.CORE: ttable_diffused_rv32,
}

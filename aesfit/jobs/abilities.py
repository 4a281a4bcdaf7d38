# SPDX-License-Identifier: MIT
"""Whether a platform has what a core needs beyond the baseline of its instruction set."""

from ..catalog import Core
from ..platforms.platform import Platform

HOST_ISAS = ("i686", "x86-64")
_MULTIPLIES_AT_ONCE = frozenset({"armv6-m", "armv7-m", "armv7e-m", "armv8-m.main"})
"""MUL takes one cycle whatever its operands: ARM DDI 0432 and 0484 (Cortex-M0, M0+, of which the
timing models take the fast multiplier, not the option of 32 cycles), DDI 0337, DDI 0439;
of Cortex-M33 it was measured (timing/cortex_m33.py).
ARM7TDMI and ARM9TDMI end early by their operands, E31 takes 5 cycles, VexRiscv 3."""
_HAVE = {
    "UADD8 and SEL": frozenset({"armv7e-m", "armv8-m.main"}),
    "a multiply of one cycle": _MULTIPLIES_AT_ONCE,
    "Thumb-2": frozenset({"armv7-m", "armv7e-m", "armv8-m.main"}),
    "ARMv7-M": frozenset({"armv7-m", "armv7e-m"}),
    "ARMv8-M": frozenset({"armv8-m.main"}),
    "ARM state": frozenset({"armv4t"}),
    "ARMv6-M": frozenset({"armv6-m"}),
    "RV32I": frozenset({"rv32i", "rv32im", "rv32imb"}),
}
"""Instruction sets that have what a core is made for.  Elsewhere plain C stands in, so that the
core is right there too, and pointless; ARMv8-M runs the code that is in order for ARMv7-M, and
waits in it."""


def lacks(core: Core, platform: Platform) -> bool:
    """Whether the platform lacks what the core needs; on a host the processor is not asked."""
    if core.needs in _HAVE:
        return platform.isa not in _HAVE[core.needs]
    return bool(core.needs) and platform.isa not in HOST_ISAS


def runs_without(core: Core) -> bool:
    """Whether the core is right also where what it needs is missing."""
    return not core.needs or core.needs in _HAVE

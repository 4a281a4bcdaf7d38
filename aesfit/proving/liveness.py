# SPDX-License-Identifier: MIT
"""Leaves out what an instruction computes for nobody, which saves half of the time of a run.

Many instructions set flags, and most flags are overwritten before anybody reads them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from .lifter import CONTROL, TEMPORARY, Lifted, PcodeOperation, Place

_ACCESSES: Final = frozenset({"LOAD", "STORE"})
Flags = frozenset[Place]


def flags_of(registers: Mapping[str, Place]) -> Flags:
    """Registers of one byte that are no part of others."""
    places = set(registers.values())
    held = Counter(at for _, offset, size in places for at in range(offset, offset + size))
    return frozenset(one for one in places if one[2] == 1 and held[one[1]] == 1)


def is_control(lifted: Lifted) -> bool:
    """The instruction may go on elsewhere than behind itself, or do what SLEIGH does not model."""
    return any(one.name in CONTROL for one in lifted.operations)


def live(straight: Sequence[Lifted], read: Flags, flags: Flags) -> list[tuple[Lifted, Flags]]:
    """Instructions one behind the other, each without operations whose results nobody reads.

    `read`: flags that may be read after the last of them.  Beside each instruction stand those that
    may be read when it begins.
    """
    found = []
    for one in reversed(straight):
        kept, read = (one, flags) if is_control(one) else _kept(one, read, flags)
        found.append((kept, read))
    return found[::-1]


def _kept(lifted: Lifted, read: Flags, flags: Flags) -> tuple[Lifted, Flags]:
    needed: set[Place] = set(read)
    kept: list[PcodeOperation] = []
    for one in reversed(lifted.operations):
        output = one.output
        if output is not None and one.name not in _ACCESSES:
            passing = output[0] == TEMPORARY or output in flags
            if passing and not any(_overlap(output, place) for place in needed):
                continue
            needed.discard(output)
        kept.append(one)
        needed.update(one.inputs)
    before = frozenset(flag for flag in flags if any(_overlap(flag, place) for place in needed))
    return replace(lifted, operations=tuple(reversed(kept))), before


def _overlap(a: Place, b: Place) -> bool:
    return a[0] == b[0] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]

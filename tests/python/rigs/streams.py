# SPDX-License-Identifier: MIT
"""Made-up streams of executed instructions, and what they take behind a memory interface."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aesfit import _native

FLASH = (0x1000, 0x8000)
"""Start and bytes; all else answers at once."""
ENTRY = 0x1000


@dataclass(frozen=True)
class Executed:
    """One instruction of a stream."""

    size: int = 4
    cycles: int = 1
    overlap: int = 0
    at: int | None = None
    """Its address; None: behind the one before."""
    loads: tuple[int, ...] = ()


def packed(stream: Sequence[Executed]) -> tuple[bytes, bytes]:
    """Records and prices as the native replay takes them."""
    records, prices, following = b"", b"", ENTRY
    for one in stream:
        address = following if one.at is None else one.at
        records += struct.pack("<IHH", address, one.size, 0)
        records += b"".join(struct.pack("<IHH", read, 4, 1) for read in one.loads)
        prices += bytes((one.cycles, one.overlap))
        following = address + one.size
    return records, prices


def calls(
    kind: str,
    parameters: Mapping[str, float],
    wait: int,
    *streams: Sequence[Executed],
    unit: tuple[int, int] = (3, 3),
    shift: int = 0,
) -> list[int]:
    """Cycles of each stream, one call after another."""
    replay = _native.MemoryReplay(kind, dict(parameters), wait, *unit, [FLASH], shift)
    return [replay.call(*packed(one)) for one in streams]

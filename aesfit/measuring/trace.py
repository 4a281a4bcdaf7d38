# SPDX-License-Identifier: MIT
"""A trace: every access of a burst of calls, in order."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

FETCH, LOAD, STORE, SKIPPED = range(4)
"""Kinds of a record: an instruction executed, data, an instruction whose condition failed."""
RECORD = struct.Struct("<IHH")
"""Of a trace: address, bytes, kind."""


@dataclass(frozen=True)
class Span:
    """Bytes that mean one thing."""

    name: str
    start: int
    size: int

    def __contains__(self, address: int) -> bool:
        """Whether the address lies in it."""
        return self.start <= address < self.start + self.size


@dataclass(frozen=True)
class Trace:
    """Every access of one burst, in order."""

    records: bytes
    """As Machine.records() has them: address (4 bytes), size (2), kind (2)."""
    starts: tuple[int, ...]
    """Index of the record with which each call begins; in a message: with which its input block is
    first read.  Before the first one lies what is paid once.  GCM works on many blocks at a time,
    so that the cuts of its messages tell little."""
    tables: tuple[Span, ...]
    streams: tuple[Span, ...]
    """Input and output, of which each call takes the next 16 bytes."""

    @property
    def calls(self) -> int:
        """Calls of the burst, or blocks of the message."""
        return len(self.starts)

    def before(self) -> Iterator[tuple[int, int, int]]:
        """(address, size, kind) of what is paid once, before the first call."""
        return RECORD.iter_unpack(memoryview(self.records)[: self.starts[0] * 8])

    def of_call(self, call: int) -> Iterator[tuple[int, int, int]]:
        """(address, size, kind) of one call's records; the last call's end with the burst."""
        bounds = [*self.starts, len(self.records) // RECORD.size]
        window = memoryview(self.records)[bounds[call] * 8 : bounds[call + 1] * 8]
        return RECORD.iter_unpack(window)

# SPDX-License-Identifier: MIT
"""What stores cost that all go to a memory with wait states: a burst replayed over one bus.

For a processor whose caches have one way, are written through, and allocate no line for a store.
Stores queue for the bus and the processor goes on until the queue is full; a line that is missed
waits for the stores before it.  Source: the geometry and the queue are the processor's own; nothing
is fitted.  Where nothing stalls an instruction is taken to last a cycle, and what the burst takes
beyond that to be lost at jumps, to all alike; what is fetched in vain behind them costs nothing.
"""

import struct
from collections import deque
from dataclasses import dataclass

from .cache import Cache

_RECORD = struct.Struct("<IHH")
_FETCH, _LOAD, _STORE = 0, 1, 2


@dataclass(frozen=True)
class Bus:
    """One memory that code and data share; cycles."""

    line: float
    """A line that is missed, when the bus is free."""
    store: float
    """What a store takes of the bus."""
    in_flight: int
    """Stores that the processor has given away and does not wait for."""


class _Lines:
    """A cache with one way."""

    def __init__(self, cache: Cache) -> None:
        self._line, self._sets = cache.line, cache.sets
        self._held: dict[int, int] = {}

    def misses(self, address: int) -> bool:
        """Whether the line was missing; it is there now."""
        line = address // self._line
        at = line % self._sets
        missing = self._held.get(at) != line
        self._held[at] = line
        return missing


def replay(records: bytes, code: Cache, data: Cache, bus: Bus, ideal: float) -> float:
    """Cycles of a burst from empty caches; records as Machine.records() has them.

    `ideal`: its cycles where nothing stalls.  ValueError for caches of another kind than those of
    this file's head.
    """
    if (code.ways, data.ways) != (1, 1) or data.write_allocate:
        raise ValueError(
            "stores queue behind caches with one way in which stores allocate nothing; leave the "
            "platform's caches as they are"
        )
    lines = {_FETCH: _Lines(code), _LOAD: _Lines(data)}
    queue: deque[float] = deque()
    now = free = 0.0
    following, jump = 0, _lost_by_jump(records, ideal)
    for address, size, kind in _RECORD.iter_unpack(records):
        if kind == _STORE:
            if len(queue) == bus.in_flight:
                now = max(now, queue.popleft())
            free = max(now, free) + bus.store
            queue.append(free)
        elif lines[kind].misses(address):
            now = free = max(now, free) + bus.line
        if kind == _FETCH:
            now += 1.0 if address == following else 1.0 + jump
            following = address + size
    return now


def _lost_by_jump(records: bytes, ideal: float) -> float:
    """Cycles beyond one for each instruction, by jump; to begin is one."""
    instructions = jumps = following = 0
    for address, size, kind in _RECORD.iter_unpack(records):
        if kind == _FETCH:
            instructions += 1
            jumps += address != following
            following = address + size
    return (ideal - instructions) / jumps if jumps else 0.0

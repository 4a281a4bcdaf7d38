# SPDX-License-Identifier: MIT
"""Two runs that met again behind a branch on a secret, as one.

What differs between them depends on the secret.
"""

from dataclasses import dataclass
from itertools import chain

from ..cells import Cells
from ..domain import UNWRITTEN, Unwritten, Value, Word
from ..findings import StuckError
from ..operations import Operations, UnwrittenError
from ..state import State
from .traced import TracedBits, Trail


@dataclass(frozen=True)
class Joiner:
    """Joins values; `trail` is the path of the branch's condition."""

    operations: Operations
    domain: TracedBits
    trail: Trail

    def join(self, state: State, other: State) -> None:
        """Make one state of two at the same place."""
        self._cells(state.registers, other.registers)
        self._cells(state.memory, other.memory)
        state.writers |= other.writers
        state.setters |= other.setters

    def _cells(self, cells: Cells, others: Cells) -> None:
        for at, size in sorted(_differing(cells, others)):
            value, other = _read(cells, at, size), _read(others, at, size)
            cells.write(at, size, self._value(value, other))

    def _value(self, value: Value, other: Value) -> Value:
        value, other = self._forced(value), self._forced(other)
        if isinstance(value, Unwritten):
            return UNWRITTEN if isinstance(other, int) else other
        if isinstance(other, Unwritten):
            return UNWRITTEN if isinstance(value, int) else value
        return self.domain.merged(value, other, self.trail)

    def _forced(self, value: Value) -> Value:
        try:
            return self.operations.force(value)
        except UnwrittenError:
            return UNWRITTEN


def _differing(cells: Cells, others: Cells) -> set[tuple[int, int]]:
    """Spots that do not hold the same: as they were written, or byte by byte."""
    found: set[tuple[int, int]] = set()
    for at in chain(cells.held, others.held.keys() - cells.held.keys()):
        one, other = cells.held.get(at), others.held.get(at)
        if one is not None and other is not None and one[0] == other[0]:
            if not _same(one[1], other[1]):
                found.add((at, one[0]))
        else:
            for size, _ in filter(None, (one, other)):
                found.update((at + byte, 1) for byte in range(size))
    return found


def _same(one: Value, other: Value) -> bool:
    if one is other:
        return True
    return not isinstance(one, Word) and not isinstance(other, Word) and one == other


def _read(cells: Cells, at: int, size: int) -> Value:
    """What is there; UNWRITTEN where nobody knows."""
    try:
        return cells.read(at, size)
    except (UnwrittenError, StuckError):
        return UNWRITTEN

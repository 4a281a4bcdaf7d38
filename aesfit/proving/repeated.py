# SPDX-License-Identifier: MIT
"""Straight pieces of code that run again with the values that they ran with before.

Code between two branches is a function of the registers and of the memory that it reads.  Where all
of these are what they were, its results are put where it wrote them, without running it.  Over
secrets most of a message's blocks are the same: a block function that is given secrets only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .cells import Cells
from .domain import Value
from .findings import Kind
from .lifter import Lifted
from .operations import UnwrittenError
from .state import Extent, State

_FEWEST = 4
"""Instructions of a piece that is worth it."""
_MOST = 4096
"""Runs that are kept of one piece."""
Spot = tuple[int, int]
"""Offset and bytes."""
Note = tuple[Kind, int, str]
"""What executor.note() is given."""


class Recorder(Cells):
    """Registers or memory, and what is read of them before it is written."""

    def __init__(self, cells: Cells) -> None:
        """Reads and writes go to the cells."""
        self.cells, self.held = cells, cells.held
        self.given: dict[Spot, Value] = {}
        self.made: dict[Spot, Value] = {}
        self._written: dict[int, int] = {}
        """Bytes that were written, each with the offset of the value that it is part of."""
        self.plain = True
        """No value was read or written in other pieces than it was written in."""

    def read(self, offset: int, size: int) -> Value:
        """As Cells does."""
        value = self.cells.read(offset, size)
        if (offset, size) not in self.made:
            if any(at in self._written for at in range(offset, offset + size)):
                self.plain = False
            self.given.setdefault((offset, size), value)
        return value

    def write(self, offset: int, size: int, value: Value) -> None:
        """As Cells does."""
        if (offset, size) not in self.made:
            every = range(offset, offset + size)
            if any(at in self._written for at in every):
                self.plain = False
            self._written.update(dict.fromkeys(every, offset))
        self.made[offset, size] = value
        self.cells.write(offset, size, value)


@dataclass(frozen=True)
class PieceRun:
    """What a piece of code did."""

    given: tuple[tuple[Spot, Value], ...]
    """Memory that it read."""
    registers: tuple[tuple[Spot, Value, int], ...]
    """What it wrote, and the address of the instruction that did."""
    memory: tuple[tuple[Spot, Value], ...]
    spans: tuple[Spot, ...]
    """All the memory that it wrote."""
    writers: tuple[tuple[int, int], ...]
    noted: tuple[Note, ...]

    def is_of(self, state: State, writable: Sequence[Extent]) -> bool:
        """The memory holds what it held, and the function may write where it wrote."""
        if not all(any(one.holds(*span) for one in writable) for span in self.spans):
            return False
        try:
            return all(state.memory.read(*spot) == value for spot, value in self.given)
        except UnwrittenError:
            return False

    def repeat(self, state: State) -> None:
        """Put the results where they belong."""
        for (offset, size), value, setter in self.registers:
            state.setters[offset] = setter
            state.registers.write(offset, size, value)
        for (offset, size), value in self.memory:
            state.memory.write(offset, size, value)
        state.writers.update(self.writers)


@dataclass
class Piece:
    """Straight code from an address to the next branch."""

    instructions: Sequence[Lifted]
    reads: tuple[Spot, ...] | None = None
    """Registers that it reads before it writes them, in every run the same; None: it never ran."""
    runs: dict[tuple[Value, ...], list[PieceRun]] = field(default_factory=dict)
    """By what these registers hold."""
    kept: int = 0

    @cached_property
    def addresses(self) -> tuple[int, ...]:
        """Of its instructions."""
        return tuple(one.address for one in self.instructions)

    @cached_property
    def end(self) -> int:
        """Address of the branch behind it."""
        last = self.instructions[-1]
        return last.address + last.size

    def known(self, state: State, writable: Sequence[Extent]) -> PieceRun | None:
        """The run that had the same values."""
        if self.reads is None:
            return None
        values = tuple(state.registers.read(*spot) for spot in self.reads)
        runs = self.runs.get(values, ())
        return next((one for one in runs if one.is_of(state, writable)), None)

    def keep(self, state: State, noted: Sequence[Note]) -> None:
        """What it did now; registers and memory of the state recorded it."""
        registers, memory = state.registers, state.memory
        assert isinstance(registers, Recorder) and isinstance(memory, Recorder)  # noqa: S101 PT018
        setters, writers = state.setters, state.writers
        if not registers.plain or not memory.plain or self.kept == _MOST:
            return
        if self.reads is None:
            self.reads = tuple(registers.given)
        if set(self.reads) != set(registers.given):
            return
        self.kept += 1
        made = PieceRun(
            tuple(memory.given.items()),
            tuple((spot, value, setters[spot[0]]) for spot, value in registers.made.items()),
            tuple(memory.made.items()),
            _joined(memory.made),
            tuple((at, writers[at]) for at, _ in memory.made if at in writers),
            tuple(noted),
        )
        values = tuple(registers.given[spot] for spot in self.reads)
        self.runs.setdefault(values, []).append(made)


def _joined(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Spots that touch each other as one."""
    found: list[Spot] = []
    for at, size in sorted(spots):
        if found and sum(found[-1]) == at:
            found[-1] = found[-1][0], found[-1][1] + size
        else:
            found.append((at, size))
    return tuple(found)


class Pieces:
    """The straight pieces of an image that ran over one domain."""

    def __init__(self) -> None:
        """None ran yet."""
        self.known: dict[int, Piece | None] = {}
        """By their first address; None where one is too short."""

    def learn(self, address: int, instructions: Sequence[Lifted]) -> Piece | None:
        """The piece there."""
        long = len(instructions) >= _FEWEST
        self.known[address] = Piece(instructions) if long else None
        return self.known[address]

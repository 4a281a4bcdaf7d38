# SPDX-License-Identifier: MIT
"""The points of a trace: which values and transitions of a path the model observes.

A point is the Hamming weight of one value, or the Hamming distance of two values that one place
holds one after the other.  All values of a path are known by what each instruction writes, so a
point is one or two indices into them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..rigs.emulator.instruction import Instruction
from .operands import NOWHERE, Uses, shown, uses

PointKind = Literal["VALUE", "REGISTER", "OPERAND", "BUS", "CELL"]
KINDS: Final[tuple[PointKind, ...]] = ("VALUE", "REGISTER", "OPERAND", "BUS", "CELL")

NOTHING: Final = 0
"""Index of a value that is always 0: what a weight is the distance from."""
_WORD = 0xFFFF_FFFF
_BEFORE = 1
"""Index of the first register."""


@dataclass(frozen=True)
class Point:
    """One observation."""

    kind: PointKind
    step: int
    """Index of the instruction in the path."""
    address: int
    place: str
    """The register, latch or memory cell that it is of."""
    old: int
    new: int
    """Indices of values."""
    masks: tuple[int, int]
    """Bits of them that are seen."""


@dataclass(frozen=True)
class PointLayout:
    """What an observer keeps of a path, and the points made of it."""

    addresses: tuple[int, ...]
    writes: tuple[tuple[int, ...], ...]
    """Numbers of the registers that each step writes."""
    cells: tuple[int, ...]
    """Accesses of each step whose memory is kept as it was before."""
    points: tuple[Point, ...]
    values: int
    """Values of one trace, the one that is always 0 included."""

    @cached_property
    def _columns(self) -> tuple[NDArray[np.int64], ...]:
        """Old and new indices and masks of all points."""
        fields = [(one.old, one.new, *one.masks) for one in self.points]
        return tuple(np.array(fields, np.int64).reshape(-1, 4).T)

    def seen(self, values: NDArray[np.uint32], first: int | None = None) -> NDArray[np.uint32]:
        """The words whose weights are the (first) points, a row for each row of values."""
        old, new, before, after = (one[:first] for one in self._columns)
        words = values[:, old] & before.astype(np.uint32)
        words ^= values[:, new] & after.astype(np.uint32)
        return words


@dataclass
class _PathWalk:
    """Follows a path and numbers its values."""

    held: dict[str, int]
    """Index of the value that each register holds."""
    next: int
    latches: list[int] = field(default_factory=lambda: [NOTHING, NOTHING])
    bus: tuple[int, int] = NOTHING, _WORD
    """What was transferred last, and the mask of its bytes."""
    points: list[Point] = field(default_factory=list)

    def add(
        self, kind: PointKind, at: tuple[int, int], place: str, old: int, new: int,
        masks: tuple[int, int] = (_WORD, _WORD),
    ) -> None:  # fmt: skip
        """A point of a step, unless it compares a value with itself."""
        if (old, masks[0]) != (new, masks[1]):
            self.points.append(Point(kind, *at, place, old, new, masks))

    def take(self) -> int:
        """The index of the next value."""
        self.next += 1
        return self.next - 1


def layout(
    path: Sequence[tuple[int, bool]], instructions: Mapping[int, Instruction]
) -> PointLayout:
    """The points of a path: addresses, and whether each instruction was executed."""
    riscv = any(name[0] == "x" for one in instructions.values() for name in one.reads | one.writes)
    letter, count = ("x", 32) if riscv else ("r", 16)
    walk = _PathWalk({f"{letter}{n}": _BEFORE + n for n in range(count)}, _BEFORE + count)
    known = {address: uses(one) for address, one in instructions.items()}
    writes, cells = [], []
    for step, (address, executed) in enumerate(path):
        used = known[address] if executed else _IDLE
        cells.append(len(_cells(used)))
        writes.append(tuple(int(name[1:]) for name in used.writes))
        _step(walk, (step, address), used)
    addresses = tuple(address for address, _ in path)
    return PointLayout(addresses, tuple(writes), tuple(cells), tuple(walk.points), walk.next)


def _cells(used: Uses) -> tuple[str, ...]:
    """Accesses whose memory is kept: what stores replace, and what no register keeps."""
    return used.loads if NOWHERE.intersection(used.loads) else used.stores


_IDLE = Uses((None, None), (), (), (), 0)
"""Of an instruction whose condition failed."""


def _step(walk: _PathWalk, at: tuple[int, int], used: Uses) -> None:
    """The points of one instruction, in the order in which its values are kept."""
    for latch, name in enumerate(used.latches):
        if name is not None:
            walk.add("OPERAND", at, f"latch {latch + 1}", walk.latches[latch], walk.held[name])
            walk.latches[latch] = walk.held[name]
    mask = (1 << 8 * min(used.width, 4)) - 1
    cells = [walk.take() for _ in _cells(used)]
    for name, old in zip(used.stores, cells, strict=False):
        walk.add("CELL", at, "memory", old, walk.held[name], (mask, mask))
        walk.add("VALUE", at, "stored", NOTHING, walk.held[name], (mask, mask))
        _transfer(walk, at, walk.held[name], mask)
    for name in used.writes:
        old, new = walk.held[name], walk.take()
        walk.add("VALUE", at, shown(name), NOTHING, new)
        walk.add("REGISTER", at, shown(name), old, new)
        walk.held[name] = new
    for value in cells if used.loads and cells else [walk.held[name] for name in used.loads]:
        _transfer(walk, at, value, mask)


def _transfer(walk: _PathWalk, at: tuple[int, int], value: int, mask: int) -> None:
    """The bus keeps what it brought last; the other bytes of a narrow access count as 0."""
    (old, before), walk.bus = walk.bus, (value, mask)
    walk.add("BUS", at, "data bus", old, value, (before, mask))

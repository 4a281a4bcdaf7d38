# SPDX-License-Identifier: MIT
"""Cycles of executed code behind a memory interface, as a range over where the code may lie.

The native part (replay.c) takes the steps of a window in order, each with the cycles that the
timing model gives it, and adds what fetches and reads of data in flash wait.  A window is replayed
twice: the first pass is cold, the second begins with what the first left in buffers and caches.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .... import _native
from ....platforms.interfaces import described
from ....platforms.memory import Interface
from ..instruction import Instruction
from ..recording import Recorded
from ..timing.model import FetchUnit, Price, TimingModel, path_prices

_WORD = 4
_MOST_PLACEMENTS = 8
_CACHES = frozenset({"art", "associative", "cache"})
"""Interfaces that keep lines long enough for a call before to matter."""


@dataclass(frozen=True)
class Waited:
    """Cycles of a window by placement of the code."""

    warm: tuple[int, ...]
    """With buffers and caches as the same window left them."""
    cold: tuple[int, ...]

    @property
    def least(self) -> int:
        """At the best placement."""
        return min(self.warm)

    @property
    def most(self) -> int:
        """At the worst placement."""
        return max(self.warm)

    @property
    def middle(self) -> int:
        """Of the two, rounded half up."""
        return (self.least + self.most + 1) // 2


@dataclass(frozen=True)
class Flash:
    """A memory that waits."""

    interface: Interface
    wait: int
    """Wait states of the array."""
    ranges: tuple[tuple[int, int], ...]
    """Start and bytes of all that it holds; other addresses answer at once."""

    def placements(self) -> range:
        """Offsets of the code in bytes: each word of a line, at most eight of them."""
        line = int(self.interface.parameters["line"])
        return range(0, line, max(_WORD, line // _MOST_PLACEMENTS))


def waited(
    model: TimingModel,
    calls: Sequence[Recorded],
    instructions: Mapping[int, Instruction],
    flash: Flash,
) -> Waited:
    """Cycles of the calls of a window, one after another.

    ValueError where the model cannot be replayed, or the interface's parameters make no sense.
    """
    unit = _unit(model)
    priced = [(one.records, _prices(model, one, instructions)) for one in calls]
    passes = [_passes(priced, unit, flash, shift) for shift in flash.placements()]
    return Waited(tuple(warm for _, warm in passes), tuple(cold for cold, _ in passes))


def _unit(model: TimingModel) -> FetchUnit:
    if model.fetch is None:
        raise ValueError(
            f"the timing model {model.name} does not say how its processor fetches, so wait states "
            "cannot be replayed; leave them at 0"
        )
    if model.operands:
        raise ValueError(
            f"the timing model {model.name} has rules about operands, which cannot be replayed"
        )
    return model.fetch


def _passes(
    priced: Sequence[tuple[bytes, bytes]], unit: FetchUnit, flash: Flash, shift: int
) -> tuple[int, int]:
    """Cycles of the first and of the second pass."""
    replay = _native.MemoryReplay(
        flash.interface.kind,
        dict(flash.interface.parameters),
        flash.wait,
        unit.queue_words,
        unit.ahead,
        flash.ranges,
        shift,
    )
    cold, warm = (sum(replay.call(*one) for one in priced) for _ in range(2))
    return cold, warm


def _prices(model: TimingModel, call: Recorded, instructions: Mapping[int, Instruction]) -> bytes:
    """Two bytes for each step in order: cycles and overlap."""
    by_path = [_packed(one) for one in path_prices(model, call.execution.profile, instructions)]
    return b"".join(map(by_path.__getitem__, array("I", call.order)))


def _packed(prices: Sequence[Price]) -> bytes:
    return bytes(part for one in prices for part in (one.cycles, one.overlap))


def told(flash: Flash, found: Waited) -> str:
    """What a figure behind the interface rests on, in words."""
    kind = described(flash.interface.kind)
    waits = f"{flash.wait} flash wait states behind {kind.title}"
    placed = f"{len(found.warm)} placements of the code in a line" if len(found.warm) > 1 else ""
    warm = ""
    if kind.name in _CACHES:
        cold = _between(found.cold)
        warm = f"warm from an equal call before, {cold} cycles when cold"
    return "; ".join(filter(None, (waits, placed, warm)))


def _between(figures: Sequence[int]) -> str:
    least, most = min(figures), max(figures)
    return f"{least}" if least == most else f"{least} to {most}"

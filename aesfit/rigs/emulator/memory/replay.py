# SPDX-License-Identifier: MIT
"""Cycles of executed code behind a memory interface, as a range over where the code may lie.

The native part (replay.c) takes the steps of a window in order, each with the cycles that the
timing model gives it, and adds what fetches and reads of data in flash wait.  A window is replayed
twice: the first pass is cold, the second begins with what the first left in buffers and caches.
"""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from .... import _native
from ....platforms.interfaces import described
from ....platforms.memory import Interface
from ....platforms.platform import Platform
from ...profile import Profile
from ..instruction import Instruction
from ..recording import Recorded
from ..timing.model import FetchUnit, Price, TimingModel, data_cycles, path_prices

_WORD = 4
_MOST_PLACEMENTS = 8
_MOST_PARALLEL = 15
"""Wait states of a flash that is read in parallel; more are those of a serial flash."""
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
class WaitingFlash:
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


def flash_of(
    platform: Platform, wait: int, model: TimingModel, ranges: tuple[tuple[int, int], ...]
) -> WaitingFlash | None:
    """The platform's flash, where code has to be replayed before it.

    None where nothing waits, and where the model's own rules price a bare memory of 32 bits.
    ValueError where neither is known.
    """
    interface = platform.memory("flash").interface
    if interface is None or not interface.waits(wait):
        return None
    if model.fetches is not None:
        if interface.kind == "bare" and interface.parameters["line"] == _WORD:
            return None
        raise ValueError(
            f"the timing model {model.name} prices wait states of a bare memory of 32 bits, and "
            f"{platform.name} has {described(interface.kind).title} before its flash"
        )
    _unit(model)
    return WaitingFlash(interface, wait, ranges)


def waits_of(
    model: TimingModel,
    runs: Sequence[Sequence[Recorded]],
    instructions: Mapping[int, Instruction],
    flash: WaitingFlash,
) -> list[Waited]:
    """Of each run of a window; runs that fetched alike and read the flash alike wait alike."""
    known: dict[Hashable, Waited] = {}
    prices = Prices(model, instructions)
    found = []
    for calls in runs:
        facts = tuple((_facts(one), prices.data(one)) for one in calls)
        if facts not in known:
            known[facts] = waited(prices, calls, flash)
        found.append(known[facts])
    return found


def _facts(call: Recorded) -> Hashable:
    """What its waiting depends on."""
    done = call.execution
    accesses = done.profile.accesses
    reads = any(kind == "load" and region == "flash" for _, kind, region in accesses)
    return done.instruction_trace, done.address_trace if reads else None


class Prices:
    """Prices of steps, by path; those of a profile that calls share are made once."""

    def __init__(self, model: TimingModel, instructions: Mapping[int, Instruction]) -> None:
        """Of a model that says how its processor fetches; ValueError of another."""
        self.unit = _unit(model)
        self._model, self._instructions = model, instructions
        self._known: list[tuple[Profile, list[bytes]]] = []

    def of(self, call: Recorded) -> bytes:
        """Two bytes for each step in order: cycles and overlap."""
        by_path = self._by_path(call.execution.profile)
        return b"".join(map(by_path.__getitem__, array("I", call.order)))

    def data(self, call: Recorded) -> int:
        """What operands and accesses off their boundaries add to the call.

        Nothing is fetched meanwhile: an upper bound, as a processor fills its queue of words.
        """
        return data_cycles(self._model, call.execution.profile, self._instructions)

    def _by_path(self, profile: Profile) -> list[bytes]:
        for known, prices in self._known:
            if known is profile:
                return prices
        prices = [_packed(one) for one in path_prices(self._model, profile, self._instructions)]
        self._known.append((profile, prices))
        return prices


def _packed(prices: Sequence[Price]) -> bytes:
    return bytes(part for one in prices for part in (one.cycles, one.overlap))


def _unit(model: TimingModel) -> FetchUnit:
    if model.fetch is None:
        raise ValueError(
            f"the timing model {model.name} does not say how its processor fetches, so wait states "
            "cannot be replayed; leave them at 0"
        )
    return model.fetch


def waited(prices: Prices, calls: Sequence[Recorded], flash: WaitingFlash) -> Waited:
    """Cycles of the calls of a window, one after another.

    They are never fewer than with fewer wait states.  Left alone, reads that are begun in vain, and
    lines that a cache keeps because they came late, can make more wait states a little cheaper; no
    measurement shows that on silicon.  ValueError where the interface's parameters make no sense.
    """
    priced = [(one.records, prices.of(one)) for one in calls]
    data = sum(prices.data(one) for one in calls)
    passes = [placed(priced, prices.unit, flash, shift) for shift in flash.placements()]
    return Waited(
        tuple(data + warm for _, warm in passes), tuple(data + cold for cold, _ in passes)
    )


def placed(
    priced: Sequence[tuple[bytes, bytes]], unit: FetchUnit, flash: WaitingFlash, shift: int
) -> tuple[int, int]:
    """Cycles of calls, given by records and prices, at one placement: cold, then warm."""
    passes = [_passes(priced, unit, flash, wait, shift) for wait in _no_more_than(flash.wait)]
    return max(cold for cold, _ in passes), max(warm for _, warm in passes)


def _no_more_than(wait: int) -> range:
    """Wait states to compare with; beyond those of any parallel flash there is one setting."""
    return range(min(1, wait) if wait <= _MOST_PARALLEL else wait, wait + 1)


def _passes(
    priced: Sequence[tuple[bytes, bytes]],
    unit: FetchUnit,
    flash: WaitingFlash,
    wait: int,
    shift: int,
) -> tuple[int, int]:
    """Cycles of the first and of the second pass."""
    interface = flash.interface
    replay = _native.MemoryReplay(
        interface.kind,
        dict(interface.parameters),
        wait,
        unit.queue_words,
        unit.ahead,
        flash.ranges,
        shift,
    )
    cold, warm = (sum(replay.call(*one) for one in priced) for _ in range(2))
    return cold, warm


def told(flash: WaitingFlash, found: Waited) -> str:
    """What a figure behind the interface rests on, in words."""
    kind = described(flash.interface.kind)
    placed = f"{len(found.warm)} placements of the code in a line" if len(found.warm) > 1 else ""
    warm = "warm from an equal call before" if kind.name in _CACHES else ""
    slow = f"{flash.wait} flash wait states behind {kind.title}"
    return "; ".join(filter(None, (slow, placed, warm)))


def cold_told(flash: WaitingFlash, found: Waited) -> str:
    """The cycles without a call before, where they can be others."""
    if flash.interface.kind not in _CACHES:
        return ""
    least, most = min(found.cold), max(found.cold)
    return f"{least} to {most} cycles when cold" if least < most else f"{most} cycles when cold"

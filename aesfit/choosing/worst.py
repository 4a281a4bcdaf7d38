# SPDX-License-Identifier: MIT
"""The worst case of one message, and whether it is done before a deadline."""

import re
from dataclasses import dataclass
from math import ceil

from ..catalog import cores
from ..errors import ArgumentError
from ..jobs.job import Row
from ..platforms.platform import Platform
from ..rigs.emulator.chip_evidence import ChipEvidence
from ..rigs.emulator.trust import Trust
from ..units import count, scaled
from .deadline import DeadlineAnswer, TimeLimit
from .ranking import Candidate
from .request import BLOCK, Request

_COLD = re.compile(r"(?:\d+ to )?(\d+) cycles when cold")
"""What a row's window says of a first call (cold_told of rigs/emulator/memory/replay.py)."""
_UNCOUNTED = ("host", "board", "published", "vliw")
"""Rigs whose figures are no bound: of times, of one place in memory, or of no code."""
UNINTERRUPTED = "interrupts are never disabled"
"""Of the library's own code, which has no instruction that does so; test_interrupts.py interrupts
each of its instructions."""


@dataclass(frozen=True)
class WorstCase:
    """The most cycles of one message, as far as they are known."""

    cycles: int
    """With what follows."""
    placed_cycles: int | None
    """At the worst placement of the code in a line of the flash; None where it has but one."""
    cold_cycles: int | None
    """Of the first call, before buffers and caches hold anything; None where it takes no more."""
    setup_cycles: int
    """Of the key set-up before a message with a new key, as far as it is not in them."""
    error_percent: float
    """By how much silicon took more in what was published; included."""
    stack_bytes: int | None
    """The deepest stack."""

    @property
    def told(self) -> str:
        """In a phrase: "24,395 cycles for the first call at the worst place"."""
        call = "for the first call" if self.cold_cycles else "for a call"
        call += "" if self.placed_cycles is None else " at the worst of the measured placements"
        error = f", {self.error_percent:g} % of error included" if self.error_percent else ""
        setup = ", with a new key" if self.setup_cycles else ""
        return f"{count(self.cycles)} cycles {call}{setup}{error}"


def worst_of(row: Row, platform: Platform, basis: Trust, setup: float = 0) -> WorstCase | None:
    """The worst case of a row; `setup`: cycles of key set-up to add.

    None where memory is ideal, whose cycles are a lower bound, and where no code is counted.
    """
    if platform.ideal or platform.rig in _UNCOUNTED:
        return None
    placed = ceil(row.cycles if row.cycles_max is None else row.cycles_max)
    cold = max((int(one) for one in _COLD.findall(row.provenance.window)), default=0)
    more = _error_percent(basis)
    most = (max(placed, cold) + setup) * (1 + more / 100)
    return WorstCase(
        ceil(most),
        None if row.cycles_max is None else placed,
        cold if cold > placed else None,
        ceil(setup),
        more,
        row.stack_bytes,
    )


def _error_percent(basis: Trust) -> float:
    """Per cent that silicon took more: of the chip, or else the largest error of the processor."""
    found = basis.found
    if isinstance(found, ChipEvidence):
        return found.more_percent
    return 0 if found is None or found.worst_percent is None else found.worst_percent


def worst_of_winner(request: Request, winner: Candidate, basis: Trust) -> WorstCase | None:
    """Of one message, of those under one key the first; None for a mean over several sizes."""
    if request.packets or request.bursts is not None:
        return None
    every = request.messages_per_key
    left = winner.setup_cycles * (1 - 1 / every) if every else 0
    return worst_of(winner.row, request.counted_on, basis, left)


def worst_told(request: Request, winner: Candidate, worst: WorstCase | None, basis: Trust) -> str:
    """The worst case, the deepest stack and what of interrupts is known, in a line."""
    known = winner.name in {one.name for one in cores()}
    stack = winner.row.stack_bytes
    ideal = "no worst case on ideal memory: name a chip" if request.platform.ideal else ""
    parts = (
        f"worst case known {worst.told}{_uncompared(basis)}" if worst else ideal,
        "" if stack is None else f"stack of at most {count(stack)} bytes",
        UNINTERRUPTED if known else "",
    )
    return f"{winner.name}: {'; '.join(filter(None, parts))}"


def _uncompared(basis: Trust) -> str:
    """That the error is not of all that takes part in the cycles."""
    return " (of the processor alone: the flash was compared with nothing)" if basis.rest else ""


def deadline_of(request: Request, text: str, value: float, unit: str) -> TimeLimit:
    """The deadline; `unit`: "s" or "cycles".  ArgumentError where it cannot be held against."""
    if request.packets:
        raise ArgumentError(
            "{deadline} is of one message; give {payload_bytes}, not {packets}",
            argument="packets",
        )
    if request.mode == BLOCK or request.bursts is not None:
        raise ArgumentError(
            "expected misses are a mean, which no {deadline} can be held against; leave "
            "{calls_per_burst}, {evicted} and {explain} out, and name a mode",
            argument="deadline",
        )
    if request.platform.rig in _UNCOUNTED:
        raise ArgumentError(
            "there is no worst case of {}; leave {deadline} out, or name a chip",
            request.platform.name,
            argument="deadline",
        )
    if unit == "cycles":
        return TimeLimit(text, value)
    if request.clock is None:
        raise ArgumentError(
            "{} has no clock of its own, so {} is no number of cycles; give {clock_hz} too, or "
            "{deadline} in cycles",
            request.platform.name,
            text,
            argument="deadline",
        )
    return TimeLimit(text, value * request.clock)


def deadline_answer(
    request: Request, winner: Candidate, worst: WorstCase | None, basis: Trust
) -> DeadlineAnswer | None:
    """The answer for the winner; None where no deadline was asked for."""
    deadline = request.deadline
    if deadline is None:
        return None
    usual = ceil(winner.row.cycles)
    most = worst.cycles if worst else usual
    what = f"{winner.name} {{}} {deadline.text} for a message of {count(request.bytes)} bytes"
    known = f"{_time(request, most)} in the worst case known"
    met: bool | None = most <= deadline.cycles
    if usual > deadline.cycles:
        told = f"{what.format('misses')}: it usually takes {_time(request, usual)}."
    elif worst is None:
        met, least = None, f"{_time(request, most)} at least, and more where the flash waits"
        told = f"{what.format('may meet')}: {least}; name a chip."
    elif not met:
        met = None
        told = f"{what.format('may miss')}: {known}; it usually takes {_time(request, usual)}."
    else:
        told = f"{what.format('meets')}: {known}."
    parts = (worst.told if worst else "ideal memory", basis.sentence, "no interrupt in between")
    return DeadlineAnswer(deadline, most, met, f"{told} This rests on: {'; '.join(parts)}.")


def _time(request: Request, cycles: float) -> str:
    """Cycles, and the time they take at the clock."""
    told = f"{count(cycles)} cycles"
    if request.clock is None:
        return told
    return f"{1e6 * cycles / request.clock:,.1f} us ({told} at {scaled(request.clock, 'Hz')})"

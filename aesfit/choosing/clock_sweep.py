# SPDX-License-Identifier: MIT
"""One question over the clocks of a chip: cycles, pace, energy and the best core at each.

Cycles change only with the flash wait states, so the question is answered once for each range of
clocks with the same wait states, and the points in it follow by arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from ..atlas.origin import AtlasOrigin
from ..errors import ArgumentError
from ..platforms.chip import Chip
from ..platforms.platform import Platform, at
from ..units import scaled
from .answer import Answer
from .asked import json_head, limits_json, question_json
from .request import Request

_POINTS = 24
"""Approximate number of clocks between 0 and the highest."""


@dataclass(frozen=True)
class ClockPoint:
    """The best core at a clock."""

    clock_mhz: float
    wait_states: int
    core: str
    cycles: float
    """Cycles of one message."""
    bit_per_s: float
    microjoules: float | None
    """Energy of one message; None if the data sheet gives no current near this clock."""
    ghash: str | None = None
    """Multiplier of GCM; None in other modes."""

    @property
    def title(self) -> str:
        """The core and, in GCM, its multiplier."""
        return self.core if self.ghash is None else f"{self.core} + {self.ghash}"


@dataclass(frozen=True)
class ClockSweep:
    """The answer over all clocks."""

    request: Request
    points: tuple[ClockPoint, ...]
    """Points in ascending order of the clock."""
    origins: tuple[AtlasOrigin, ...] = ()
    """Of figures from the atlas, which has those at the wait states of the highest clock."""

    @property
    def ends(self) -> tuple[ClockPoint, ...]:
        """The lowest and the highest clock of each range with the same wait states."""
        last = [one for one, after in pairwise(self.points) if one.wait_states < after.wait_states]
        first = [after for one, after in pairwise(self.points) if one in last]
        kept = {one.clock_mhz: one for one in (self.points[0], *last, *first, self.points[-1])}
        return tuple(kept[clock] for clock in sorted(kept))

    @property
    def sentence(self) -> str:
        """Sentences on the fastest clock, the one with least energy, and the one that keeps up."""
        fastest = max(self.points, key=lambda one: one.bit_per_s)
        told = [
            f"fastest at {fastest.clock_mhz:g} MHz: {scaled(fastest.bit_per_s, 'bit/s')} with "
            f"{fastest.title}"
        ]
        if priced := [(one.microjoules, one) for one in self.points if one.microjoules is not None]:
            energy, thrifty = min(priced, key=lambda pair: pair[0])
            told.append(f"least energy at {thrifty.clock_mhz:g} MHz: {energy:.4g} uJ a message")
        if self.request.rate is not None:
            told.append(self._keeping_up(self.request.rate))
        return "; ".join(told) + "."

    def _keeping_up(self, rate: float) -> str:
        able = [one for one in self.points if one.bit_per_s >= rate]
        wanted = scaled(rate, "bit/s")
        if not able:
            return f"no clock keeps up with {wanted}"
        return (
            f"the lowest of these clocks for {wanted}: {able[0].clock_mhz:g} MHz, {able[0].title}"
        )

    def as_json(self) -> dict[str, Any]:
        """The stable keys."""
        asked, chip = self.request, self.request.platform.name
        points = [asdict(one) for one in self.points]
        head = json_head("fit-sweep", question_json(asked), limits_json(asked))
        origins = [one.as_json() for one in self.origins]
        told = {"platform": chip, "sentence": self.sentence, "points": points, "atlas": origins}
        return {**head, **told}


def clocks(chip: Chip) -> tuple[float, ...]:
    """Even steps up to the highest clock, and both sides of each change of wait states."""
    highest = chip.maximum.value
    step = max(round(highest / _POINTS), 1)
    even = {float(mhz) for mhz in range(step, int(highest) + 1, step)}
    borders = {one.up_to.value for one in chip.waits if one.up_to.value < highest}
    return tuple(sorted({*even, *borders, *(mhz + 1 for mhz in borders), highest}))


def chip_of(platform: Platform) -> Chip:
    """The chip whose clocks are swept; ValueError if it is none."""
    if platform.chip is None:
        raise ArgumentError(
            "{} has no wait states by clock; name a chip (aesfit platforms lists them), or one "
            "clock",
            platform.name,
            argument="clock_hz",
        )
    return platform.chip


def clock_sweep(request: Request, ask: Callable[[Request], Answer]) -> ClockSweep:
    """Ask at every clock of clocks(); ValueError if it is not a chip or there is no answer."""
    chip = chip_of(request.platform)
    points: list[ClockPoint] = []
    answers: dict[int, Answer] = {}
    for mhz in clocks(chip):
        asked = replace(request, platform=at(request.platform, mhz))
        waits = int(asked.platform.memory("flash").wait_states.value)
        if waits not in answers:
            answers[waits] = ask(asked)
        points.append(_point(asked, answers[waits], mhz, waits))
    origins = tuple(one.origin for one in answers.values() if one.origin is not None)
    return ClockSweep(request, tuple(points), origins)


def _point(asked: Request, answer: Answer, mhz: float, waits: int) -> ClockPoint:
    winner, energy = answer.choice.winner, asked.platform.energy
    if winner is None:
        raise RuntimeError(answer.sentence)
    cycles = winner.row.cycles
    return ClockPoint(
        clock_mhz=mhz,
        wait_states=waits,
        core=winner.name,
        cycles=cycles,
        bit_per_s=8e6 * asked.payload * mhz / cycles,
        microjoules=cycles * energy.value * 1e-6 if energy else None,
        ghash=winner.ghash,
    )


def rows_of(points: Sequence[ClockPoint]) -> list[tuple[str, ...]]:
    """A row of text for each point: clock, wait states, core, cycles, pace, energy."""
    return [
        (
            f"{one.clock_mhz:g}",
            str(one.wait_states),
            one.title,
            f"{one.cycles:,.0f}",
            f"{one.bit_per_s / 1e6:.3g}",
            "-" if one.microjoules is None else f"{one.microjoules:.4g}",
        )
        for one in points
    ]

# SPDX-License-Identifier: MIT
"""The map of each claim: where it holds, and the smallest change that turns it.

Places that cannot test a claim because a memory, a cache or a clock was assumed are mapped all the
same, as places where it would hold or not; the verdict remains "not testable here".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .catalog import experiments
from .contract import Claim, Experiment
from .place import SIZED, Axis, ClaimPlace
from .rebuilt import CLANG
from .run import Judged, judged, stored
from .told_where import told_where
from .verdict import Verdict, as_assumed, judge
from .where import Holding, Turn, by_compilers, holding, tried, turns

_ASSUMED = "assumed, not judged"
_WOULD = {"stops": "would stop", "begins": "would begin"}
"""By the first word of what a change does."""


@dataclass(frozen=True)
class ClaimMap:
    """Where a claim holds, and what turns it."""

    here: Holding
    """The judged places; if there are none, those that only an assumption keeps from judging."""
    assumed: Holding
    """Places that only an assumption keeps from judging."""
    turns: tuple[Turn, ...]
    """The smallest change of each kind that turns it, the smallest kind first."""
    every: Holding
    """All places that were tried, each with the compiler as its last part."""
    tried: Mapping[Axis, int]
    """Number of changes of one part that were tried, by kind."""

    @property
    def supposed(self) -> bool:
        """Whether every place of the map rests on an assumption."""
        return bool(self.here) and self.here == self.assumed

    @property
    def where(self) -> str:
        """In words."""
        if self.supposed:
            return f"{told_where(self.here, 'would hold')} ({_ASSUMED})"
        told = told_where(self.here)
        if self.assumed:
            told += f"; of places that are {_ASSUMED}, it {told_where(self.assumed, 'would hold')}"
        return told

    @property
    def told(self) -> tuple[Turn, ...]:
        """The smallest change, and the smallest of memory or size if that is another."""
        return (*self.turns[:1], *(one for one in self.turns[1:] if one.sized))

    @property
    def turned(self) -> str:
        """Those changes in words."""
        many = sum(self.tried.values())
        if self.turns:
            return "; ".join(map(self._told, self.told))
        if many == 1:
            return "not by the only change tried"
        return f"by none of {many} changes" if many else "no change was tried"

    def _told(self, one: Turn) -> str:
        first, _, rest = one.told.partition(" ")
        if not self.supposed:
            return one.told
        return f"{_WOULD[first]} {rest}"

    @property
    def tried_sizes(self) -> int:
        """Number of changes of the memory or of a size that were tried."""
        return sum(many for kind, many in self.tried.items() if kind in SIZED)


@dataclass(frozen=True)
class MappedClaim:
    """A claim with its map."""

    experiment: Experiment
    number: int
    """Of the claim in its experiment, from 1."""
    one: Judged
    map: ClaimMap
    by_clang: Claim | None = None
    """The same claim on code by clang."""

    @property
    def name(self) -> str:
        """As the command line names it: "transposed_table_2:3"."""
        return f"{self.experiment.name}:{self.number}"


def mapped(experiment: Experiment) -> list[MappedClaim]:
    """The claims of an experiment that have results, with their maps."""
    measured = stored(experiment)
    if measured is None:
        return []
    rebuilt = stored(experiment, CLANG)
    others: Sequence[Claim | None] = experiment.claims(rebuilt.rows) if rebuilt else []
    made = judged(experiment, measured.rows)
    others = others or [None] * len(made)
    return [
        MappedClaim(experiment, number, one, claim_map(experiment.name, one, other), other)
        for number, (one, other) in enumerate(zip(made, others, strict=True), 1)
    ]


def claim_map(experiment: str, one: Judged, other: Claim | None) -> ClaimMap:
    """The map of a claim; `other` is the same claim on code by clang."""
    supposed = judge(as_assumed(one.claim), experiment)
    assumed = {
        place: word for place, word in supposed.places.items() if place not in one.verdict.places
    }
    here = holding(one.verdict.places or assumed)
    places = [*here, *one.verdict.swept] if one.verdict.places else [*here, *supposed.swept]
    every = {place: held for place, held in _all(supposed).items() if place in places}
    by_clang = {}
    if other is not None:
        built = judge(other if one.verdict.places else as_assumed(other), experiment)
        by_clang = holding(built.places)
    both = by_compilers(here, {}), by_compilers(every, by_clang)
    return ClaimMap(here, holding(assumed), turns(*both), both[1], tried(*both))


def _all(verdict: Verdict) -> dict[ClaimPlace, bool]:
    return {**holding(verdict.places), **holding(verdict.swept)}


def every_map() -> tuple[MappedClaim, ...]:
    """All claims that are not true by construction."""
    return tuple(
        one
        for experiment in experiments()
        for one in mapped(experiment)
        if one.one.verdict.group != "by construction"
    )

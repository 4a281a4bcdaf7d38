# SPDX-License-Identifier: MIT
"""The map of each claim: where it holds, and the smallest change that turns it."""

from collections.abc import Sequence
from dataclasses import dataclass

from .catalog import experiments
from .contract import Claim, Experiment
from .rebuilt import CLANG
from .run import Judged, judged, stored
from .verdict import judge
from .where import Holding, Turn, by_compilers, holding, told_where, tried, turns


@dataclass(frozen=True)
class MappedClaim:
    """A claim with its map."""

    experiment: Experiment
    number: int
    """Of the claim in its experiment, from 1."""
    one: Judged
    where: str
    turns: tuple[Turn, ...]
    """The smallest change of each kind that turns it, the smallest kind first."""
    every: Holding
    """All places that were tried, each with the compiler as its last part."""
    tried: int
    """Number of changes of one part that were tried."""

    @property
    def name(self) -> str:
        """As the command line names it: "transposed_table_2:3"."""
        return f"{self.experiment.name}:{self.number}"

    @property
    def told(self) -> tuple[Turn, ...]:
        """The smallest change, and the smallest of memory or size if that is another."""
        return (*self.turns[:1], *(one for one in self.turns[1:] if one.sized))

    @property
    def turned(self) -> str:
        """Those changes in words."""
        if self.turns:
            return "; ".join(one.told for one in self.told)
        if self.tried == 1:
            return "not by the only change tried"
        return f"by none of {self.tried} changes" if self.tried else "no change was tried"


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
        MappedClaim(experiment, number, one, *_map(experiment, one, other))
        for number, (one, other) in enumerate(zip(made, others, strict=True), 1)
    ]


def _map(
    experiment: Experiment, one: Judged, other: Claim | None
) -> tuple[str, tuple[Turn, ...], Holding, int]:
    here = holding(one.verdict.places)
    every = {**here, **holding(one.verdict.swept)}
    by_clang = {} if other is None else holding(judge(other, experiment.name).places)
    both = by_compilers(here, {}), by_compilers(every, by_clang)
    return told_where(here), turns(*both), both[1], tried(*both)


def every_map() -> tuple[MappedClaim, ...]:
    """All claims that are not true by construction."""
    return tuple(
        one
        for experiment in experiments()
        for one in mapped(experiment)
        if one.one.verdict.group != "by construction"
    )

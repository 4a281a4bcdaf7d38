# SPDX-License-Identifier: MIT
"""Which core is fastest for which burst: the cache model's curves and where they cross.

Pure: a question in, a prediction out; versions.py finds the coefficients.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..caches.cache import Hierarchy, sets_of
from ..jobs.job import Provenance
from ..units import five_lines
from .analytic import curve
from .equations import Floats
from .layout import lines_in, lines_of
from .question import Version

_ALIKE = 1e-9
"""Relative difference below which times count as equal: above rounding, below a cycle."""


@dataclass(frozen=True)
class BurstQuestion:
    """The question."""

    platform: str
    hierarchy: Hierarchy
    versions: tuple[Version, ...]
    first: int = 1
    """Shortest burst, in calls."""
    last: int = 1024
    """Longest burst."""
    evicted: float = 1.0


@dataclass(frozen=True)
class Stretch:
    """Burst lengths at which one core is the fastest."""

    first: int
    last: int
    core: str


@dataclass(frozen=True)
class Crossover:
    """Where the fastest core changes."""

    calls: int
    """The first burst length at which `to` takes no longer than `before`."""
    before: str
    to: str


@dataclass(frozen=True, repr=False)
class Prediction:
    """The answer."""

    question: BurstQuestion
    calls: Floats
    per_call: dict[str, Floats]
    """Cycles per call by core, one value for each burst length."""
    best: tuple[Stretch, ...]
    cycles_per_packet: Mapping[str, float] = field(default_factory=dict)
    """Mean cycles per packet by core, the fastest first; empty if no packets were asked for."""
    provenance: Mapping[str, Provenance] = field(default_factory=dict)
    """How versions of the user's own functions were derived, by function; empty for cores."""
    warnings: tuple[str, ...] = ()
    """Warnings about the files of such functions, a sentence each."""

    def __repr__(self) -> str:
        """The fastest core of each stretch."""
        named = f"{len(self.per_call)} cores on {self.question.platform}"
        return five_lines(f"Prediction: {named}", self.sentences)

    @property
    def crossovers(self) -> tuple[Crossover, ...]:
        """Every change of the fastest core."""
        return tuple(
            Crossover(after.first, before.core, after.core)
            for before, after in zip(self.best, self.best[1:], strict=False)
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words, one sentence for each stretch."""
        return tuple(
            f"bursts of {one.first} to {one.last} calls: {one.core}"
            if one.first < one.last
            else f"bursts of {one.first} call{'s' if one.first > 1 else ''}: {one.core}"
            for one in self.best
        )

    def at(self, core: str, calls: int) -> float:
        """Cycles per call of one core in bursts of one length."""
        return float(self.per_call[core][calls - self.question.first])

    def lines(self, version: Version) -> int:
        """Cache lines of its tables."""
        return lines_in(version.lookups, self.question.hierarchy.data.line)

    @property
    def rows(self) -> tuple[Mapping[str, str | int | float | bool], ...]:
        """A flat mapping for each core and burst length."""
        return tuple(
            {
                "platform": self.question.platform,
                "core": core,
                "calls": int(calls),
                "cycles_per_call": float(cycles),
                "best": any(
                    one.core == core and one.first <= calls <= one.last for one in self.best
                ),
            }
            for core, row in self.per_call.items()
            for calls, cycles in zip(self.calls, row, strict=True)
        )

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys; `cycles_per_packet` if packets were asked for.

        For the user's own functions also `provenance` by function, and `warnings`.
        """
        packets = {"cycles_per_packet": dict(self.cycles_per_packet)}
        told = {name: asdict(one) for name, one in self.provenance.items()}
        own = {"provenance": told, "warnings": list(self.warnings)}
        hierarchy = self.question.hierarchy
        cache = hierarchy.data
        return {
            "platform": self.question.platform,
            "line": cache.line,
            "miss_penalty": hierarchy.penalty.of(cache.line),
            "ways": cache.ways,
            "cache_bytes": cache.size,
            "cores": {one.core: _facts(one, cache.line) for one in self.question.versions},
            "curve": [
                {"calls": int(calls), "core": core, "cycles_per_call": float(cycles)}
                for core, row in self.per_call.items()
                for calls, cycles in zip(self.calls, row, strict=True)
            ],
            "best": [{"from": one.first, "to": one.last, "core": one.core} for one in self.best],
            "crossovers": [
                {"calls": one.calls, "from": one.before, "to": one.to} for one in self.crossovers
            ],
            **(packets if self.cycles_per_packet else {}),
            **(own if told else {}),
        }


def _facts(version: Version, line: int) -> dict[str, Any]:
    tables = [
        {
            "name": one.table,
            "bytes": one.size,
            "lines": lines_of(one, line),
            "reads": one.reads,
        }
        for one in version.lookups
    ]
    return {"E": version.cycles_per_call, "c": version.overhead, "tables": tables}


def predict(question: BurstQuestion) -> Prediction:
    """Curves of all versions; ValueError in one sentence for what makes no sense."""
    if not question.versions:
        raise ValueError("there is no core to compare")
    if not 1 <= question.first <= question.last:
        raise ValueError(
            f"bursts of {question.first} to {question.last} calls make no sense; give 1 or more, "
            "the shorter first"
        )
    sets_of(question.hierarchy.data)
    calls = np.arange(question.first, question.last + 1, dtype=np.float64)
    per_call = {
        one.core: curve(one, question.hierarchy, calls, question.evicted)
        for one in question.versions
    }
    return Prediction(question, calls, per_call, stretches(calls, per_call))


def stretches(calls: Floats, per_call: dict[str, Floats]) -> tuple[Stretch, ...]:
    """The fastest core by burst length; of equal ones the one that stays fastest longer."""
    names, rows = list(per_call), np.array(list(per_call.values()))
    winners = rows.argmin(axis=0)
    alike = rows <= rows.min(axis=0) * (1.0 + _ALIKE)
    for place in np.flatnonzero(alike[:, :-1].sum(axis=0) > 1)[::-1]:
        if alike[winners[place + 1], place]:
            winners[place] = winners[place + 1]
    starts = [0, *(np.flatnonzero(np.diff(winners)) + 1).tolist()]
    ends = [*(start - 1 for start in starts[1:]), len(winners) - 1]
    return tuple(
        Stretch(int(calls[start]), int(calls[end]), names[winners[start]])
        for start, end in zip(starts, ends, strict=True)
    )

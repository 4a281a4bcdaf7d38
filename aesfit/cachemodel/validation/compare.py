# SPDX-License-Identifier: MIT
"""Errors of the cache model against the simulation: pure functions.

The model gives expected values, and a simulation of one text is a single draw, so the model is
compared with the mean over several keys and texts.  Errors are shares: 0.01 is one per cent.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from ...caches.cache import Cache, Hierarchy, Replacement
from ...errors import unknown
from ...units import parse_size
from ..question import Version

if TYPE_CHECKING:
    from ..equations import Floats

CALIBRATION = (0, 512, 1024)
"""Burst lengths from which the coefficients were derived; they are no validation."""
CALLS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 384, 640, 768, 1000)
"""Default burst lengths: stalls matter most in the short ones."""
GEOMETRIES = (
    *("16K:4:16", "16K:4:32", "16K:8:32", "32K:4:32", "8K:4:32"),
    *("4K:4:32", "2K:4:16", "8K:2:32", "4K:2:32", "4K:1:32", "2K:1:16"),
    *("8K:4:32:fifo", "8K:4:32:random", "2K:4:32:fifo", "2K:4:32:random"),
)
"""Further data caches: first those where the paper's assumptions hold, then others."""
TEXTS = 12
"""Number of keys and texts per point."""
Kind = Literal["assumptions", "extensions"]


@dataclass(frozen=True)
class Aim:
    """Goals that errors should stay below; None: any error."""

    mean_stall: float
    max_stall: float | None
    mean: float | None


AIMS: dict[Kind, Aim] = {
    "assumptions": Aim(0.03, 0.10, 0.01),
    "extensions": Aim(0.10, None, None),
}


@dataclass(frozen=True)
class Place:
    """A data cache, and the fraction of it evicted between bursts."""

    cache: Cache
    evicted: float = 1.0

    def __str__(self) -> str:
        """Its name as for --geometries, with the fraction."""
        evicted = "" if self.evicted == 1.0 else f", {self.evicted:.0%} evicted"
        return f"{geometry(self.cache)}{evicted}"


@dataclass(frozen=True)
class ValidationPoint:
    """One burst; cycles."""

    core: str
    place: Place
    kind: Kind
    calls: int
    model: float
    """Predicted cycles of the whole burst."""
    simulated: float
    model_stalls: float
    simulated_stalls: float
    """Cycles of stalls, mean over keys and texts."""
    standard_error: float
    """Standard error of that mean."""

    @property
    def error(self) -> float:
        """Relative error of the whole time."""
        return self.model / self.simulated - 1.0

    @property
    def stall_error(self) -> float | None:
        """Relative error of the stalls; None without stalls."""
        if not self.simulated_stalls:
            return None
        return self.model_stalls / self.simulated_stalls - 1.0

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        cache = self.place.cache
        return {
            "core": self.core,
            "cache_bytes": cache.size,
            "ways": cache.ways,
            "line": cache.line,
            "replacement": cache.replacement,
            "evicted": self.place.evicted,
            "kind": self.kind,
            "calls": self.calls,
            "model_cycles": self.model,
            "simulated_cycles": self.simulated,
            "model_stalls": self.model_stalls,
            "simulated_stalls": self.simulated_stalls,
            "standard_error": self.standard_error,
            "error": self.error,
            "stall_error": self.stall_error,
        }


@dataclass(frozen=True)
class Errors:
    """Absolute errors over some points."""

    points: int
    mean: float
    max: float
    mean_stall: float
    max_stall: float
    mean_standard_error: float
    """Relative standard error of the simulated stalls: errors below it mean nothing."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "mean_error": self.mean,
            "max_error": self.max,
            "mean_stall_error": self.mean_stall,
            "max_stall_error": self.max_stall,
            "mean_standard_error": self.mean_standard_error,
        }

    def missed(self, aim: Aim) -> list[str]:
        """Phrases on errors that miss the goal."""
        compared = (
            ("mean of stalls", self.mean_stall, aim.mean_stall),
            ("maximum of stalls", self.max_stall, aim.max_stall),
            ("mean of the whole time", self.mean, aim.mean),
        )
        return [
            f"{what} {value:.1%}, aim {most:.0%}"
            for what, value, most in compared
            if most is not None and value >= most
        ]


def geometry(cache: Cache) -> str:
    """Format a geometry: 16K:4:32, with the policy unless it is LRU."""
    size = f"{cache.size // 1024}K" if cache.size % 1024 == 0 else str(cache.size)
    policy = "" if cache.replacement == "lru" else f":{cache.replacement}"
    return f"{size}:{cache.ways}:{cache.line}{policy}"


def parse_geometry(text: str) -> Cache:
    """Parse SIZE:WAYS:LINE with an optional replacement policy: 16K:4:32, 8K:2:16:fifo."""
    found = re.fullmatch(r"([^:]+):(\d{1,7}):(\d{1,4})(?::([^:]*))?", text.strip(), re.ASCII)
    if not found:
        raise ValueError(f"'{text}' is no geometry; give SIZE:WAYS:LINE, such as 16K:4:32")
    policies, policy = get_args(Replacement), found[4] or "lru"
    if policy not in policies:
        raise unknown("replacement", policy, policies)
    return Cache(parse_size(found[1]), int(found[3]), int(found[2]), cast(Replacement, policy))


def kind_of(version: Version, place: Place) -> Kind:
    """Whether the paper's assumptions hold: at least 4 ways, tables, keys and stack fit, cold.

    They also need LRU: other policies evict lines even if all would fit.
    """
    cache = place.cache
    data = sum(table.size for table in version.lookups) + version.fixed_bytes
    holds = (
        cache.ways >= 4
        and data <= cache.size
        and place.evicted == 1.0
        and cache.replacement == "lru"
    )
    return "assumptions" if holds else "extensions"


def lengths(calls: Iterable[int]) -> tuple[int, ...]:
    """Ascending burst lengths, without those of the calibration."""
    return tuple(sorted(set(calls) - set(CALIBRATION)))


def compare(
    version: Version,
    place: Place,
    calls: Sequence[int],
    model_stalls: "Floats",
    simulated_stalls: "Floats",
    ideal: "Floats",
) -> list[ValidationPoint]:
    """Points of one core in one place.

    `simulated_stalls`: cycles, a row for each key and text, a column for each length; `ideal`: the
    cycles of those bursts without misses, with another key and text than the coefficients'.
    """
    texts = len(simulated_stalls)
    if texts < 2:
        raise ValueError("a standard error needs 2 keys and texts or more")
    means = simulated_stalls.mean(axis=0)
    spread = simulated_stalls.std(axis=0, ddof=1) / sqrt(texts)
    kind = kind_of(version, place)
    return [
        ValidationPoint(
            version.core,
            place,
            kind,
            number,
            number * version.cycles_per_call + version.overhead + float(model_stalls[at]),
            float(ideal[at] + means[at]),
            float(model_stalls[at]),
            float(means[at]),
            float(spread[at]),
        )
        for at, number in enumerate(calls)
    ]


def errors(points: Sequence[ValidationPoint]) -> Errors:
    """Mean and maximum over some points, at least one."""
    whole = [abs(one.error) for one in points]
    stalled = [abs(one.stall_error) for one in points if one.stall_error is not None] or [0.0]
    noise = [p.standard_error / p.simulated_stalls for p in points if p.simulated_stalls] or [0.0]
    return Errors(len(points), fmean(whole), max(whole), fmean(stalled), max(stalled), fmean(noise))


def grouped(
    points: Iterable[ValidationPoint], name: Callable[[ValidationPoint], str]
) -> dict[str, Errors]:
    """Errors of points grouped by a name, in order of the names' appearance."""
    found: dict[str, list[ValidationPoint]] = {}
    for point in points:
        found.setdefault(name(point), []).append(point)
    return {joined: errors(some) for joined, some in found.items()}


def worst(points: Iterable[ValidationPoint], number: int) -> list[tuple[str, list[str]]]:
    """Cores and places that miss their goals, and which, the worst mean of stalls first."""
    some = list(points)
    kinds = {_where(point): point.kind for point in some}
    found = [
        (one.mean_stall, name, one.missed(AIMS[kinds[name]]))
        for name, one in grouped(some, _where).items()
    ]
    missed = sorted((row for row in found if row[2]), key=lambda row: -row[0])
    return [(name, what) for _, name, what in missed[:number]]


def _where(point: ValidationPoint) -> str:
    return f"{point.core} in {point.place}"


def span(point: ValidationPoint) -> str:
    """The range of burst lengths of a point."""
    for first, last in ((1, 4), (5, 32), (33, 256), (257, 1023)):
        if point.calls <= last:
            return f"{first} to {last} calls"
    return "longer"


def as_json(
    platform: str, texts: int, hierarchy: Hierarchy, points: Sequence[ValidationPoint]
) -> dict[str, Any]:
    """Plain values with the stable keys."""
    groups = {
        "kinds": grouped(points, lambda one: one.kind),
        "geometries": grouped(points, lambda one: str(one.place)),
        "cores": grouped(points, lambda one: one.core),
        "calls": grouped(points, span),
    }
    penalty = hierarchy.penalty
    return {
        "platform": platform,
        "texts": texts,
        "miss_penalty": {"base": penalty.base, "per_byte": penalty.per_byte},
        **errors(points).as_json(),
        "groups": {
            by: [{"name": n, "points": e.points, **e.as_json()} for n, e in rows.items()]
            for by, rows in groups.items()
        },
        "points": [point.as_json() for point in points],
    }

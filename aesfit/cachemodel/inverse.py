# SPDX-License-Identifier: MIT
"""The cache model backwards: from times of bursts to the cache of the machine that they ran on.

Equation 1 is linear in all but the cache's shape: T(i, v) = i E(v) + c(v) + m f(i, v), with the
expected misses f of a shape.  For every shape of a list the misses are computed, E and c of each
core are projected out (c alone, if E is known), and m is fitted by least squares.  Shapes whose
misfit is not significantly worse than the best one's are accepted; intervals span all of them.

The tolerance of a time is the error of its mean, a share of its stalls for the error of the model,
and a small share of the time itself.  If even the best shape fits worse than this, tolerances are
scaled to its misfit, and if it fits better, down to a third; if it fits far worse, nothing is
excluded.  The values below were chosen on the caches of validation/compare.py;
docs/cache-inverse.md shows others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import get_args

import numpy as np

from ..caches.cache import Cache, Replacement
from ..jobs.job import Progress
from .analytic import misses
from .equations import Floats
from .question import Version

SIZES = tuple(1 << power for power in range(10, 16))
LINES = (8, 16, 32, 64, 128)
WAYS = (1, 2, 4, 8)
"""8 stands for more, too."""
FEWEST = 4
"""Burst lengths that each core needs: E, c and m leave one to see a misfit."""
_MODEL, _TIMER = 0.03, 1e-4
"""Tolerated errors: of stalls, by the model (docs/cache-model.md, Validation), and of times."""
_OTHER = 7.0
"""FIFO and random replacement: tolerated squares of errors, as a multiple of those of LRU."""
_ACCEPTED = 13.3
"""Chi-square that 4 parameters exceed in 1 of 100 cases."""
_UNKNOWN = 4.0
"""The same multiple if E is unknown: stalls of every call, and the model's error, hide in it."""
_LEAST = 0.1
"""The least scale of chi-square: about a third of the tolerated errors."""
_NO_MISSES = 1e-60
"""In place of a sum of squares that is 0, for caches whose misses are the same for all lengths."""
POOR = 10.0
"""Chi-square by degrees of freedom above which no cache explains the times: none is excluded."""


@dataclass(frozen=True)
class BurstTimes:
    """Measured bursts of one core, each from a cold cache."""

    core: str
    calls: tuple[int, ...]
    """Burst lengths, growing."""
    times: tuple[float, ...]
    """Mean of each, in any unit."""
    errors: tuple[float, ...]
    """Standard error of each; 0: not known."""


@dataclass(frozen=True)
class CacheFit:
    """A cache that explains the times."""

    cache: Cache
    penalty: float
    """Of a miss, in the unit of the times."""
    error: float
    """Of the penalty: 2 standard errors and that of the model."""
    misfit: float
    """Chi-square."""


@dataclass(frozen=True)
class Inferred:
    """What the times say of the cache."""

    fits: tuple[CacheFit, ...]
    """Accepted ones, the best first."""
    tried: tuple[Cache, ...]
    misfit: float
    """Chi-square of the best one by degrees of freedom; 1: as tolerated."""
    known_cycles: bool
    """E was not fitted."""

    def values(self, name: str) -> tuple[int | str, ...]:
        """Accepted values of a field of Cache."""
        return tuple(sorted({getattr(one.cache, name) for one in self.fits}))

    def told(self, name: str) -> bool:
        """Whether the times exclude any value of a field of Cache."""
        return set(self.values(name)) != {getattr(one, name) for one in self.tried}

    @property
    def poor(self) -> bool:
        """Whether no cache explains the times, so that nothing follows from them."""
        return self.misfit > POOR

    @property
    def penalty(self) -> tuple[float, float]:
        """The interval of the penalty."""
        low = min(one.penalty - one.error for one in self.fits)
        return max(0.0, low), max(one.penalty + one.error for one in self.fits)

    @property
    def by_line(self) -> "dict[int, Inferred]":
        """The same for each accepted line size, with which the penalty goes."""
        lines = sorted({one.cache.line for one in self.fits})
        return {
            line: replace(self, fits=tuple(one for one in self.fits if one.cache.line == line))
            for line in lines
        }


def shapes() -> tuple[Cache, ...]:
    """The caches that are tried; with one way there is nothing to replace by a policy."""
    every = product(SIZES, LINES, WAYS, get_args(Replacement), (True, False))
    return tuple(
        Cache(size, line, ways, replacement, allocate)
        for size, line, ways, replacement, allocate in every
        if size >= line * ways and (ways > 1 or replacement == "lru")
    )


def _stalled(one: BurstTimes, version: Version, known: bool) -> Floats:
    """About the part of each time that the cache decides: above i E, or above the last slope."""
    calls, times = np.array(one.calls, np.float64), np.array(one.times)
    slope = (times[-1] - times[-2]) / (calls[-1] - calls[-2])
    line = calls * version.cycles_per_call
    if not known:
        line = times[-1] + slope * (calls - calls[-1])
    return np.asarray(np.abs(times - line))


@dataclass(frozen=True)
class _Core:
    """What does not depend on the cache, of one core."""

    version: Version
    calls: tuple[int, ...]
    tolerance: Floats
    basis: Floats
    """Orthonormal columns that are fitted whatever the cache: c, and E if it is not known."""
    rest: Floats
    """The times without them, in tolerances."""

    def without(self, values: Floats) -> Floats:
        """Values in tolerances, without what the basis explains."""
        scaled = values / self.tolerance
        return np.asarray(scaled - self.basis @ (self.basis.T @ scaled))


def _core(one: BurstTimes, version: Version, known: bool) -> _Core:
    if len(set(one.calls)) < FEWEST:
        raise ValueError(
            f"{one.core} has {len(one.calls)} length{'s' if len(one.calls) > 1 else ''} of bursts; "
            f"nothing follows from fewer than {FEWEST}, such as 1, 10, 100 and 1000 calls"
        )
    calls, times = np.array(one.calls, np.float64), np.array(one.times)
    stalled = _stalled(one, version, known)
    tolerance = np.sqrt(np.array(one.errors) ** 2 + (_MODEL * stalled) ** 2 + (_TIMER * times) ** 2)
    columns = [np.ones_like(calls)] if known else [np.ones_like(calls), calls]
    basis = np.linalg.qr(np.stack(columns, axis=1) / tolerance[:, None])[0]
    bare = _Core(version, one.calls, tolerance, basis, times)
    due = calls * version.cycles_per_call if known else 0.0
    return _Core(version, one.calls, tolerance, basis, bare.without(times - due))


@lru_cache(maxsize=1 << 13)
def _misses(version: Version, cache: Cache, calls: tuple[int, ...]) -> Floats:
    """Expected misses from a cold start; several machines are asked about the same code."""
    return misses(version, cache, np.array(calls, np.float64), 1.0)


def _fit(cores: Sequence[_Core], cache: Cache) -> tuple[float, float, float]:
    """Penalty, its standard error and chi-square; a penalty is never below 0."""
    found = [one.without(_misses(one.version, cache, one.calls)) for one in cores]
    seen, times = np.concatenate(found), np.concatenate([one.rest for one in cores])
    weight = max(float(seen @ seen), _NO_MISSES)
    penalty = max(0.0, float(seen @ times) / weight)
    rest = times - penalty * seen
    return penalty, 1 / sqrt(weight), float(rest @ rest)


def infer(
    bursts: Sequence[BurstTimes],
    versions: Sequence[Version],
    tried: Sequence[Cache] = (),
    *,
    known_cycles: bool = False,
    progress: Progress = lambda done, total: None,
) -> Inferred:
    """The caches that explain the times; ValueError if there are too few of them.

    Versions give the tables, reads and addresses of the cores, and E only with `known_cycles`.
    """
    by_name = {one.core: one for one in versions}
    cores = [_core(one, by_name[one.core], known_cycles) for one in bursts]
    caches = tuple(tried) or shapes()
    found = []
    for done, cache in enumerate(caches):
        progress(done, len(caches))
        found.append((cache, *_fit(cores, cache)))
    fitted = sum(one.basis.shape[1] for one in cores) + 1
    freedom = sum(len(one.calls) for one in cores) - fitted
    best = min(misfit for *_, misfit in found) / freedom
    fits = _accepted(found, best, freedom, known_cycles)
    return Inferred(tuple(fits), caches, best, known_cycles)


def _accepted(
    found: Sequence[tuple[Cache, float, float, float]], best: float, freedom: int, known: bool
) -> list[CacheFit]:
    """Those that explain the times about as well as the best; all, if it does not either."""
    scale = max(_LEAST, best)
    fits = []
    for cache, penalty, error, misfit in found:
        share = 1.0 if cache.replacement == "lru" else _OTHER
        share *= 1.0 if known else _UNKNOWN
        if best > POOR or misfit - best * freedom <= _ACCEPTED * scale * share:
            sure = 2 * sqrt(scale * error**2 + share * (_MODEL * penalty) ** 2)
            fits.append(CacheFit(cache, penalty, sure, misfit))
    return sorted(fits, key=lambda one: one.misfit)

# SPDX-License-Identifier: MIT
"""The cache model: the time of a burst by formulas, without running or simulating anything.

Stalls are the penalty times expected misses: of each line of data the first time it is used
(derived: equation 4, for lines that get unequal shares of the reads too), of lines that were
replaced in between (recency.py, residence.py), of streamed data once per line (derived), and of
instructions (instructions.py).  Without write allocation data that is only stored costs nothing
(derived).  With critical word first (approximated) a miss costs only the base, as if the next
access found the line full.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..caches.cache import Cache, Hierarchy, sets_of
from . import residence
from .equations import Floats
from .instructions import instruction_misses
from .layout import Crowd, LineUse, crowds
from .question import Burst, Time, Version
from .recency import Conflict, conflicts, lost_at_end, overfull

_BLOCK = 16
"""Bytes of a stream that one call uses."""
_LAST = 1024
"""Calls of the last burst, where they must be many but finite."""


class Analytic:
    """An Estimator by formulas, without simulation."""

    def times(self, version: Version, hierarchy: Hierarchy, bursts: Sequence[Burst]) -> list[Time]:
        """The time of each burst, estimated separately."""
        calls = np.array([burst.calls for burst in bursts], dtype=np.float64)
        found = np.zeros_like(calls)
        shares = np.array([burst.evicted for burst in bursts])
        for share in np.unique(shares):
            some = shares == share
            found[some] = stalls(version, hierarchy, calls[some], float(share))
        return [
            Time(
                burst.calls,
                burst.calls * version.cycles_per_call + version.overhead,
                float(stalled),
            )
            for burst, stalled in zip(bursts, found, strict=True)
        ]


def curve(version: Version, hierarchy: Hierarchy, calls: ArrayLike, evicted: float = 1.0) -> Floats:
    """Cycles per call of bursts of so many calls, at least 1."""
    number = np.asarray(calls, dtype=np.float64)
    return totals(version, hierarchy, number, evicted) / number


def totals(
    version: Version, hierarchy: Hierarchy, calls: ArrayLike, evicted: float = 1.0
) -> Floats:
    """Cycles of bursts of that many calls: equation 1."""
    number = np.asarray(calls, dtype=np.float64)
    ideal = number * version.cycles_per_call + version.overhead
    return ideal + stalls(version, hierarchy, number, evicted)


def stalls(
    version: Version, hierarchy: Hierarchy, calls: ArrayLike, evicted: float = 1.0
) -> Floats:
    """Cycles lost to misses in bursts of that many calls; ValueError for what makes no sense."""
    number = np.asarray(calls, dtype=np.float64)
    if not 0.0 <= evicted <= 1.0:
        raise ValueError(f"an evicted share of {evicted} is not between 0 and 1")
    if number.size and number.min() < 0:
        raise ValueError(f"a burst has 0 calls or more, not {number.min():g}")
    if hierarchy.penalty.base < 0 or hierarchy.penalty.per_byte < 0:
        raise ValueError("a miss penalty is 0 cycles or more")
    lost = misses(version, hierarchy.data, number, evicted)
    cycles = lost * hierarchy.penalty.of(hierarchy.data.line)
    cache = hierarchy.instruction
    if cache is not None and version.code_bytes:
        missed = instruction_misses(version.code_bytes, cache, sets_of(cache), number, evicted)
        missed = missed + evicted * -(-version.setup_code_bytes // cache.line)
        cycles = cycles + missed * hierarchy.penalty.of(cache.line)
    return cycles


def _streamed(version: Version, cache: Cache) -> int:
    """Bytes of streams per call that fill lines."""
    return version.stream_bytes - (0 if cache.write_allocate else version.stored_bytes)


def _entering(version: Version, cache: Cache) -> float:
    """New lines of streams per call that a set gets."""
    return _streamed(version, cache) / cache.line / sets_of(cache)


def misses(version: Version, cache: Cache, calls: Floats, evicted: float) -> Floats:
    """Misses of the data cache."""
    together, entering = crowds(version, cache), _entering(version, cache)
    streams = _streamed(version, cache) / _BLOCK  # each begins with a line
    found = streams * np.ceil(calls * _BLOCK / cache.line)
    for line, many, gone in _kinds(version, cache):
        again = (1.0 - evicted) * gone * (1.0 - line.setup_kept)
        found = found + many * (evicted * (1.0 - line.unused(calls)) + again)
    if cache.replacement == "lru":
        for many, conflict in _conflicts(version, cache):
            found = found + many * conflict.misses(calls, evicted)
    elif not _fits(together, cache, entering):
        found = found + residence.misses(
            together, cache.ways, entering, cache.replacement, calls, evicted
        )
    if entering and cache.line > _BLOCK:
        found = found + calls * _streams_lost(version, cache)
    return found


@lru_cache(maxsize=512)
def _kinds(version: Version, cache: Cache) -> list[tuple[LineUse, int, float]]:
    """Kinds of lines, their number in all sets, and the chance that key set-up misses them.

    The state is that after a long burst, before other programs evict lines.  Approximated: LRU is
    assumed for every replacement policy, and lines that key set-up evicts are not missed again.
    """
    found: Counter[tuple[LineUse, float]] = Counter()
    entering = _entering(version, cache)
    for crowd in crowds(version, cache):
        for line, many in crowd.lines:
            touched = line.setup_kept < 1.0 and not line.gaps
            gone = lost_at_end(crowd, line, cache.ways, entering, _LAST) if touched else 0.0
            found[line, gone] += crowd.sets * many
    return [(line, many, gone) for (line, gone), many in found.items()]


@lru_cache(maxsize=512)
def _conflicts(version: Version, cache: Cache) -> list[tuple[int, Conflict]]:
    """Misses of lines in each kind of set, with the number of such sets."""
    entering = _entering(version, cache)
    return [
        (crowd.sets, conflict)
        for crowd in crowds(version, cache)
        for conflict in conflicts(crowd, cache.ways, entering)
    ]


def _fits(together: Sequence[Crowd], cache: Cache, streams: float) -> bool:
    """Whether no line of ours is ever evicted, so that the published model holds unchanged."""
    roomy = all(crowd.size <= cache.ways for crowd in together)
    return roomy and streams == 0 and cache.replacement != "random"


@lru_cache(maxsize=512)
def _streams_lost(version: Version, cache: Cache) -> float:
    """Misses per call of stream lines that were evicted before their last block was used.

    Approximated: LRU is assumed for every replacement policy.
    """
    sets, one = sets_of(cache), np.array([1.0])
    bytes_ = _streamed(version, cache)
    again, entering = bytes_ / _BLOCK - bytes_ / cache.line, _entering(version, cache)
    lost = [
        crowd.sets * float(overfull(crowd.lines, cache.ways, entering, one, one)[0])
        for crowd in crowds(version, cache)
    ]
    return again * sum(lost) / sets

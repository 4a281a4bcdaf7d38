# SPDX-License-Identifier: MIT
"""Misses of the instruction cache.

Derived: code that fits misses once per evicted line, in the first call; code is contiguous, so its
lines are spread evenly over the sets.  If a set has more lines of code than ways, a call that runs
through them in order misses all of them with LRU and FIFO (derived, for code run once per call).
Approximated: loops within a call count as one pass, and with random replacement a line survives the
misses of the others independently.
"""

import numpy as np

from ..caches.cache import Cache
from .equations import Floats

_STEPS = 200


def instruction_misses(
    code_bytes: int, cache: Cache, sets: int, calls: Floats, evicted: float
) -> Floats:
    """Misses in bursts of so many calls, for code of that size."""
    lines = -(-code_bytes // cache.line)
    each, more = divmod(lines, sets)
    found = np.zeros_like(calls)
    for in_set, many in ((each + 1, more), (each, sets - more)):
        lost = _lost_per_pass(in_set, cache)
        first = in_set * (evicted + (1.0 - evicted) * lost)
        later = np.maximum(calls - 1.0, 0.0) * in_set * lost
        found = found + many * (first * np.minimum(calls, 1.0) + later)
    return found


def _lost_per_pass(lines: int, cache: Cache) -> float:
    """Share of a set's lines that each pass through all of them misses."""
    if lines <= cache.ways:
        return 0.0
    if cache.replacement != "random":
        return 1.0
    low, high = 0.0, 1.0  # of h - (1 - 1/W)^((n - 1)(1 - h)), below 0 at the fixed point's left
    for _ in range(_STEPS):
        hit = (low + high) / 2
        keeps = (1.0 - 1.0 / cache.ways) ** ((lines - 1) * (1.0 - hit))
        low, high = (hit, high) if hit < keeps else (low, hit)
    return 1.0 - low

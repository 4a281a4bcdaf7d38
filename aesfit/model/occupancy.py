# SPDX-License-Identifier: MIT
"""Misses of lines that compete for one set, beyond the first of each line.

Derived, under the assumption that uses of different lines are independent: with least recently used
replacement a use hits exactly when fewer than `ways` other lines were used since the line's last
use, so the chance of a hit is that of a sum of independent indicators (Poisson-binomial), averaged
over the time between two uses; this holds from an empty cache too, where the last use lies within
the burst.  With random replacement and with FIFO the content of a set in the long run has a product
form, each content as likely as the product of the rates of its lines (King 1971 for FIFO, Gelenbe
1973 for random, under independent references), which elementary symmetric polynomials sum up.
Approximated: streams come as a Poisson process of new lines; lines used at fixed moments count in
FIFO and random as if used at random ones; with FIFO and random a cache fills as if nothing were
replaced, until the share of misses of the long run is reached.

With `evicted` e each line that the last burst left is still there with probability 1 - e, and the
last burst is taken to have been long.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .equations import Floats
from .layout import Crowd, Line
from .question import Replacement

Lines = Sequence[tuple[Line, int]]
"""Kinds of lines, with how many there are of each."""

_POINTS = 120
_LONGEST = 1 << 14
"""Periods followed of lines used at fixed moments."""


@dataclass(frozen=True)
class _Hits:
    """How the hits of a line follow from the time since its last use."""

    calls: Floats
    """Times since the last use, growing, from 0."""
    weights: Floats
    """Chance that the last use lies in the stretch that ends there; the first is 0."""
    lost: Floats
    """Chance that the line has gone since, averaged over that stretch."""


@lru_cache(maxsize=4096)
def conflicts(
    crowd: Crowd, ways: int, streams: float, replacement: Replacement
) -> tuple["Conflict", ...]:
    """What each kind of line in a crowded set loses; empty where all lines fit for good.

    `streams`: new lines that enter the set per call.
    """
    if crowd.size <= ways and streams == 0:
        return ()
    found = []
    for index, (line, many) in enumerate(crowd.lines):
        if line.rate <= 0:
            continue
        others = [
            (other, count - (position == index))
            for position, (other, count) in enumerate(crowd.lines)
        ]
        hits = _hits(line, others, ways, streams, replacement)
        found.append(Conflict(line, many, hits))
    return tuple(found)


class Conflict:
    """Extra misses of one kind of line in a burst."""

    def __init__(self, line: Line, many: int, hits: _Hits) -> None:
        """Prepare sums over the time since the last use; `many` lines are of this kind."""
        self._line, self._many = line, many
        lost = hits.weights * hits.lost
        middle = hits.calls.copy()
        middle[1:] = hits.calls[1:] if line.at_once else (hits.calls[1:] + hits.calls[:-1]) / 2
        self._calls = hits.calls
        self._lost, self._moment = np.cumsum(lost), np.cumsum(lost * middle)
        self._rest = float(1.0 - hits.weights.sum()) * float(hits.lost[-1])

    def misses(self, calls: Floats, evicted: float) -> Floats:
        """Misses beyond the first of each line, expected in bursts of that many calls."""
        line = self._line
        uses = line.rate * line.chance
        lost = np.interp(calls, self._calls, self._lost)
        moment = np.interp(calls, self._calls, self._moment)
        cold = uses * (calls * lost - moment)
        warm = uses * calls * (self._lost[-1] + self._rest)
        return np.asarray(self._many * (evicted * cold + (1.0 - evicted) * warm))


def _hits(
    line: Line,
    others: Lines,
    ways: int,
    streams: float,
    replacement: Replacement,
) -> _Hits:
    calls, weights = _gaps(line)
    if replacement == "lru":
        gone = overfull(others, ways, streams, calls, from_end=line.ends)
        lost = gone if line.at_once else np.concatenate([[0.0], (gone[1:] + gone[:-1]) / 2])
        return _Hits(calls, weights, lost)
    stays = _product_form(line, others, ways, streams)
    since = np.cumsum(weights)
    kept = np.diff(np.minimum(since, stays), prepend=0.0)
    lost = 1.0 - np.divide(kept, weights, out=np.zeros_like(kept), where=weights > 0)
    return _Hits(calls, weights, lost)


def _gaps(line: Line) -> tuple[Floats, Floats]:
    """Times since the last use, and the chance of each stretch between them."""
    if line.at_once:
        enough = 1 if line.chance >= 1 else int(30 / -np.log1p(-line.chance)) + 1
        number = np.arange(min(enough, _LONGEST) + 1, dtype=np.float64)
        chances = line.chance * (1.0 - line.chance) ** np.maximum(number - 1, 0)
        chances[0] = 0.0
        return number / line.rate, chances
    calls = np.concatenate([[0.0], np.geomspace(1e-3, 40.0, _POINTS) / line.rate])
    return calls, -np.diff(np.exp(-line.rate * calls), prepend=1.0)


def overfull(
    others: Lines, ways: int, streams: float, calls: Floats, *, from_end: bool = False
) -> Floats:
    """The chance that `ways` or more other lines are used within each stretch of calls.

    `from_end`: stretches go from the end of a call to the end of another; else they begin at any
    time, so that of u calls the end falls in floor(u) times, and once more with the chance of the
    rest.
    """
    whole = np.floor(calls)
    gone = _overfull(others, ways, streams, calls, whole)
    if from_end:
        return gone
    part = calls - whole
    return (1.0 - part) * gone + part * _overfull(others, ways, streams, calls, whole + 1.0)


def _overfull(others: Lines, ways: int, streams: float, calls: Floats, ended: Floats) -> Floats:
    fewer = np.zeros((ways, calls.size))
    fewer[0] = 1.0
    for line, many in others:
        present = line.present(calls, ended)
        for _ in range(many):
            fewer[1:] = fewer[1:] * (1.0 - present) + fewer[:-1] * present
            fewer[0] *= 1.0 - present
    if streams == 0:
        return np.asarray(1.0 - fewer.sum(axis=0))
    term = np.exp(-streams * ended)
    room, total = term.copy(), np.zeros_like(calls)
    for new in range(ways):  # `room`: at most `new` lines of streams
        total += fewer[ways - 1 - new] * room
        term = term * streams * ended / (new + 1)
        room += term
    return np.asarray(1.0 - total)


def _product_form(line: Line, others: Lines, ways: int, streams: float) -> float:
    """The chance that the line is in its set in the long run."""
    sums = np.zeros(ways + 1)
    sums[0] = 1.0
    scale = line.rate * line.chance
    for other, many in others:
        rate = other.rate * other.chance / scale
        for _ in range(many):
            sums[1:] = sums[1:] + rate * sums[:-1]
            sums /= sums.max()
    if streams:
        ratio = streams / scale / np.arange(1, ways + 1)
        new = np.concatenate([[1.0], np.cumprod(ratio)])
        sums = np.convolve(sums, new / new.max())[: ways + 1]
    return float(sums[ways - 1] / (sums[ways] + sums[ways - 1])) if sums.any() else 1.0

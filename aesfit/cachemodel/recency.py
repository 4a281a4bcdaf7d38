# SPDX-License-Identifier: MIT
"""Misses of lines that compete for one set under least recently used replacement (LRU).

Derived, if uses of different lines are independent: a use hits exactly when fewer than `ways` other
lines were used since the line's last use, so the chance of a hit is that of a sum of independent
indicators (the Poisson-binomial distribution), averaged over the time since the last use.  This
also holds from an empty cache, if the last use was within the burst.  Tables read in the last
round, and streams, are used at the end of each call.  Approximated: the time of table reads within
a call is continuous; streams come as a Poisson number of new lines at each end of a call; which
moments of other lines a stretch holds is independent of which end of the call it holds.

`evicted` e: each line that the last burst left is present with probability 1 - e, and the last
burst is assumed to be long.  Approximated: lines of other programs do not shorten the life of ours.
"""

from collections.abc import Sequence

import numpy as np

from .equations import Floats
from .layout import Crowd, LineUse

Lines = Sequence[tuple[LineUse, int]]
"""Kinds of lines, with the number of each."""

_POINTS = 120
_ROOM = 30.0
"""exp(-30) counts as never."""


class Conflict:
    """Misses of the lines of one kind in a burst, beyond the first miss of each."""

    def __init__(self, line: LineUse, many: int, others: Lines, ways: int, streams: float) -> None:
        """`many` lines are of this kind, each beside `others`; `streams`: new lines per call."""
        self._many, self._line = many, line
        if line.gaps:
            gaps = np.array(line.gaps)
            ended = np.zeros_like(gaps)
            ended[-1] = 1.0
            lost = overfull(others, ways, streams, gaps, ended)
            self._each, self._last = float(lost.sum()), float(lost[-1])
            return
        calls, lost = _times(line, others, ways, streams)
        if line.chance:
            weights = line.chance * (1.0 - line.chance) ** np.maximum(calls - 1.0, 0.0)
            weights[0] = 0.0
            middle = calls
            self._uses = line.chance
        else:
            weights = -np.diff(np.exp(-line.rate * calls), prepend=1.0)
            middle = np.concatenate([[0.0], (calls[1:] + calls[:-1]) / 2])
            lost = np.concatenate([[0.0], (lost[1:] + lost[:-1]) / 2])
            self._uses = line.rate
        self._calls = calls
        self._lost, self._moment = np.cumsum(weights * lost), np.cumsum(weights * lost * middle)

    @property
    def share_lost(self) -> float:
        """The steady-state chance that the line is absent when a table is read."""
        return float(self._lost[-1])

    def misses(self, calls: Floats, evicted: float) -> Floats:
        """Expected misses in bursts of so many calls."""
        if self._line.gaps:
            first = np.minimum(calls, 1.0) * evicted * self._last
            return np.asarray(self._many * (calls * self._each - first))
        lost = np.interp(calls, self._calls, self._lost)
        moment = np.interp(calls, self._calls, self._moment)
        cold = calls * lost - moment
        warm = calls * self._lost[-1]
        return np.asarray(self._many * self._uses * (evicted * cold + (1.0 - evicted) * warm))


def lost_at_end(crowd: Crowd, line: LineUse, ways: int, streams: float, calls: int) -> float:
    """The chance that a line of tables is not in its set at the end of a burst of so many calls."""
    others = _others(crowd, line)
    if line.rate:
        return Conflict(line, 1, others, ways, streams).share_lost
    length = np.array([float(calls)])
    return float(overfull(others, ways, streams, length, length)[0])


def _others(crowd: Crowd, line: LineUse) -> Lines:
    return [(other, count - (other is line)) for other, count in crowd.lines]


def conflicts(crowd: Crowd, ways: int, streams: float) -> tuple[Conflict, ...]:
    """Misses of each kind of line in a set; empty if all lines always fit."""
    if crowd.size <= ways and streams == 0:
        return ()
    return tuple(
        Conflict(line, many, _others(crowd, line), ways, streams)
        for line, many in crowd.lines
        if line.rate
    )


def _times(line: LineUse, others: Lines, ways: int, streams: float) -> tuple[Floats, Floats]:
    """Times since the last use, and the chance that the line was evicted since."""
    if line.chance:
        longest = 1.0 if line.chance >= 1.0 else -_ROOM / np.log1p(-line.chance)
        calls = np.arange(int(longest) + 2, dtype=np.float64)
        return calls, overfull(others, ways, streams, calls, calls)
    calls = np.concatenate([[0.0], np.geomspace(1e-3, _ROOM, _POINTS) / line.rate])
    whole = np.floor(calls)
    part = calls - whole
    inside = overfull(others, ways, streams, calls, whole)
    across = overfull(others, ways, streams, calls, whole + 1.0)
    return calls, (1.0 - part) * inside + part * across


def overfull(others: Lines, ways: int, streams: float, calls: Floats, ended: Floats) -> Floats:
    """The chance that `ways` or more other lines are used within so many calls.

    `ended`: calls that end in each stretch.
    """
    most = min(ways - 1, sum(many for _, many in others))
    exactly = np.zeros((most + 1, calls.size))  # numbers of other lines below ways
    exactly[0] = 1.0
    for line, many in others:
        present = line.present(calls, ended)
        for _ in range(many):
            exactly[1:] = exactly[1:] * (1.0 - present) + exactly[:-1] * present
            exactly[0] *= 1.0 - present
    if streams == 0:
        return np.asarray(1.0 - exactly.sum(axis=0))
    term = np.exp(-streams * ended)
    room, total = term.copy(), np.zeros_like(calls)
    for new in range(ways):  # `room`: at most `new` lines of streams
        if ways - 1 - new <= most:
            total += exactly[ways - 1 - new] * room
        term = term * streams * ended / (new + 1)
        room += term
    return np.asarray(1.0 - total)

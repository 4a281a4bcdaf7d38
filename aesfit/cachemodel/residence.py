# SPDX-License-Identifier: MIT
"""Misses of lines that compete for one set under FIFO and random replacement.

In the steady state (derived, for independent references) the contents of a set have a product form:
each is as likely as the product of the rates of its lines, for FIFO (King 1971) and random
replacement (Gelenbe 1973) alike.  Elementary symmetric polynomials give the sums.

The transient uses a mean-field approximation: a line used at the rate r is present with a
probability x that follows dx/dt = r (1 - x) - s x M / ways, where M is the rate at which the other
lines of its set miss, and s is chosen so that x tends to the product form.  FIFO first evicts the
lines of other programs, so none of ours is evicted before as many lines entered a set as others
held there; random replacement evicts ours from the start.  Lines used at fixed moments and lines
used at the end of the call count as if used at random ones.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..caches.cache import Replacement
from .equations import Floats
from .layout import Crowd, LineUse

_STEPS = 100
_FROM, _TO = 0.02, 1e5
"""First step and length of the longest integrated burst, in calls."""


@dataclass(frozen=True)
class _CompetingLines:
    """All kinds of lines of all sets, as arrays over crowds and kinds."""

    many: Floats
    rate: Floats
    kept: Floats
    slow: Floats
    """s: the steady-state eviction rate of lines relative to M / ways."""


def _rate(line: LineUse) -> float:
    """Rate of independent uses that are as rare after a random moment as the line's."""
    return 1.0 / sum(gap * gap for gap in line.gaps) if line.gaps else line.rate


def _lines(together: tuple[Crowd, ...], ways: int, streams: float) -> _CompetingLines:
    widest = max(len(crowd.lines) for crowd in together)
    shape = len(together), widest
    many, rate, kept, slow = np.zeros(shape), np.zeros(shape), np.ones(shape), np.ones(shape)
    for place, crowd in enumerate(together):
        slow[place, : len(crowd.lines)] = _slowness(crowd, ways, streams)
        for kind, (line, count) in enumerate(crowd.lines):
            many[place, kind], rate[place, kind] = count, _rate(line)
            kept[place, kind] = line.setup_kept
    return _CompetingLines(many, rate, kept, slow)


@lru_cache(maxsize=8192)
def _slowness(crowd: Crowd, ways: int, streams: float) -> tuple[float, ...]:
    """Slow-down factor s of each kind of line; 1 if the kind is never evicted."""
    rates = [_rate(line) for line, _ in crowd.lines]
    stays = [
        _product_form(crowd, index, rates, ways, streams) if rate else 0.0
        for index, rate in enumerate(rates)
    ]
    missing = streams + sum(
        many * rate * (1.0 - stay)
        for (_, many), rate, stay in zip(crowd.lines, rates, stays, strict=True)
    )
    found = []
    for rate, stay in zip(rates, stays, strict=True):
        others = missing - rate * (1.0 - stay)
        found.append(rate * (1.0 - stay) / stay * ways / others if stay and others > 1e-12 else 1.0)
    return tuple(found)


def _product_form(crowd: Crowd, index: int, rates: list[float], ways: int, streams: float) -> float:
    """The steady-state chance that a line of one kind is in its set."""
    sums = np.zeros(ways + 1)  # of products of the relative rates of 0 .. ways other lines
    sums[0] = 1.0
    for place, (_, many) in enumerate(crowd.lines):
        for _ in range(many - (place == index)):
            sums[1:] = sums[1:] + rates[place] / rates[index] * sums[:-1]
            sums /= sums.max()
    if streams:
        new = np.cumprod([1.0, *(streams / rates[index] / np.arange(1, ways + 1))])
        sums = np.convolve(sums, new)[: ways + 1]
    whole = sums[ways] + sums[ways - 1]
    return float(sums[ways - 1] / whole) if whole else 1.0


@lru_cache(maxsize=512)
def _followed(
    together: tuple[Crowd, ...],
    ways: int,
    streams: float,
    replacement: Replacement,
    evicted: float,
) -> tuple[Floats, Floats]:
    """Times, and misses beyond the first of each line in bursts that long."""
    lines = _lines(together, ways, streams)
    sets = np.array([crowd.sets for crowd in together], dtype=np.float64)
    times = np.concatenate([[0.0], np.geomspace(_FROM, _TO, _STEPS)])
    steps = np.diff(times)
    there = np.ones_like(lines.rate)
    if evicted < 1.0:  # the steady state, from a full set
        for step in steps:
            there = _step(lines, there, step, ways, streams, np.ones(len(sets)))[0]
    there = 1.0 - lines.kept * (1.0 - (1.0 - evicted) * there)
    room = np.full(len(sets), evicted * ways if replacement == "fifo" else 0.0)
    entered = evicted * (lines.many * (1.0 - lines.kept)).sum(axis=1)
    missed = np.zeros(len(sets))
    found = [missed]
    for step in steps:
        full = (entered >= room).astype(np.float64)
        there, lost = _step(lines, there, step, ways, streams, full)
        missed = missed + lost
        entered = entered + lost + streams * step
        found.append(missed)
    first = lines.many * lines.kept * -np.expm1(-lines.rate * times[:, np.newaxis, np.newaxis])
    return times, (np.array(found) - evicted * first.sum(axis=2)) @ sets


def _step(
    lines: _CompetingLines, there: Floats, step: float, ways: int, streams: float, full: Floats
) -> tuple[Floats, Floats]:
    """Presence after a step, and misses within it, at the rate in its middle."""
    guess, _ = _relax(lines, there, step, ways, streams, full, there)
    return _relax(lines, there, step, ways, streams, full, (there + guess) / 2)


def _relax(
    lines: _CompetingLines,
    there: Floats,
    step: float,
    ways: int,
    streams: float,
    full: Floats,
    middle: Floats,
) -> tuple[Floats, Floats]:
    own = lines.rate * (1.0 - middle)
    missing = (lines.many * own).sum(axis=1) + streams
    others = np.maximum(missing[:, np.newaxis] - own, 0.0)
    leave = lines.slow * full[:, np.newaxis] * others / ways
    both = lines.rate + leave
    safe = np.where(both > 0, both, 1.0)
    rest = np.where(both > 0, lines.rate / safe, there)
    decay = np.exp(-both * step)
    after = rest + (there - rest) * decay
    gone = (1.0 - rest) * step - (there - rest) * (1.0 - decay) / safe
    return after, (lines.many * lines.rate * gone).sum(axis=1)


def misses(
    together: tuple[Crowd, ...],
    ways: int,
    streams: float,
    replacement: Replacement,
    calls: Floats,
    evicted: float,
) -> Floats:
    """Expected misses of all lines beyond the first of each, in bursts of so many calls."""
    if not together:
        return np.zeros_like(calls)
    times, found = _followed(together, ways, streams, replacement, evicted)
    return np.asarray(np.interp(calls, times, found))

# SPDX-License-Identifier: MIT
"""How many timings a collision attack needs, predicted by the cache model alone.

Look-ups of a table fall on its lines with equal probability and independently, as everywhere in the
model.  Two look-ups of the same line save a miss if the line was absent and no other look-up of the
call reads it; all other misses are noise.  So the right guess for a pair of positions scores

    z = d sqrt(n c (1 - c)) / s

standard errors over n timings, with c = 1/k the chance to meet in a table of k lines, d the misses
saved, and s the standard deviation of a call's misses.  Random replacement adds lines that a call
loses and reads again: a mean-field sum, taken as Poisson.

The attack succeeds for half of all keys if two conditions hold: the right guess scores above every
other at the end (union bound), and a beam search of limited width keeps it on the way.
docs/leaks.md derives both.
"""

from dataclasses import dataclass
from math import comb, erfc, inf, log, log2, sqrt

from ..caches.cache import Cache
from .question import Lookup, Version

_STEPS = 64
"""Steps of a call, in the sum over lost lines."""


@dataclass(frozen=True)
class PairGuesses:
    """The guesses among which a collision attack decides."""

    tables: tuple[str, ...]
    """The table of each group of positions."""
    positions: int
    """Positions in each group."""
    values: int
    """Number of guesses for one position."""
    fixed: bool
    """One position of a group is taken as 0, because only differences can be found."""
    kept: tuple[int, ...]
    """Beam width of the search after 2, 3 ... positions."""


def timings_needed(version: Version, cache: Cache, evicted: float, guesses: PairGuesses) -> float:
    """Timings after which half of all keys are found; infinite if collisions save no misses."""
    tables = {one.table: one for one in version.lookups}
    noise = sum(_variance(one, cache.line, evicted) for one in version.lookups)
    noise += _lost(version, cache, evicted) + _fixed(version, cache.line, evicted)
    lookup = tables[guesses.tables[0]]
    lines, saved = _lines(lookup, cache.line), misses_saved(lookup, cache.line, evicted)
    if lines < 2 or not saved:
        return inf
    chance = 1 / lines
    return noise * (score_needed(guesses) / saved) ** 2 / (chance * (1 - chance))


def misses_saved(lookup: Lookup, line: int, evicted: float) -> float:
    """Expected misses that a call saves if two given look-ups touch the same line."""
    unused: float = (1 - 1 / _lines(lookup, line)) ** (lookup.reads - 2)
    return absent(lookup, line, evicted) * unused


def absent(lookup: Lookup, line: int, evicted: float) -> float:
    """Steady-state fraction of a table's lines that are absent before a call.

    A line is there if it was there or was used in the last call, and was not evicted since.
    """
    unused = (1 - 1 / _lines(lookup, line)) ** lookup.reads
    used, stays = 1 - unused, 1 - evicted
    return 1 - stays * used / (1 - stays * unused)


def score_needed(guesses: PairGuesses) -> float:
    """The z at which half of all keys are found."""
    low, high = 0.0, 64.0
    for _ in range(60):
        middle = (low + high) / 2
        enough = _wrong(guesses, middle) <= log(2) and _kept(guesses, middle)
        low, high = (low, middle) if enough else (middle, high)
    return high


def _lines(lookup: Lookup, line: int) -> int:
    return -(-lookup.size // line)


def _variance(lookup: Lookup, line: int, evicted: float) -> float:
    """Mean and variance of a call's misses in one table: absent lines that are read."""
    k, away = _lines(lookup, line), absent(lookup, line, evicted)
    one, two = (1 - 1 / k) ** lookup.reads, max(0.0, 1 - 2 / k) ** lookup.reads
    mean = k * away * (1 - one)
    return mean + k * (k - 1) * away**2 * (1 - 2 * one + two) - mean**2


def _fixed(version: Version, line: int, evicted: float) -> float:
    """Mean and variance of a call's misses in keys and stack, whose lines every call uses."""
    return -(-version.fixed_bytes // line) * evicted * (1 - evicted)


def _lost(version: Version, cache: Cache, evicted: float) -> float:
    """Misses of lines that random replacement evicted during the call; 0 for other policies."""
    if cache.replacement != "random":
        return 0.0
    size, tables = cache.line, version.lookups
    held = [_lines(one, size) * (1 - absent(one, size, evicted)) for one in tables]
    again = 0.0
    for moment in range(_STEPS):
        fills = [_fills(one, size, held[at], moment) for at, one in enumerate(tables)]
        for at, one in enumerate(tables):
            gone = held[at] * sum(fills) * size / cache.size
            unread = (1 - 1 / _lines(one, size)) ** (one.reads * (1 - moment / _STEPS))
            again += gone * (1 - unread)
            held[at] += fills[at] - gone
    return again


def _fills(lookup: Lookup, line: int, held: float, moment: int) -> float:
    """Lines of a table filled in one step of a call; the last round's come in the last step."""
    if lookup.at_once and moment < _STEPS - 1:
        return 0.0
    reads = lookup.reads if lookup.at_once else lookup.reads / _STEPS
    k = _lines(lookup, line)
    return (k - held) * (1 - (1 - 1 / k) ** reads)


def _tail(z: float) -> float:
    """Probability that a standard normal variable exceeds z."""
    return erfc(z / sqrt(2)) / 2


def _wrong(guesses: PairGuesses, z: float) -> float:
    """Expected guesses, wrong in 1, 2 ... positions of a group, that score more than the right one.

    Such a guess misses z for each pair with a wrong position, and both scores vary by 1 a pair.
    """
    size, free = guesses.positions, guesses.positions - guesses.fixed
    found = 0.0
    for wrong in range(1, free + 1):
        pairs = comb(size, 2) - comb(size - wrong, 2)
        others = comb(free, wrong) * float(guesses.values - 1) ** wrong
        found += others * _tail(z * sqrt(pairs / 2))
    return len(guesses.tables) * found


def _kept(guesses: PairGuesses, z: float) -> bool:
    """Whether fewer guesses than the search keeps score above the right one, at each length."""
    for size, kept in enumerate(guesses.kept, 2):
        above = _tail(z * sqrt(comb(size, 2)))
        free = size - guesses.fixed
        if above and free * log2(guesses.values) + log2(above) > log2(kept):
            return False
    return True

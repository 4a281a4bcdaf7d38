# SPDX-License-Identifier: MIT
"""The lines that share each set of the cache, and when each is used.

Derived: a line's set is its address divided by the line's size, modulo the number of sets, and a
line that holds part of a table gets that part of its reads.  Assumed if addresses are unknown:
tables follow each other in the order of the version, each beginning on a new line, then the fixed
data, used once per call.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ..caches.cache import Cache, sets_of
from .equations import Floats
from .question import Lookup, Region, Version

_MOST = 64
"""Number of uses of a line in one call that are distinguished."""


@dataclass(frozen=True, order=True)
class LineUse:
    """How a line is used in each call, in one of three ways.

    Tables are used at any time with a `rate`, tables of the last round at the end of the call with
    a `chance`, and keys and stack always at the same moments, with `gaps` between.
    """

    rate: float
    """Uses per call.  At any time: -a ln(1 - w), so that exp(-rate u) = (1 - w)^(a u) for a reads
    per call of which each falls on the line with probability w."""
    chance: float = 0.0
    """Probability of a use at the end of the call; 0 for the other ways."""
    gaps: tuple[float, ...] = ()
    """Fractions of a call between uses, with sum 1; the last one holds the end of the call."""
    setup_kept: float = 1.0
    """The chance that key set-up did not use the line."""

    def present(self, calls: Floats, ended: Floats) -> Floats:
        """The chance of a use within a stretch of that many calls in which so many calls end."""
        if self.gaps:
            found = np.zeros_like(calls)
            for gap, many in Counter(self.gaps).items():
                found += many * np.minimum(gap, calls)
            return found
        if self.chance:
            return np.asarray(1.0 - (1.0 - self.chance) ** ended)
        return np.asarray(-np.expm1(-self.rate * calls))

    def unused(self, calls: Floats) -> Floats:
        """The chance that neither key set-up nor that many calls used it."""
        if self.gaps:
            return np.where(calls > 0, 0.0, self.setup_kept)
        if self.chance:
            return np.asarray(self.setup_kept * (1.0 - self.chance) ** calls)
        return np.asarray(self.setup_kept * np.exp(-self.rate * calls))


@dataclass(frozen=True)
class WeighedLookup(Lookup):
    """A table whose lines get counted shares of the reads."""

    line: int = 0
    """Bytes of a cache line."""
    shares: tuple[float, ...] = ()
    """For each line from the first: the chance that a read touches it.  The sum is above 1 if
    entries span two lines."""

    def uses(self, line: int) -> list[tuple[int, LineUse]]:
        """Line numbers that reads touch, each with its use; ValueError for another line size."""
        if self.line != line or self.address is None:
            raise ValueError(
                f"the shares of {self.table} are of lines of {self.line} bytes, not {line}"
            )
        numbered = enumerate(self.shares, self.address // line)
        return [(at, _table_line(self, share, 0)) for at, share in numbered if share]


@dataclass(frozen=True)
class Crowd:
    """Lines that compete for one set, as numbers of each kind."""

    lines: tuple[tuple[LineUse, int], ...]
    sets: int
    """Number of sets like this one."""

    @property
    def size(self) -> int:
        """Number of competing lines, without streams."""
        return sum(many for _, many in self.lines)


def _spans(address: int, size: int, line: int) -> list[tuple[int, int]]:
    """Line numbers of a range of bytes, with the bytes in each."""
    first, last = address // line, (address + size - 1) // line
    return [
        (number, min(address + size, (number + 1) * line) - max(address, number * line))
        for number in range(first, last + 1)
    ]


def _even(times: float) -> tuple[float, ...]:
    many = max(1, min(_MOST, round(times)))
    return (1.0 / many,) * many


def lines_of(lookup: Lookup, line: int) -> int:
    """Lines of a table; if its address is unknown, it is taken to begin on a new line."""
    return len(lookup.shares) if isinstance(lookup, WeighedLookup) else -(-lookup.size // line)


def lines_in(lookups: Sequence[Lookup], line: int) -> int:
    """Lines of tables; a line shared by two weighed tables counts once."""
    weighed = [one for one in lookups if isinstance(one, WeighedLookup)]
    others = sum(lines_of(one, line) for one in lookups if one not in weighed)
    return others + len(_weighed_lines(weighed, line))


def _table_line(lookup: Lookup, share: float, setup_reads: int) -> LineUse:
    kept = 0.0**setup_reads if share >= 1.0 else float((1.0 - share) ** setup_reads)
    if not lookup.reads:
        return LineUse(0.0, setup_kept=kept)
    if share >= 1.0:
        gaps = (1.0,) if lookup.at_once else _even(lookup.reads)
        return LineUse(float(len(gaps)), gaps=gaps, setup_kept=kept)
    rate = float(-lookup.reads * np.log1p(-share))
    chance = 1.0 - (1.0 - share) ** lookup.reads if lookup.at_once else 0.0
    return LineUse(rate, chance, setup_kept=kept)


def _placed(version: Version, line: int) -> tuple[list[tuple[Lookup, int, int]], list[Region]]:
    """Tables with their addresses and reads by key set-up; fixed regions."""
    setup = {lookup.table: lookup.reads for lookup in version.setup}
    named = {lookup.table for lookup in version.lookups}
    idle = [
        Lookup(one.table, one.size, 0, one.address)
        for one in version.setup
        if one.table not in named
    ]
    free, tables = 0, []
    for lookup in (*version.lookups, *idle):
        address = free if lookup.address is None else lookup.address
        if lookup.address is None:
            free += -(-lookup.size // line) * line
        tables.append((lookup, address, setup.get(lookup.table, 0)))
    if version.fixed or not version.fixed_bytes:
        return tables, list(version.fixed)
    return tables, [Region(free, version.fixed_bytes)]


def _fixed_lines(regions: list[Region], line: int, *, set_up: bool) -> dict[int, LineUse]:
    """Lines of fixed data; a line shared by several regions is used when any of them is."""
    moments: dict[int, set[float]] = defaultdict(set)
    evenly: dict[int, float] = defaultdict(float)
    for region in regions:
        for number, _ in _spans(region.address, region.size, line) if region.size else []:
            moments[number].update(region.moments)
            evenly[number] += 0.0 if region.moments else region.touches
    found = {}
    for number, when in moments.items():
        times = sorted(when)
        gaps: tuple[float, ...] = ()
        if times:
            inner = [after - before for before, after in pairwise(times)]
            gaps = (*inner, 1.0 - sum(inner))
        elif evenly[number]:
            gaps = _even(evenly[number])
        kept = 0.0 if set_up or not gaps else 1.0
        found[number] = LineUse(float(len(gaps)), gaps=gaps, setup_kept=kept)
    return found


def _weighed_lines(tables: Sequence[WeighedLookup], line: int) -> dict[int, LineUse]:
    """Lines of weighed tables; a line shared by two of them is used when either is."""
    found: dict[int, LineUse] = {}
    for number, one in (use for table in tables for use in table.uses(line)):
        other = found.get(number)
        if other is None or one.gaps:
            found[number] = one
        elif not other.gaps:
            found[number] = LineUse(one.rate + other.rate)
    return found


@lru_cache(maxsize=512)
def crowds(version: Version, cache: Cache) -> tuple[Crowd, ...]:
    """The sets of a cache by the lines that compete for them, without unused sets."""
    line, sets = cache.line, sets_of(cache)
    at: dict[int, Counter[LineUse]] = defaultdict(Counter)
    tables, regions = _placed(version, line)
    if not cache.write_allocate:
        regions = [region for region in regions if not region.stored]
    set_up = bool(version.setup) and cache.write_allocate  # set-up stores the keys
    fixed = _fixed_lines(regions, line, set_up=set_up)
    weighed = [lookup for lookup, _, _ in tables if isinstance(lookup, WeighedLookup)]
    for number, one in (_weighed_lines(weighed, line) | fixed).items():
        at[number % sets][one] += 1
    for lookup, address, setup_reads in tables:
        if isinstance(lookup, WeighedLookup):
            continue
        for number, count in _spans(address, lookup.size, line):
            at[number % sets][_table_line(lookup, count / lookup.size, setup_reads)] += 1
    alike = Counter(tuple(sorted(lines.items())) for lines in at.values())
    return tuple(Crowd(lines, many) for lines, many in alike.items())

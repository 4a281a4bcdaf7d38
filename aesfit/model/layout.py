# SPDX-License-Identifier: MIT
"""Which lines share a set of the cache.

Derived: a line's set is its address divided by the line's size, modulo the number of sets, and a
line that holds part of a table gets that part of its reads.  Assumed where addresses are not known:
tables lie one after the other in the order of the version, each on a line of its own, and the fixed
data behind them.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .equations import Floats
from .question import Cache, Lookup, Region, Version


@dataclass(frozen=True, order=True)
class Line:
    """How one line of the cache's size is used; lines alike are told apart by nothing else."""

    at_once: bool
    """Used in one moment of each period, with probability `chance`; else at any time."""
    rate: float
    """Uses per call: of a line used at any time -a ln(1 - w), so that exp(-rate u) = (1 - w)^(a u)
    for a reads per call of which each falls on the line with probability w; of a line used at once
    the periods per call."""
    chance: float = 1.0
    """Of a use in one period; 1 for a line used at any time."""
    setup_kept: float = 1.0
    """The chance that key set-up passed it by."""
    ends: bool = False
    """Its moment is the end of the call, where the last round and the streams are."""

    def present(self, calls: Floats, ended: Floats) -> Floats:
        """The chance of a use within a stretch of that many calls in which so many calls end."""
        if not self.at_once:
            return np.asarray(-np.expm1(-self.rate * calls))
        if not self.ends:
            return np.minimum(1.0, self.rate * calls)
        return np.asarray(1.0 - (1.0 - self.chance) ** ended)

    def unused(self, calls: Floats) -> Floats:
        """The chance of no use in that many calls, of which the first is whole, after set-up."""
        if not self.at_once:
            return self.setup_kept * np.exp(-self.rate * calls)
        if self.chance >= 1.0:
            return np.where(calls > 0, 0.0, self.setup_kept)
        return self.setup_kept * np.exp(self.rate * calls * np.log1p(-self.chance))


@dataclass(frozen=True)
class Crowd:
    """Lines that compete for one set, with how many of each kind."""

    lines: tuple[tuple[Line, int], ...]
    sets: int
    """How many sets look like this one."""

    @property
    def size(self) -> int:
        """Lines that compete, streams left out."""
        return sum(many for _, many in self.lines)


def _spans(address: int, size: int, line: int) -> list[tuple[int, int]]:
    """Line numbers of a stretch of bytes, each with its bytes in it."""
    first, last = address // line, (address + size - 1) // line
    return [
        (number, min(address + size, (number + 1) * line) - max(address, number * line))
        for number in range(first, last + 1)
    ]


def _table_line(lookup: Lookup, share: float, setup_reads: int) -> Line:
    certain = share >= 1.0
    setup_kept = 0.0**setup_reads if certain else float((1.0 - share) ** setup_reads)
    if not lookup.reads:
        return Line(False, 0.0, 1.0, setup_kept)
    if certain:
        periods = 1.0 if lookup.at_once else float(lookup.reads)
        return Line(True, periods, 1.0, setup_kept, lookup.at_once)
    if lookup.at_once:
        return Line(True, 1.0, 1.0 - (1.0 - share) ** lookup.reads, setup_kept, ends=True)
    return Line(False, float(-lookup.reads * np.log1p(-share)), 1.0, setup_kept)


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


@lru_cache(maxsize=512)
def crowds(version: Version, line: int, sets: int) -> tuple[Crowd, ...]:
    """The sets of a cache by what competes for them; sets that are not used are left out."""
    at: dict[int, Counter[Line]] = defaultdict(Counter)
    tables, regions = _placed(version, line)
    shared: dict[int, Line] = {}
    for region in regions:
        for number, _ in _spans(region.address, region.size, line) if region.size else []:
            rate = region.touches + (shared[number].rate if number in shared else 0.0)
            shared[number] = Line(True, rate, 1.0, 0.0 if version.setup else 1.0)
    for number, one in shared.items():
        at[number % sets][one] += 1
    for lookup, address, setup_reads in tables:
        for number, count in _spans(address, lookup.size, line):
            at[number % sets][_table_line(lookup, count / lookup.size, setup_reads)] += 1
    alike = Counter(tuple(sorted(lines.items())) for lines in at.values())
    return tuple(Crowd(lines, many) for lines, many in alike.items())


def sets_of(cache: Cache) -> int:
    """Sets of a cache; ValueError in one sentence where its geometry makes no sense."""
    if cache.line < 1 or cache.line & (cache.line - 1):
        raise ValueError(f"a line of {cache.line} bytes is no power of two")
    if cache.ways < 1:
        raise ValueError(f"a cache has at least 1 way, not {cache.ways}")
    if cache.size < cache.line * cache.ways:
        raise ValueError(
            f"a cache of {cache.size} bytes is smaller than one set of {cache.ways} lines of "
            f"{cache.line} bytes"
        )
    if cache.size % (cache.line * cache.ways):
        raise ValueError(
            f"{cache.ways} ways of lines of {cache.line} bytes do not divide {cache.size} bytes"
        )
    if cache.sets & (cache.sets - 1):
        raise ValueError(f"a cache of {cache.sets} sets cannot be indexed by address bits")
    return cache.sets

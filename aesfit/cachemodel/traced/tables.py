# SPDX-License-Identifier: MIT
"""Finds tables in a data trace: the memory read by loads whose address depends on the input.

The n-th execution of an instruction is one load, compared over all calls.  Loads of overlapping
bytes read one table; adjacent tables stay separate.  Loads that reach the same entry in every call
read the words of one entry, and count as one read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .names import Names
from .sampling import DataAccesses, Integers, SampledCall, instruction

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Reads:
    """Reads of one table by one call in order; arrays of one length."""

    first: Integers
    """Address of the first byte."""
    last: Integers
    site: Integers
    """Site of the first load."""

    @property
    def number(self) -> int:
        """Number of reads."""
        return len(self.first)


@dataclass(frozen=True)
class TracedTable:
    """The memory that some loads reach."""

    start: int
    size: int
    """Size in bytes, up to the last one read."""
    reads: tuple[Reads, ...]
    """Reads by call."""

    @property
    def mean_reads(self) -> float:
        """Mean reads per call."""
        return float(np.mean([one.number for one in self.reads]))


@dataclass(frozen=True)
class _Columns:
    """Loads of all calls; the same load of each call forms a column."""

    call: Integers
    site: Integers
    address: Integers
    size: Integers
    place: Integers
    column: Integers
    looked_up: Mask
    """The address varies with the input."""
    steady: Mask
    """Each call executes the instruction equally often."""

    def only(self, some: Mask | Integers) -> "_Columns":
        """Some of them, by mask or number."""
        parts = {name: getattr(self, name)[some] for name in self.__dataclass_fields__}
        return _Columns(**parts)


def tables(calls: Sequence[SampledCall], names: Names) -> tuple[TracedTable, ...]:
    """All tables by address; RuntimeError if one is written during a call."""
    seen = _columns([one.loads for one in calls])
    seen = seen.only(seen.looked_up)
    found = []
    for start, end in _spans(seen):
        inside = seen.only((seen.address >= start) & (seen.address < end))
        _refuse_written(calls, start, end, names)
        found.append(TracedTable(start, end - start, _reads(inside, len(calls), start)))
    return tuple(found)


def _columns(loads: Sequence[DataAccesses]) -> _Columns:
    call = np.repeat(np.arange(len(loads)), [len(one.site) for one in loads])
    joined = {
        name: np.concatenate([getattr(one, name) for one in loads])
        for name in ("site", "address", "size", "place")
    }
    sites, number = np.unique(joined["site"], return_inverse=True)
    executed = np.zeros((len(sites), len(loads)), np.int64)
    np.add.at(executed, (number, call), 1)
    column = _numbered(number, call, int(executed.max(initial=0)))
    steady = (executed == executed[:, :1]).all(axis=1)[number]
    varies = _varies(column, joined["address"])
    by_site = np.zeros(len(sites), bool)
    np.logical_or.at(by_site, number, varies)
    looked_up = np.where(steady, varies, by_site[number])
    return _Columns(call=call, column=column, looked_up=looked_up, steady=steady, **joined)


def _numbered(site: Integers, call: Integers, most: int) -> Integers:
    """The column of each load: its site, and how often the call executed that site before."""
    order = np.lexsort((np.arange(len(site)), site, call))
    pairs = np.stack((call[order], site[order]))
    fresh = np.ones(len(site), bool)
    fresh[1:] = (np.diff(pairs, axis=1) != 0).any(axis=0)
    at = np.arange(len(site))
    rank = np.empty_like(at)
    rank[order] = at - np.maximum.accumulate(np.where(fresh, at, 0))
    return site * max(1, most) + rank


def _varies(column: Integers, address: Integers) -> Mask:
    """For each load, whether its column's address differs between calls."""
    _, first, number = np.unique(column, return_index=True, return_inverse=True)
    found = np.zeros(len(first), bool)
    np.logical_or.at(found, number, address != address[first][number])
    return found[number]


def _spans(seen: _Columns) -> list[tuple[int, int]]:
    """Start and end of the memory that columns reach; overlapping ranges are merged.

    An instruction that some calls execute more often than others is one column.
    """
    _, owner = np.unique(np.where(seen.steady, seen.column, -1 - seen.site), return_inverse=True)
    number = int(owner.max(initial=-1)) + 1
    low, high = np.full(number, np.iinfo(np.int64).max), np.zeros(number, np.int64)
    np.minimum.at(low, owner, seen.address)
    np.maximum.at(high, owner, seen.address + seen.size)
    found: list[tuple[int, int]] = []
    for start, end in sorted(zip(low.tolist(), high.tolist(), strict=True)):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _refuse_written(calls: Sequence[SampledCall], start: int, end: int, names: Names) -> None:
    for one in calls:
        stores = one.stores
        inside = (stores.address < end) & (stores.address + stores.size > start)
        if inside.any():
            site = int(stores.site[inside][0])
            raise RuntimeError(
                f"the table {names.told(start)} is written during a call, by the instruction at "
                f"{names.code(instruction(site))}; the model takes tables that stay as they are"
            )


def _reads(seen: _Columns, calls: int, start: int) -> tuple[Reads, ...]:
    """Reads of each call in the order of their first loads."""
    if seen.steady.all():
        return _entries(seen, calls, start)
    order = np.lexsort((seen.place, seen.call))
    parts = seen.only(order)
    cuts = np.searchsorted(parts.call, np.arange(1, calls))
    split = (
        np.split(one, cuts) for one in (parts.address, parts.address + parts.size - 1, parts.site)
    )
    return tuple(Reads(*one) for one in zip(*split, strict=True))


def _entries(seen: _Columns, calls: int, start: int) -> tuple[Reads, ...]:
    """Reads, if calls have the same loads: columns with the same entry in all calls are one.

    An entry is as long as the step between the addresses that one load reaches.
    """
    order = np.lexsort((seen.call, seen.column))
    shape = (-1, calls)
    address, size, place, site = (
        one[order].reshape(shape) for one in (seen.address, seen.size, seen.place, seen.site)
    )
    step = int(np.gcd.reduce(address - address[:, :1], axis=None))
    groups: dict[bytes, list[int]] = {}
    for row in np.argsort(place[:, 0], kind="stable").tolist():
        groups.setdefault(((address[row] - start) // step).tobytes(), []).append(row)
    rows = list(groups.values())
    first = np.stack([address[some].min(axis=0) for some in rows])
    last = np.stack([(address + size)[some].max(axis=0) for some in rows]) - 1
    heads = [some[0] for some in rows]
    when, who = place[heads], site[heads]
    sequence = np.argsort(when, axis=0, kind="stable")
    ordered = (np.take_along_axis(one, sequence, axis=0) for one in (first, last, who))
    return tuple(Reads(*one) for one in zip(*(part.T for part in ordered), strict=True))

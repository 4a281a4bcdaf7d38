# SPDX-License-Identifier: MIT
"""Tests whether reads of a table touch its lines independently, as the cache model assumes.

Half of the calls give each line's share w of the reads.  In the other half, n reads of a call
must touch sum(1 - (1 - w)^n) distinct lines, and two reads at a lag of 1 to 16 must share a line
as often as sum(w^2) says.  Estimates of both sums are unbiased: lines are drawn without replacement
from the reads of the first half.  A deviation is too large beyond 4 standard errors, corrected for
the number of comparisons (Bonferroni): the probability that any of them fails by chance is that of
one normal variable beyond 4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ..equations import Floats
from .names import Names
from .sampling import Integers, instruction
from .tables import Reads, TracedTable

LAGS = range(1, 17)
"""Largest lag between reads of a call at which repeats are compared."""
STANDARD_ERRORS = 4.0
SPREAD = 0.05
"""Allowed deviation of a call's number of reads from the mean, as a fraction."""
_FEWEST = 16
"""Least mean reads of each line, so that its share is known within a quarter."""
_ROUNDING = 1e-9
"""Rounding tolerance of sums of shares."""
Touched = NDArray[np.bool_]
"""Array by read and line."""


@dataclass(frozen=True)
class TableLines:
    """A table as cache lines of so many bytes."""

    table: TracedTable
    line: int

    @property
    def number(self) -> int:
        """Lines that hold any part of it."""
        start, size = self.table.start, self.table.size
        return (start + size - 1) // self.line - start // self.line + 1

    def touched(self, call: int) -> Touched:
        """The lines that each read of a call touches; an entry may span two."""
        reads = self.table.reads[call]
        lines = self.table.start // self.line + np.arange(self.number)
        after = lines >= (reads.first // self.line)[:, None]
        return after & (lines <= (reads.last // self.line)[:, None])

    def shares(self) -> Floats:
        """Each line's share of the reads of all calls."""
        return _known(self, range(len(self.table.reads))).w


@dataclass(frozen=True)
class Deviation:
    """One comparison."""

    lines: TableLines
    number: int
    """Reads, or the lag between two."""
    lagged: bool
    counted: float
    expected: float
    errors: float
    """Difference between the two in standard errors."""

    def told(self, names: Names) -> str:
        """A sentence on what was counted and by which instruction."""
        what = f"{self.number} reads of a call touch"
        unit = "distinct lines"
        if self.lagged:
            what, unit = f"two reads at lag {self.number} have", "lines in common"
        return (
            f"{what} {self.counted:.3g} {unit} where {self.expected:.3g} are expected "
            f"({self.errors:.0f} standard errors), by the load at "
            f"{names.code(instruction(self._site()))}"
        )

    def _site(self) -> int:
        """The load that most often reads a line again at that lag, or that reads most."""
        reads, number = self.lines.table.reads, self.number
        if not self.lagged:
            return _commonest([one.site[:number] for one in reads])
        later = [one.site[number:] for one in reads]
        again = [
            sites[_in_common(self.lines.touched(call), number) > 0]
            for call, sites in enumerate(later)
        ]
        return _commonest(again if any(map(len, again)) else later)


def check(found: Sequence[TracedTable], line: int, names: Names) -> None:
    """Raise RuntimeError, naming the instruction, if reads do not fit the model's assumption."""
    deviations = []
    for table in found:
        _check_number(table, line, names)
        deviations += _deviations(TableLines(table, line))
    limit = _limit(len(deviations))
    beyond = [one for one in deviations if one.errors > limit]
    if beyond:
        worst = max(beyond, key=lambda one: (one.lagged, one.errors))
        raise RuntimeError(
            f"reads of the table {names.told(worst.lines.table.start)} are not independent: "
            f"{worst.told(names)}; the model does not hold for this code and input"
        )


def _limit(comparisons: int) -> float:
    """Allowed deviation in standard errors of each of so many comparisons."""
    tail = NormalDist().cdf(-STANDARD_ERRORS) / max(1, comparisons)
    return -NormalDist().inv_cdf(tail)


def _check_number(table: TracedTable, line: int, names: Names) -> None:
    """Raise RuntimeError if calls read the table unequally often, ValueError if too seldom."""
    numbers = np.array([one.number for one in table.reads])
    mean = table.mean_reads
    if np.abs(numbers - mean).max() > SPREAD * mean:
        site = _most_varied(table.reads)
        raise RuntimeError(
            f"calls read the table {names.told(table.start)} {numbers.min()} to {numbers.max()} "
            f"times, by the load at {names.code(instruction(site))}; the model takes calls that "
            f"read it equally often, within {SPREAD:.0%}"
        )
    lines = TableLines(table, line).number
    if numbers.sum() < _FEWEST * lines:
        raise ValueError(
            f"{len(numbers)} calls read the {lines} lines of the table {names.told(table.start)} "
            f"only {numbers.sum()} times, which leaves their shares unknown; give a longer input"
        )


def _most_varied(reads: Sequence[Reads]) -> int:
    """The load whose number of executions differs most between calls."""
    sites = np.unique(np.concatenate([one.site for one in reads]))
    numbers = [np.bincount(np.searchsorted(sites, one.site), minlength=len(sites)) for one in reads]
    return int(sites[np.ptp(np.stack(numbers), axis=0).argmax()])


@dataclass(frozen=True)
class _Known:
    """Reads of half of the calls."""

    counts: Integers
    """Share of each line."""
    total: int
    """Reads."""
    each: Floats
    """Share of each line, a row for each call."""

    @property
    def w(self) -> Floats:
        """Share of each line."""
        return np.asarray(self.counts / self.total, dtype=np.float64)

    def spread(self, slope: Floats) -> float:
        """Standard error of a function of w with that slope."""
        return _error((self.each - self.w) @ slope)


def _known(lines: TableLines, calls: Iterable[int]) -> _Known:
    some = [lines.touched(call) for call in calls]
    counts = np.array([one.sum(axis=0) for one in some])
    reads = np.array([[len(one)] for one in some])
    return _Known(counts.sum(axis=0), int(reads.sum()), counts / reads)


def _deviations(lines: TableLines) -> list[Deviation]:
    """Compares the second half of the calls with shares from the first."""
    calls = len(lines.table.reads)
    known, tested = _known(lines, range(calls // 2)), range(calls // 2, calls)
    fewest = min(one.number for one in lines.table.reads)
    lengths, lags = _lengths(fewest), [lag for lag in LAGS if lag < fewest]
    distinct, repeats = [], []
    for call in tested:
        touched = lines.touched(call)
        distinct.append(np.logical_or.accumulate(touched)[np.array(lengths) - 1].sum(axis=1))
        repeats.append([_in_common(touched, lag).mean() for lag in lags])
    return [
        *_distinct(lines, known, lengths, np.array(distinct)),
        *_repeats(lines, known, lags, np.array(repeats)),
    ]


def _in_common(touched: Touched, lag: int) -> Integers:
    """Lines that each read shares with the read `lag` before it."""
    return np.asarray((touched[lag:] & touched[:-lag]).sum(axis=1))


def _lengths(most: int) -> list[int]:
    """1, 2, 4 ... and the whole call."""
    return sorted({*(1 << bit for bit in range(most.bit_length())), most})


def _distinct(
    lines: TableLines, known: _Known, lengths: Sequence[int], counted: Floats
) -> list[Deviation]:
    """Distinct lines after n reads; `counted`: a row for each call."""
    found = []
    for n, column in zip(lengths, counted.T, strict=True):
        missed = _all_missed(known, n)
        expected = float((1.0 - missed).sum())
        floor = min(float(missed.sum()), n * float(known.w.sum()) - expected)
        error = np.hypot(known.spread(n * (1.0 - known.w) ** (n - 1)), _error(column, floor))
        found.append(_deviation(lines, n, False, float(column.mean()), expected, float(error)))
    return found


def _all_missed(known: _Known, n: int) -> Floats:
    """The chance that n reads miss a line: (1 - w)^n, unbiased."""
    left = np.ones(len(known.counts))
    for drawn in range(n):
        left *= np.maximum(0, known.total - known.counts - drawn) / (known.total - drawn)
    return left


def _repeats(
    lines: TableLines, known: _Known, lags: Sequence[int], counted: Floats
) -> list[Deviation]:
    """Lines that two reads have in common; `counted`: a row of means for each call."""
    w, found = known.w, []
    expected = float((w**2 - w * (1.0 - w) / (known.total - 1)).sum())
    for lag, column in zip(lags, counted.T, strict=True):
        floor = expected / (lines.table.mean_reads - lag)
        error = np.hypot(known.spread(2.0 * w), _error(column, floor))
        found.append(_deviation(lines, lag, True, float(column.mean()), expected, float(error)))
    return found


def _error(values: Floats, floor: float = 0.0) -> float:
    """Standard error of a mean over calls; `floor`: a variance that they have at least.

    That is the variance of a Poisson number, for counts of which few or none were seen.
    """
    return float(np.sqrt(max(float(np.var(values, ddof=1)), floor) / len(values)))


def _deviation(
    lines: TableLines, number: int, lagged: bool, counted: float, expected: float, error: float
) -> Deviation:
    apart = abs(counted - expected)
    errors = 0.0 if apart < _ROUNDING else apart / error if error else inf
    return Deviation(lines, number, lagged, counted, expected, errors)


def _commonest(sites: Sequence[Integers]) -> int:
    values, numbers = np.unique(np.concatenate(sites), return_counts=True)
    return int(values[numbers.argmax()])

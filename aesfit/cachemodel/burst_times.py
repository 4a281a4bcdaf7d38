# SPDX-License-Identifier: MIT
"""Times of bursts in a CSV file: the input of the inverse of the cache model.

Columns `core`, `calls` and `time`, in any order and any unit of time; others are ignored.  Rows
with the same core and calls are repeats: their mean counts, and their spread gives its error.
"""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import nan, sqrt
from statistics import fmean, stdev

from .inverse import BurstTimes

COLUMNS = ("core", "calls", "time")
_LONGEST = 1 << 24
_MOST_ROWS = 100_000
_TIMES = (1e-15, 1e15)
"""Range of a time: squares of its errors stay finite and above 0."""


def parse_times(text: str, name: str) -> list[BurstTimes]:
    """The bursts of each core; ValueError in one sentence for what is no such table."""
    try:
        return _read(text, name)
    except csv.Error as error:
        raise ValueError(f"{name} is no CSV file: {error}") from None


def _read(text: str, name: str) -> list[BurstTimes]:
    rows = csv.DictReader(text.splitlines())
    missing = [column for column in COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(f"{name} has no column {', '.join(missing)}; give {', '.join(COLUMNS)}")
    found: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, row in enumerate(rows, 1):
        if number > _MOST_ROWS:
            raise ValueError(f"{name} has more than {_MOST_ROWS:,} rows")
        core, calls, time = _parsed(row, f"{name}, row {number}")
        found[core][calls].append(time)
    if not found:
        raise ValueError(f"{name} has no rows of bursts")
    return [_burst_times(core, lengths) for core, lengths in found.items()]


def _parsed(row: Mapping[str, str | None], where: str) -> tuple[str, int, float]:
    core, calls, time = ((row[column] or "").strip() for column in COLUMNS)
    if not (calls.isascii() and calls.isdigit() and len(calls) < 9 and 1 <= int(calls) <= _LONGEST):
        raise ValueError(f"{where}: '{calls}' is no number of calls; give 1 to {_LONGEST:,}")
    try:
        value = float(time)
    except ValueError:
        value = nan
    if not _TIMES[0] <= value <= _TIMES[1]:
        raise ValueError(f"{where}: '{time}' is no time; give a number from 1e-15 to 1e15")
    return core, int(calls), value


def _burst_times(core: str, lengths: Mapping[int, Sequence[float]]) -> BurstTimes:
    calls = sorted(lengths)
    every = [lengths[one] for one in calls]
    errors = [stdev(some) / sqrt(len(some)) if len(some) > 1 else 0.0 for some in every]
    return BurstTimes(core, tuple(calls), tuple(map(fmean, every)), tuple(errors))

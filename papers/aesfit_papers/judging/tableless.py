# SPDX-License-Identifier: MIT
"""What three papers say of a computed S-box: compares the core without tables with others."""

from collections.abc import Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named

from .cells import pairs
from .charts import Bars, Scale, bars
from .contract import Column, Figure, Measured, Pair, Part, Row
from .levels import LEVELS, at_levels, job_at, with_own_flags
from .place import ClaimPlace
from .provenance import lines, measured
from .tables import table

COMPUTED = "tableless"
"""A core that inverts in the field, by the power 254, on four bytes at once."""
CIRCUIT = "fixslice"
"""A core whose S-box is a circuit of 110 gates, on 32 bytes at once."""
_BLOCK = 16
"""Bytes."""
_TITLES = {COMPUTED: "no table", CIRCUIT: "fixslice, a circuit"}


def columns(cores: Sequence[str]) -> tuple[Column, ...]:
    """Columns of rows on encryption."""
    every = (COMPUTED, *cores, CIRCUIT)
    return (Column("platform"), Column("flags"), *(Column(core, "cycles") for core in every))


def rows(platforms: Sequence[str], cores: Sequence[str], progress: Progress) -> Measured:
    """Cycles of encrypting a block; for cores that encrypt several at once, the share of one."""
    places = list(product(platforms, LEVELS))
    keys = [(*place, core) for place in places for core in (COMPUTED, *cores, CIRCUIT)]
    jobs = [
        job_at(Job(platform_named(name), core, 128, "encrypt-block"), level)
        for name, level, core in keys
    ]
    taken = dict(zip(keys, measured(jobs, progress), strict=True))
    made: list[Row] = [
        {
            "platform": name,
            "flags": level,
            **{
                core: one.cycles * _BLOCK / one.bytes
                for core in (COMPUTED, *cores, CIRCUIT)
                for one in [taken[name, level, core]]
            },
        }
        for name, level in places
    ]
    return Measured(made, lines(list(taken.values())))


def against(rows: Sequence[Row], core: str) -> dict[ClaimPlace, Pair]:
    """The computed S-box, and that core, at the levels that are judged."""
    return pairs(at_levels(rows), COMPUTED, core)


def parts(rows: Sequence[Row], titles: Mapping[str, str]) -> list[Part]:
    """Cycles, and how many times as long it takes without a table as by each core in `titles`.

    With each platform's own flags.
    """
    rows = with_own_flags(rows)
    heads = {**_TITLES, **titles}
    shown = [("platform", "platform"), *((heads[core], core) for core in (*_TITLES, *titles))]
    times = {core: [pair.ratio for pair in pairs(rows, COMPUTED, core).values()] for core in titles}
    names = [str(row["platform"]) for row in rows]
    image = bars(names, [Bars(titles[core], some) for core, some in times.items()], Scale("times"))
    alt = "Bars: how many times as long a block takes without a table, on each processor."
    return [
        table("Cycles of encrypting a block", rows, shown),
        Figure("Times that no table takes of each", image, ".svg", alt),
    ]

# SPDX-License-Identifier: MIT
"""What three papers say of a computed S-box: compares the core without tables with others."""

from collections.abc import Mapping, Sequence

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named

from .cells import figure
from .charts import Bars, Scale, bars
from .contract import Column, Figure, Measured, Pair, Part, Row
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
    return (Column("platform"), *(Column(core, "cycles") for core in (COMPUTED, *cores, CIRCUIT)))


def rows(platforms: Sequence[str], cores: Sequence[str], progress: Progress) -> Measured:
    """Cycles of encrypting a block; for cores that encrypt several at once, the share of one."""
    keys = [(name, core) for name in platforms for core in (COMPUTED, *cores, CIRCUIT)]
    jobs = [Job(platform_named(name), core, 128, "encrypt-block") for name, core in keys]
    taken = dict(zip(keys, measured(jobs, progress), strict=True))
    made: list[dict[str, str | float]] = [{"platform": name} for name in platforms]
    for row in made:
        for core in (COMPUTED, *cores, CIRCUIT):
            one = taken[str(row["platform"]), core]
            row[core] = one.cycles * _BLOCK / one.bytes
    return Measured(made, lines(list(taken.values())))


def against(rows: Sequence[Row], core: str) -> dict[str, Pair]:
    """Pairs by platform: the computed S-box, and that core."""
    return {str(row["platform"]): Pair(figure(row[COMPUTED]), figure(row[core])) for row in rows}


def parts(rows: Sequence[Row], titles: Mapping[str, str]) -> list[Part]:
    """Cycles, and how many times as long it takes without a table as by each core in `titles`."""
    heads = {**_TITLES, **titles}
    shown = [("platform", "platform"), *((heads[core], core) for core in (*_TITLES, *titles))]
    times = {core: [pair.ratio for pair in against(rows, core).values()] for core in titles}
    names = [str(row["platform"]) for row in rows]
    image = bars(names, [Bars(titles[core], some) for core, some in times.items()], Scale("times"))
    alt = "Bars: how many times as long a block takes without a table, on each processor."
    return [
        table("Cycles of encrypting a block", rows, shown),
        Figure("Times that no table takes of each", image, ".svg", alt),
    ]

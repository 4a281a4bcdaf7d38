# SPDX-License-Identifier: MIT
"""What experiments on Javed, Fast Implementation of AES on Mobile Devices, share."""

from collections.abc import Iterable, Mapping, Sequence

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named

from ..file_bench import javed
from ..file_bench.javed import PublishedTimes
from ..file_bench.question import LEVELS, Flags
from ..file_bench.table import size_told
from .cells import pairs
from .charts import Bars, Scale, bars
from .contract import Cause, Claim, Column, Figure, Measured, Pair, Part, ResultTable, Row
from .levels import place_of
from .place import ClaimPlace, at
from .processors import ARM_PROCESSORS
from .provenance import lines, measured
from .tables import number

PLATFORMS = ARM_PROCESSORS
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("final", "cycles"),
    Column("v1", "cycles"),
    Column("published_final_min", "us"),
    Column("published_final_avg", "us"),
    Column("published_v1_min", "us"),
    Column("published_v1_avg", "us"),
)
"""Published figures of tables 1 and 2."""


def level(flags: Flags) -> str:
    """Its name in tables and places."""
    return " ".join(flags)


def run(op: str, theirs: PublishedTimes, progress: Progress) -> Measured:
    """Both implementations at all levels on all platforms, an operation of the core alone."""
    cores = (javed.FINAL, javed.V1)
    places = [(name, flags) for name in PLATFORMS for flags in LEVELS]
    jobs = [
        Job(platform_named(name), core, javed.KEY_BITS, op, flags=flags)
        for name, flags in places
        for core in cores
    ]
    taken = measured(jobs, progress)
    rows: list[Row] = [
        {
            "platform": name,
            "flags": level(flags),
            "final": taken[2 * at].cycles,
            "v1": taken[2 * at + 1].cycles,
            "published_final_min": theirs.final_min,
            "published_final_avg": theirs.final_avg,
            "published_v1_min": theirs.v1_min,
            "published_v1_avg": theirs.v1_avg,
        }
        for at, (name, flags) in enumerate(places)
    ]
    return Measured(rows, lines(taken))


def averages(found: Iterable[ClaimPlace]) -> dict[ClaimPlace, str]:
    """Mark that no place can test averages, because emulated runs take the same cycles."""
    return dict.fromkeys(found, "an average of emulated cycles, which are all alike")


def ratio_claims(
    found: Mapping[ClaimPlace, Pair],
    what: str,
    theirs: PublishedTimes,
    why: tuple[str, str],
    cause: Cause,
) -> list[Claim]:
    """Claims on the ratios of minima and averages, `why` for each; emulated runs are equal.

    `cause` belongs to the minima.
    """
    return [
        Claim(f"V1 takes {theirs.min:.1f} times as long for {what}, by the minima.", "effect",
              found, theirs.min, cause=cause, why=why[0]),
        Claim(f"V1 takes {theirs.avg:.1f} times as long for {what}, by the averages.", "effect",
              found, theirs.avg, untestable=averages(found), why=why[1]),
    ]  # fmt: skip


def cycles_table(title: str, rows: Sequence[Row], theirs: PublishedTimes) -> ResultTable:
    """A table of cycles of both and their ratio, with the paper's line at the end."""
    head = ("platform", "flags", "final", "V1", "V1 / final")
    found = pairs(rows, "v1", "final")
    cells = [
        (
            str(row["platform"]),
            str(row["flags"]),
            number(row["final"]),
            number(row["v1"]),
            f"{found[place_of(row)].ratio:.2f}",
        )
        for row in rows
    ]
    told = "published, {} (us)"
    cells.append((told.format("minimum"), "", number(theirs.final_min), number(theirs.v1_min),
                  f"{theirs.min:.2f}"))  # fmt: skip
    cells.append((told.format("average"), "", number(theirs.final_avg), number(theirs.v1_avg),
                  f"{theirs.avg:.2f}"))  # fmt: skip
    note = "Cycles are exact, so that minimum and average of any number of runs are the same."
    return ResultTable(title, head, tuple(cells), note)


def ratio_chart(title: str, rows: Sequence[Row], theirs: PublishedTimes) -> Figure:
    """A chart of V1 over the final implementation by level, with the paper's two ratios."""
    found = pairs(rows, "v1", "final")
    levels = [level(flags) for flags in LEVELS]
    groups = [*levels, "published"]
    series = [
        Bars(name, [*(found[at(platform=name, flags=flags)].ratio for flags in levels), None])
        for name in dict.fromkeys(str(row["platform"]) for row in rows)
    ]
    series.append(Bars("published, minima", [*(None for _ in levels), theirs.min]))
    series.append(Bars("published, averages", [*(None for _ in levels), theirs.avg]))
    image = bars(groups, series, Scale("times as long as the final implementation"),
                 write=lambda value: f"{value:.1f}")  # fmt: skip
    alt = f"Bars: {title} by optimisation level on each processor, and as published."
    return Figure(title, image, ".svg", alt)


def parts(rows: Sequence[Row], what: str, theirs: PublishedTimes) -> list[Part]:
    """Table and chart of tables 1 and 2."""
    return [
        cycles_table(f"Cycles of {what}", rows, theirs),
        ratio_chart(f"How many times as long V1 takes for {what}", rows, theirs),
    ]


def size_head(levels: Sequence[str]) -> tuple[str, ...]:
    """Published figures of tables with a line for each size."""
    return ("bytes", *levels, "published, minima", "averages")


def size_cells(size: int, ours: Sequence[float], theirs: PublishedTimes) -> tuple[str, ...]:
    """Ratios of a size by level, and the paper's two."""
    return (size_told(size), *(f"{one:.2f}" for one in ours), f"{theirs.min:.2f}",
            f"{theirs.avg:.2f}")  # fmt: skip

# SPDX-License-Identifier: MIT
"""Table 3: in CBC over a file the final implementation is nearly 20 times as fast from 1 MiB on.

The table has 20 sizes from 16 bytes to 8 MiB, minimum and average of 100 runs of both.

Ours: CBC with the cores `mobile` and `compact` over the same sizes at four optimisation levels on
an emulated ARM7TDMI; sizes up to 64 KiB are run, larger ones lie on the line through the two
largest that were, which all smaller ones meet.  The experiment on this computer reads a real file.

What differs: there is no file system on a bare processor, so that reading is left out, as is the
key schedule, which the paper's times of 16 bytes cannot hold either.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.file_bench.emulated import LARGEST_RUN
from aesfit_papers.file_bench.emulated import run as run_emulated
from aesfit_papers.file_bench.javed import PublishedTimes
from aesfit_papers.file_bench.question import LEVELS, FileBench, source
from aesfit_papers.file_bench.table import size_told
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.mobile import size_cells, size_head
from aesfit_papers.judging.provenance import rests_on

NUMBER = "Table 3"
TITLE = "CBC over 16 bytes to 8 MiB, final implementation and V1"
COLUMNS = (
    Column("bytes", "B"),
    Column("flags"),
    Column("final", "cycles"),
    Column("v1", "cycles"),
    Column("extrapolated"),
    Column("published_final_min", "ms"),
    Column("published_final_avg", "ms"),
    Column("published_v1_min", "ms"),
    Column("published_v1_avg", "ms"),
)
FAST = False
_PLATFORM = "arm7tdmi"


def rows(progress: Progress) -> Measured:
    """Both implementations at all levels and sizes."""
    platform = platform_named(_PLATFORM)
    asked = FileBench((platform,), (javed.FINAL, javed.V1), LEVELS, javed.SIZES)
    with source(None, javed.SIZES[-1]) as data:
        outcome = run_emulated(platform, asked, data, progress)
    if outcome.refused:
        raise RuntimeError(outcome.refused[0])
    taken = {(row.core, row.flags, row.bytes): row for row in outcome.rows}
    made: list[Row] = []
    for size, theirs in javed.CBC.items():
        for flags in (" ".join(level) for level in LEVELS):
            final, v1 = (taken[core, flags, size] for core in asked.cores)
            made.append(
                {
                    "bytes": size,
                    "flags": flags,
                    "final": final.min,
                    "v1": v1.min,
                    "extrapolated": final.extrapolated,
                    "published_final_min": theirs.final_min,
                    "published_final_avg": theirs.final_avg,
                    "published_v1_min": theirs.v1_min,
                    "published_v1_avg": theirs.v1_avg,
                }
            )
    (facts,) = outcome.provenance
    worst = max(line.residual for line in outcome.lines)
    told = (
        f"{_PLATFORM}: {facts['compiler']}; {facts['target']}, {' '.join(sum(LEVELS, ()))} in "
        f"turn; {rests_on(platform)}",
        f"sizes above {LARGEST_RUN} bytes are extrapolated; those that were run lie at most "
        f"{worst:.3%} beside the line",
    )
    return Measured(made, told)


def _ratios(rows: Sequence[Row]) -> dict[tuple[int, str], Pair]:
    """V1 against the final implementation by bytes and level."""
    return {
        (int(figure(row["bytes"])), str(row["flags"])): Pair(
            figure(row["v1"]), figure(row["final"])
        )
        for row in rows
    }


def _a_block() -> PublishedTimes:
    """What the paper's times of 1 MiB are for a block, in microseconds."""
    times, blocks = javed.CBC[javed.LARGE], javed.LARGE / 16
    every = (times.final_min, times.final_avg, times.v1_min, times.v1_avg)
    return PublishedTimes(*(1000 * one / blocks for one in every))


def _here(rows: Sequence[Row], core: str) -> str:
    """What a message of one block takes, and each of the largest, at -O2."""
    some = {row["bytes"]: figure(row[core]) for row in rows if row["flags"] == "-O2"}
    first, largest = javed.SIZES[0], javed.SIZES[-1]
    each = some[largest] * first / largest
    return f"{some[first]:,.0f} cycles alone and {each:,.0f} in a row"


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Faster at every size; nearly 20 times from 1 MiB on."""
    found = _ratios(rows)
    levels = tuple(dict.fromkeys(level for _, level in found))
    large = {
        f"{size_told(size)}, {level}": found[size, level]
        for size in javed.SIZES
        if size >= javed.LARGE
        for level in levels
    }
    bulk, alone = _a_block(), javed.BLOCK
    why = (
        f"In the paper a block takes {alone.final_min:.0f} us alone (table 1) and "
        f"{bulk.final_min:.0f} us among those of 1 MiB in the final implementation, "
        f"{alone.v1_min:.0f} and {bulk.v1_min:.0f} us in V1: one becomes ten times as fast, the "
        "other twice, and it does not say by what. Here, at -O2, a block takes "
        f"{_here(rows, 'final')} in the final implementation, {_here(rows, 'v1')} in V1."
    )
    line = "Here cycles rise as a line does from the first block on, with hardly a constant."
    return [
        Claim("The final implementation is faster at every size (smallest ratio of a level).",
              "order",
              {level: min((one for (_, at), one in found.items() if at == level),
                          key=lambda one: one.ratio) for level in levels}),
        Claim("It is nearly 20 times as fast from 1 MiB on.", "effect", large, 20,
              cause="the paper's own figures disagree", why=why),
        Claim("The ratio grows with the size: over 8 MiB it is 12.6 times that over 16 bytes.",
              "effect", {level: Pair(found[javed.SIZES[-1], level].ratio,
                                     found[javed.SIZES[0], level].ratio) for level in levels},
              javed.CBC[javed.SIZES[-1]].min / javed.CBC[javed.SIZES[0]].min,
              cause="the paper's own figures disagree", why=f"{line} {why}"),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Ratios by size and level beside the paper's; cycles at -O2."""
    found = _ratios(rows)
    levels = list(dict.fromkeys(level for _, level in found))
    table = ResultTable(
        "How many times as long V1 takes",
        size_head(levels),
        tuple(
            size_cells(size, [found[size, level].ratio for level in levels], theirs)
            for size, theirs in javed.CBC.items()
        ),
        "Published ratios are of its minima and of its averages.",
    )
    drawn = [
        ChartLine(level, [(size, found[size, level].ratio) for size in javed.CBC])
        for level in levels
    ]
    drawn.append(
        ChartLine("the paper's minima", [], [(n, one.min) for n, one in javed.CBC.items()])
    )
    image = lines(drawn, Scale("bytes", log=True, base=2), Scale("V1 over final implementation"))
    theirs = javed.CBC
    words = (
        f"Published, the final implementation takes {theirs[16].final_min} ms for 16 bytes and "
        f"{theirs[128].final_min} ms for 128, so that a constant of some 0.7 ms hides its work, "
        f"while V1 takes {theirs[16].v1_min} and {theirs[128].v1_min} ms and has no such constant, "
        "although the same file is read for it. The two columns cannot both be of the same loop."
    )
    return [
        table,
        Figure("V1 over the final implementation by size", image, ".svg",
               "Lines: ratios at four optimisation levels are flat, the published ones climb."),
        Words(words),
    ]  # fmt: skip

# SPDX-License-Identifier: MIT
"""Figure 1 draws p(t), the chance that read t of a table of k = 32 lines misses, which tends to 0.

Ours: p(t) by equations 2 and 4 in closed form, beside what happens: `ttable8` (AES6) encrypts
bursts under 64 keys and texts on two emulated processors, and each read of its four middle tables
(1 KiB, so 32 lines of 32 bytes) that falls on a line not read before counts.  Four reads in a row
are averaged, so that each point stands for 1,024 reads.

What differs: the figure's values are not printed, so its shape alone can be compared.  The paper
derives p(t) from uniform, independent reads and never counts them; that is done here.  Both
processors read the same lines, because indices follow from key and text alone.
"""

from collections.abc import Sequence

import numpy as np

from aesfit.cachemodel.equations import expected_misses
from aesfit.cachemodel.first_reads import first_reads
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cache import RUN, counted_on, rests_on
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.tables import table

NUMBER = "Figure 1"
TITLE = "The chance to miss tends to zero"
COLUMNS = (
    Column("read"),
    Column("model"),
    *(Column(name) for name in RUN),
)
FAST = False
_LINES = 32
_READS, _AT_ONCE, _SHOWN = 320, 4, 200
_TABLES = ("te0", "te1", "te2", "te3")
_TEXTS = range(1, 65)
_NEAR_ZERO = 0.01
"""What we take "tends to 0" to mean after 316 reads, ten for each line."""


def rows(progress: Progress) -> Measured:
    """Four reads a row, from the first on."""
    edges = np.arange(0, _READS + 1, _AT_ONCE)
    columns = {"model": np.diff(expected_misses(_LINES, edges)) / _AT_ONCE}
    for name in RUN:
        shares = first_reads(platform_named(name), "ttable8", _TABLES, 32, _READS, _TEXTS, progress)
        columns[name] = shares.reshape(-1, _AT_ONCE).mean(axis=1)
    made: list[Row] = [
        {"read": int(at), **{name: float(column[row]) for name, column in columns.items()}}
        for row, at in enumerate(edges[:-1])
    ]
    return Measured(made, rests_on(RUN, cached=False))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Its end, its course, and what it assumes."""
    end = rows[-1]
    made = [
        Claim(
            "p(t) tends to 0 (after 316 reads it is below 0.01).",
            "at most",
            {counted_on(name).of(read=end["read"]): figure(end[name]) for name in ("model", *RUN)},
            _NEAR_ZERO,
        )
    ]
    for first, last in ((0, 31), (32, 63), (64, 95)):
        some = [row for row in rows if first <= figure(row["read"]) <= last]
        reads = tuple(row["read"] for row in some)
        found = {
            counted_on(name).of(read=reads): Pair(
                sum(figure(row[name]) for row in some), sum(figure(row["model"]) for row in some)
            )
            for name in RUN
        }
        sentence = (
            "Reads fall on the lines of a table as if at random, so that p(t) follows equation 4 "
            f"(misses of reads {first} to {last}, counted over expected)."
        )
        made.append(Claim(sentence, "part", found, 1))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """The curve, and some of its values."""
    shown_to = [row for row in rows if figure(row["read"]) < _SHOWN]
    drawn = [
        ChartLine(
            told,
            [(figure(row["read"]) + (_AT_ONCE - 1) / 2, figure(row[name])) for row in some],
        )
        for name, told, some in (
            (RUN[0], "counted", shown_to[::3]),
            ("model", "equation 4", shown_to),
        )
    ]
    image = lines(drawn, Scale("reads of the table before", limits=(0, _SHOWN)), Scale("p(t)"))
    alt = "Two curves that fall from 1 to 0, the model and what was counted, on each other."
    shown = [("from read", "read"), ("equation 4", "model"), *((name, name) for name in RUN)]
    some = [row for row in rows if figure(row["read"]) % 40 == 0]
    return [
        Figure("p(t) for a table of 32 lines", image, ".svg", alt),
        table("Chance to miss, mean of four reads", some, shown),
    ]

# SPDX-License-Identifier: MIT
"""Figure 2 draws the expected misses of a table of k = 32 lines with a = 4 reads a call.

Ours: the sum of p(t) in closed form, from t = 0 on and from t = 1 on as the paper prints it, beside
what is counted: such a table is one of the last round of `ttable8` (AES6) with lines of 32 bytes.
Bursts of it run under 64 keys and texts on two emulated processors, and every first read of a line
of these four tables counts.

What differs: the figure's values are not printed; the text says that the curve tends to k.
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
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.tables import table

NUMBER = "Figure 2"
TITLE = "Expected misses grow to the lines of the table"
_COUNTED = ("model", "as_printed", *RUN)
COLUMNS = (Column("calls"), *(Column(name) for name in _COUNTED))
FAST = False
_LINES, _READS, _CALLS = 32, 4, 64
_TABLES = ("te_last0", "te_last1", "te_last2", "te_last3")
_TEXTS = range(1, 65)
_POINTS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64)
"""Calls at which the figure shows what was counted."""


def rows(progress: Progress) -> Measured:
    """A row for each length of burst."""
    reads = _READS * np.arange(_CALLS + 1)
    columns = {
        "model": expected_misses(_LINES, reads),
        "as_printed": expected_misses(_LINES, reads, loaded=1.0),
    }
    for name in RUN:
        first = first_reads(
            platform_named(name), "ttable8", _TABLES, 32, _READS * _CALLS, _TEXTS, progress
        )
        columns[name] = np.concatenate([[0.0], first.cumsum()])[reads]
    made: list[Row] = [
        {"calls": calls, **{name: float(column[calls]) for name, column in columns.items()}}
        for calls in range(_CALLS + 1)
    ]
    return Measured(made, rests_on(RUN, cached=False))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Its end, and its course."""
    end = rows[-1]
    made = [
        Claim(
            "The misses of a table tend to its number of lines, 32 (bursts of 64 calls).",
            "part",
            {counted_on(name).of(calls=_CALLS): figure(end[name]) for name in ("model", *RUN)},
            _LINES,
        )
    ]
    for calls in (1, 4, 16):
        found = {
            counted_on(name).of(calls=calls): Pair(
                figure(rows[calls][name]), figure(rows[calls]["model"])
            )
            for name in RUN
        }
        sentence = (
            f"The sum of p(t) tells the misses of a burst of {calls} call{'s' * (calls > 1)} "
            "(counted over expected)."
        )
        made.append(Claim(sentence, "part", found, 1))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """The curve, and the sum as it is printed."""
    names = {"model": "equation 4, from t = 0", "as_printed": "from t = 1, as printed"}
    drawn = [
        ChartLine(
            names.get(name, "counted"),
            [
                (figure(row["calls"]), figure(row[name]))
                for row in rows
                if name in names or row["calls"] in _POINTS
            ],
        )
        for name in (RUN[0], *names)
    ]
    image = lines(drawn, Scale("calls in a burst"), Scale("misses"))
    alt = "Curves that rise steeply and flatten near 32; the sum from t = 1 ends near 31."
    shown = [("calls", "calls"), *((names.get(name, name), name) for name in _COUNTED)]
    some = [rows[calls] for calls in (0, 1, 2, 4, 8, 16, 32, 64)]
    words = (
        "The paper prints the sum from t = 1 on. That leaves out the first read, which always "
        "misses, and tends to 31; only the sum from t = 0 tends to k, as the text says, and is "
        "what the processors do."
    )
    return [
        Figure("Expected misses, 32 lines, 4 reads a call", image, ".svg", alt),
        table("Misses of a table in a burst", some, shown),
        Words(words),
    ]

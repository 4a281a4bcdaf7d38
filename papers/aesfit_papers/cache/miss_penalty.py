# SPDX-License-Identifier: MIT
"""Section 4.1 takes one penalty of a miss, m_DC, for all versions; the paper never prints it.

Ours: it is recovered from the published crossovers.  Where two versions cross, all their tables are
loaded but for less than 10^-8 of a line, so that T = i E + c + m K with K the lines of all tables.
Equal times at i calls give m = i (E - E') / (K' - K).  E is published, K follows from the tables.

What differs: nothing is measured here.  Crossovers are whole calls, so that 45 and 28 calls fix m
to about 2 %, and 680 and 420 to a tenth of a per cent.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cache import CROSSOVERS, LINES, LX, VERSIONS, caches, lines_of, of
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.place import told
from aesfit_papers.judging.tables import table

NUMBER = "Section 4.1, the penalty of a miss"
TITLE = "The penalty that the paper does not print"
COLUMNS = (
    Column("line", "B"),
    Column("before"),
    Column("to"),
    Column("published_calls", "calls"),
    Column("lines_before"),
    Column("lines_to"),
    Column("cycles_gained", "cycles"),
    Column("penalty", "cycles"),
    Column("penalty_used", "cycles"),
)
FAST = True


def rows(progress: Progress) -> Measured:
    """A row for each published crossover."""
    known = {one.core: one for one in of(LX)}
    made: list[Row] = []
    for (line, before, to), calls in CROSSOVERS.items():
        gained = known[before].cycles_per_call - known[to].cycles_per_call
        few, many = lines_of(known[before], line), lines_of(known[to], line)
        made.append(
            {
                "line": line,
                "before": VERSIONS[before],
                "to": VERSIONS[to],
                "published_calls": calls,
                "lines_before": few,
                "lines_to": many,
                "cycles_gained": gained,
                "penalty": calls * gained / (many - few),
                "penalty_used": caches(LX, line).penalty.of(line),
            }
        )
    return Measured(made, ("published coefficients and crossovers of the Lx, and table sizes",))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """That it belongs to the architecture, and what is used of it here."""
    found = {
        told("lines of # bytes", "memory", line).of(line=line): Pair(
            *(figure(row["penalty"]) for row in rows if row["line"] == line)
        )
        for line in LINES
    }
    sentence = (
        "The penalty of a miss does not depend on the version (ratio of the penalties that the two "
        "crossovers give)."
    )
    return [Claim(sentence, "equal", found)]


def render(rows: Sequence[Row]) -> list[Part]:
    """The derivation as a table."""
    shown = [("line", "line"), ("from", "before"), ("to", "to"), ("K", "lines_before")]
    shown += [("K'", "lines_to"), ("E - E'", "cycles_gained"), ("crossover", "published_calls")]
    shown += [("m", "penalty"), ("used here", "penalty_used")]
    words = (
        "17 cycles for lines of 16 bytes and 21 for lines of 32 lie on m = 13 + line / 4: 13 "
        "cycles to begin, then a 32-bit word each cycle. Two points fix a line without proving it, "
        "so penalties of other lines are an extrapolation."
    )
    note = "m = crossover * (E - E') / (K' - K), in cycles; a line in bytes."
    return [table("The penalty from each crossover", rows, shown, note=note), Words(words)]

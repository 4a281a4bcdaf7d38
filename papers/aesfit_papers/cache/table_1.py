# SPDX-License-Identifier: MIT
"""Table 1 gives the size of the two kinds of tables, and how many cache lines each fills.

Ours: sizes are those of the library's cores.  Lines are counted as they are read: a burst is run on
two emulated processors, and every line of the table that it touches counts once, on average over 4
keys and texts.  The burst is 40 times as many reads as the table has lines, so that none is left.

What differs: nothing, as long as a table begins where a line begins; the linked images here take
care of that.
"""

from collections.abc import Sequence

from aesfit.cachemodel.first_reads import first_reads
from aesfit.catalog import cores
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cache import LINES, RUN, counted_on, rests_on
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, Row, Words
from aesfit_papers.judging.place import told
from aesfit_papers.judging.tables import table

NUMBER = "Table 1"
TITLE = "Cache lines of each kind of table"
COLUMNS = (
    Column("kind"),
    Column("line", "B"),
    Column("published_bytes", "B"),
    Column("bytes", "B"),
    Column("published_lines"),
    *(Column(f"lines_{name}") for name in RUN),
)
FAST = False
_KINDS = {"S-box": ("transposed", "sbox", 256), "encryption table": ("ttable1", "te", 1024)}
"""A core, its table of that kind, and the published bytes."""
_PUBLISHED = {
    ("S-box", 16): 16,
    ("S-box", 32): 8,
    ("encryption table", 16): 64,
    ("encryption table", 32): 32,
}
_TEXTS = range(1, 5)
_ENOUGH = 40
"""Reads for each line: the chance that a line is left out is e^-40."""


def rows(progress: Progress) -> Measured:
    """Both kinds at both lines."""
    sizes = {(core.name, one.name): one.bytes for core in cores() for one in core.tables}
    made: list[Row] = []
    for done, ((kind, line), lines) in enumerate(_PUBLISHED.items()):
        core, name, size = _KINDS[kind]
        read = {
            f"lines_{where}": float(
                first_reads(
                    platform_named(where), core, (name,), line, _ENOUGH * lines, _TEXTS
                ).sum()
            )
            for where in RUN
        }
        made.append(
            {
                "kind": kind,
                "line": line,
                "published_bytes": size,
                "bytes": sizes[core, name],
                "published_lines": lines,
                **read,
            }
        )
        progress(done + 1, len(_PUBLISHED))
    return Measured(made, rests_on(RUN, cached=False))


_BUILT = "Tables of 256 and 1,024 bytes fill so many aligned lines; no code can change it."


def claims(rows: Sequence[Row]) -> list[Claim]:
    """A claim for each cell of the table."""
    made = [
        Claim(
            f"The {row['kind']} has {row['published_bytes']:,} bytes.",
            "exact",
            {told("library").of(kind=row["kind"], line=row["line"]): figure(row["bytes"])},
            figure(row["published_bytes"]),
            by_construction=_BUILT,
        )
        for row in rows[:: len(LINES)]
    ]
    made += [
        Claim(
            f"The {row['kind']} fills {row['published_lines']} lines of {row['line']} bytes.",
            "exact",
            {
                counted_on(name).of(kind=row["kind"], line=row["line"]): figure(
                    row[f"lines_{name}"]
                )
                for name in RUN
            },
            figure(row["published_lines"]),
            by_construction=_BUILT,
        )
        for row in rows
    ]
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """The table, and when it would be otherwise."""
    shown = [("table", "kind"), ("bytes", "bytes"), ("published", "published_bytes")]
    shown += [("line", "line"), ("lines", "published_lines")]
    shown += [(name, f"lines_{name}") for name in RUN]
    words = (
        "A table that begins in the middle of a line fills one line more. The model counts that, "
        "from the addresses in the linked image."
    )
    note = "Bytes of a line; lines as published, and as read on two processors."
    return [table("Lines of the tables", rows, shown, note=note), Words(words)]

# SPDX-License-Identifier: MIT
"""Section 4: the transposed form does without the four temporaries of columns, a further gain.

InvMixColumns of columns takes 5 doublings, 5 sums, 12 rotations more, "and 4 intermediate variables
are required"; the transposed form eliminates them completely, and this "yields a further speed
gain".  The paper does not propose to take them out of the column form.

Ours: the core `sbox_columns_paper`, which has the operations that the paper counts, with its four
temporaries where the compiler puts them, and with each in memory (AESFIT_TEMPORARIES=2), as a
compiler without registers to spare has them.  `transposed_paper`, which has none, stands beside.
What they cost a column form that keeps them in registers, and one that does not, is shown beside
the published cycles, at -Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: which of its variables the paper's compiler kept in memory is not known, so that this
gain cannot be told from that of fewer operations, and is not judged.  A column form without
temporaries (AESFIT_TEMPORARIES=0) is ours: it sums each multiple as it is made, 10 sums a column
instead of 8 and 8 rotations instead of 3, and is shown.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.ablation import accesses, block_cycles, one_block
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.levels import at_levels
from aesfit_papers.judging.tables import number, table
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_COLUMNS,
    OWN_FLAGS,
    PLATFORMS,
    PRINTED_COLUMNS,
    PRINTED_ROWS,
    RELEASE,
    published,
    steps_rest_on,
)

NUMBER = "Section 4, temporaries"
TITLE = "What the four temporaries of InvMixColumns cost columns"
_VARIANTS = {
    "columns": (PRINTED_COLUMNS, ()),
    "no_temporaries": (PRINTED_COLUMNS, ("AESFIT_TEMPORARIES=0",)),
    "in_memory": (PRINTED_COLUMNS, ("AESFIT_TEMPORARIES=2",)),
    "transposed": (PRINTED_ROWS, ()),
}
"""By column: the core and what is defined."""
_TITLES = {
    "columns": "columns",
    "no_temporaries": "columns, no temporaries (ours)",
    "in_memory": "columns, temporaries in memory",
    "transposed": "transposed",
}
_ACCESSES = "_accesses"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    *(Column(f"{name}{kind}", unit) for name in _VARIANTS
      for kind, unit in (("", "cycles"), (_ACCESSES, ""))),
    Column("published_columns", "cycles; on stand-ins ST22's units"),
)  # fmt: skip
FAST = False


def rows(progress: Progress) -> Measured:
    """Decryption of a block: cycles, and accesses to data."""
    made: list[Row] = []
    every = list(product(PLATFORMS, (OWN_FLAGS, *RELEASE)))
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        row: dict[str, str | float | None] = {"platform": name, "flags": level}
        row["published_columns"] = published(name, BY_COLUMNS, "decrypt-block")
        for column, (core, defined) in _VARIANTS.items():
            ran = one_block(name, core, "decrypt", defined, level=level)
            row[column] = block_cycles(ran)
            row[f"{column}{_ACCESSES}"] = accesses(ran)
        made.append(row)
    return Measured(made, tuple(steps_rest_on(platform_named(name), RELEASE) for name in PLATFORMS))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What the temporaries cost where registers are short."""
    return [
        Claim("The four temporaries cost the column form cycles where registers are short "
              "(cycles with them in memory against in registers).", "order",
              pairs(at_levels(rows), "in_memory", "columns"),
              by_construction="In memory each is stored once, and loaded when it is read."),
    ]  # fmt: skip


def _between(rows: Sequence[Row]) -> Words:
    """Where the published cycles lie."""
    cell = found(rows, "platform", "flags")
    told = "; ".join(
        f"{name}, {level}: {number(row['published_columns'])} published, {number(row['columns'])} "
        f"in registers, {number(row['in_memory'])} in memory, {number(row['transposed'])} "
        "transposed"
        for name in ARMS
        for level in RELEASE
        for row in [cell(name, level)]
    )
    return Words(
        f"Cycles of decrypting a block by columns. {told}. At -O2 and -O3 the published cycles lie "
        "between those with the temporaries in registers and in memory: a compiler that kept some "
        "of them in memory would account for the further gain. Whether the paper's did is not "
        "known."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles and accesses, and bars of the cycles."""
    between = _between(rows)
    rows = [row for row in rows if row["flags"] is OWN_FLAGS]
    place = [("platform", "platform")]
    cycles = [(title, name) for name, title in _TITLES.items()]
    accesses = [(title, f"{name}{_ACCESSES}") for name, title in _TITLES.items()]
    names = [str(row["platform"]) for row in rows]
    series = [Bars(title, [figure(row[name]) for row in rows]) for name, title in _TITLES.items()]
    image = bars(names, series, Scale("cycles"))
    alt = "Bars: cycles of decrypting a block by columns in three ways, and transposed."
    return [
        table("Cycles of decrypting a block, operations as printed", rows, [*place, *cycles]),
        table("Loads and stores of data", rows, [*place, *accesses]),
        between,
        Figure("Decryption of a block, AES-128", image, ".svg", alt),
    ]

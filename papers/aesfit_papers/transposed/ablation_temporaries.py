# SPDX-License-Identifier: MIT
"""Section 4: InvMixColumns of columns needs four temporaries, and to have none is a gain.

The paper counts 5 doublings, 5 sums, 12 rotations and the four temporaries as what the transposed
form saves, and says that to have no temporaries yields a further gain in speed.

Ours: the core `sbox_columns_paper`, which has the operations that the paper counts, with its four
temporaries where the compiler puts them; once more without them (AESFIT_TEMPORARIES=0: each
multiple is summed as it is made); and with each in memory (AESFIT_TEMPORARIES=2), as a compiler
without registers to spare has them.  `transposed_paper` stands beside.  Claims are judged at -Os,
-O2 and -O3; tables and bars show each platform's own flags.

What differs: without temporaries a column takes 10 sums instead of 8, because sums of multiples can
no longer be shared, and 8 rotations instead of 3; so the gain is what is left after these.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.ablation import accesses, against, block_cycles, one_block
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
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
    "no_temporaries": "columns, no temporaries",
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
    """Whether the temporaries cost something, and what does."""
    rows = [row for row in rows if row["flags"] is not OWN_FLAGS]
    registers = (
        "With as many registers as these processors have, the compiler keeps the four temporaries "
        "of a column in them: without temporaries decryption accesses memory as often, but for an "
        "access or two, or more often (table). They save sums, and rotations where these are "
        "instructions; without them both are made again: on ARM the 72 sums more are most of the "
        "difference."
    )
    return [
        Claim("To have no temporaries makes InvMixColumns of columns faster (cycles with them "
              "against without).", "order",
              against(rows, "columns", "no_temporaries", PLATFORMS),
              cause="compiler or processor", why=registers),
        Claim("Temporaries that do not fit registers make it slower (cycles with them in memory "
              "against in registers).", "order",
              against(rows, "in_memory", "columns", PLATFORMS),
              by_construction="In memory each is stored once, and loaded when it is read."),
    ]  # fmt: skip


def _between(rows: Sequence[Row]) -> Words:
    """Where the published cycles lie."""
    cell = found(rows, "platform")
    told = "; ".join(
        f"{name}: {number(cell(name)['published_columns'])} published, "
        f"{number(cell(name)['columns'])} in registers, {number(cell(name)['in_memory'])} in memory"
        for name in ARMS
    )
    return Words(
        f"Cycles of decrypting a block by columns. {told}. Temporaries in memory cost about as "
        "much as separates the published cycles from ours, or more: a compiler that kept them "
        "there would account for the gain. Whether the paper's did is not known."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles and accesses, and bars of the cycles."""
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
        _between(rows),
        Figure("Decryption of a block, AES-128", image, ".svg", alt),
    ]

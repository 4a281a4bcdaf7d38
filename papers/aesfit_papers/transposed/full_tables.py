# SPDX-License-Identifier: MIT
"""Section 5: with full tables the transposed form and columns become equivalent.

"Gladman with tables" holds about 20 KB (section 4, table 2).

Ours: the four-table core `ttable4` and `ttable8`, which has the paper's 20 KB, on six 32-bit
processors, beside both S-box forms with every operation as the paper prints or counts it, and as
the library has them.  Claims are judged on the code as printed, at -Os, -O2 and -O3; tables and
bars show each platform's own flags.

What differs: there is no transposed form with tables to measure, here or in the paper.  An entry of
such a table is what one byte adds to a column; on transposed words it would have to be split again
over four rows, which no table saves, so that with tables the state is held in columns.  Measured
is what the claim rests on: MixColumns and InvMixColumns, in which the forms differ, are no longer
computed, so that decryption loses what made it dearer than encryption.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.catalog import core_named
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.levels import at_levels, with_own_flags
from aesfit_papers.judging.place import at
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table
from aesfit_papers.judging.transposed import (
    BY_COLUMNS,
    FORMS,
    LEVELS,
    PLATFORMS,
    TRANSPOSED,
    codes,
    run_levels,
)

NUMBER = "Section 5"
TITLE = "What full tables leave of the difference"
_FULL = "ttable8"
_NAME = "transposed_full_tables"
_CODES = codes(tuple(FORMS))
_CORES = (*(core for core, _ in _CODES), "ttable4", _FULL)
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("encrypt", "cycles"),
    Column("decrypt", "cycles"),
    Column("all_table_bytes", "B"),
)
FAST = False


def _table_bytes(core: str) -> int:
    """Of all its tables, each once."""
    known = core_named(core)
    return sum({table.name: table.bytes for table in known.tables}.values())


def rows(progress: Progress) -> Measured:
    """Both directions of all."""
    taken = run_levels(PLATFORMS, _CORES, ("encrypt-block", "decrypt-block"), progress)
    made: list[Row] = [
        {
            "platform": name,
            "flags": level,
            "core": core,
            "encrypt": taken[name, level, core, "encrypt-block"].cycles,
            "decrypt": taken[name, level, core, "decrypt-block"].cycles,
            "all_table_bytes": _table_bytes(core),
        }
        for name, level, core in product(PLATFORMS, LEVELS, _CORES)
    ]
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Size of the tables, and decryption against encryption."""
    rows = at_levels(rows)
    full = pairs(rows, "decrypt", "encrypt", core=_FULL)
    size = next(iter(figures(rows, "all_table_bytes", core=_FULL).values()))
    rows_of, columns_of = (codes((form,)) for form in (TRANSPOSED, BY_COLUMNS))
    less = {
        (place + code).of(core=(core, _FULL)): Pair(pair.ratio, full[place].ratio)
        for core, code in columns_of
        for place, pair in pairs(rows, "decrypt", "encrypt", core=core).items()
    }
    shared = (
        "Without table lookups of MixColumns in either direction, both directions execute nearly "
        "the same instructions on processors that issue one at a time."
    )
    return [
        Claim("Full tables take about 20 KB.", "about",
              {at(core=_FULL): size}, 20_000,
              by_construction="ttable8 was written to have the paper's tables."),
        Claim("With full tables decryption costs 1.05 times what encryption does (as on Pentium "
              "III).", "effect", full, 381 / 362, cause="compiler or processor", why=shared),
        Claim("Full tables take from the columns what makes their decryption dearer (decryption "
              "over encryption, of columns against full tables).", "order", less),
        Claim("Full tables are faster than computing (cycles of the transposed form against "
              "theirs).",
              "order",
              {op + place + code: pair
               for core, code in rows_of for op in ("encrypt", "decrypt")
               for place, pair in pairs(rows, op, core=(core, _FULL)).items()}),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Figures, decryption over encryption, and what cannot be measured."""
    judged, rows = claims(rows), with_own_flags(rows)
    shown = [("platform", "platform"), ("core", "core"), ("encrypt", "encrypt")]
    shown += [("decrypt", "decrypt"), ("all tables, bytes", "all_table_bytes")]
    cell = found(rows, "platform", "core")
    series = [
        Bars(core, [figure(cell(name, core)["decrypt"]) / figure(cell(name, core)["encrypt"])
                    for name in PLATFORMS])
        for core in _CORES
    ]  # fmt: skip
    image = bars(PLATFORMS, series, Scale("decryption over encryption"), write=lambda v: f"{v:.2f}")
    words = (
        "That the two forms become equal cannot be measured directly, for a transposed form with "
        "tables does not exist: an entry of such a table is a piece of a column."
    )
    return [
        Words(words),
        table("Cycles of a block, AES-128", rows, shown),
        both_codes(judged, _NAME),
        Figure("Decryption over encryption", image, ".svg",
               "Bars: cycles of decryption over encryption of six cores on each processor."),
    ]  # fmt: skip

# SPDX-License-Identifier: MIT
"""Table 2 compares with Gladman's code, with unrolled keys on the ARM processors.

Ours: Gladman's own code, measured from a checkout and stored (gladman.csv), against the core
`transposed_paper`, which does every operation that the paper prints, on the same emulated
processors at -Os, -O2 and -O3.  Columns as written from the paper's count of their operations,
`sbox_columns_paper`, are shown beside as our code.

What differs: his code is a later issue, of 2007, without the "few refinements" that the paper made
to it for small processors; it computes what the paper counts, with S-boxes as its only tables.  It
is written with macros, and the transposed form with functions, which a compiler calls at -Os.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging import gladman
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import OUR_CODE, Claim, Column, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import number, table
from aesfit_papers.judging.transposed import (
    ARMS,
    BY_COLUMNS,
    OPS,
    PRINTED_COLUMNS,
    PRINTED_ROWS,
    RELEASE,
    TRANSPOSED,
    published,
    run_levels,
)

NUMBER = "Table 2, Gladman"
TITLE = "A block beside Gladman's own code"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("operation"),
    Column("transposed", "cycles"),
    Column("gladman", "cycles"),
    Column("columns", "cycles"),
    Column("published_transposed", "cycles"),
    Column("published_gladman", "cycles"),
)
FAST = False
_STORED = {"key_schedule": "key_encrypt", "encrypt": "encrypt", "decrypt": "decrypt"}
"""Operations by their names in gladman.csv."""
_SENTENCES = {
    "key_schedule": "The transposed key schedule takes {} times the cycles of Gladman's",
    "encrypt": "Transposed encryption takes {} times the cycles of Gladman's",
    "decrypt": "Decryption of Gladman's takes {} times the transposed one's cycles",
}
_WHY = (
    "At -Os the compiler calls the steps of the transposed form, which are functions, while "
    "Gladman's are macros, so that his code hardly changes by level. At -O2 and -O3 today's "
    "compiler makes the transposed form of fewer cycles than in 2002, and his of nearly as many."
)


def rows(progress: Progress) -> Measured:
    """The transposed form measured, Gladman's as stored."""
    every = run_levels(ARMS, (PRINTED_ROWS, PRINTED_COLUMNS), tuple(OPS.values()), progress)
    theirs = gladman.cell()
    made: list[Row] = [
        {
            "platform": platform,
            "flags": level,
            "operation": name,
            "transposed": every[platform, level, PRINTED_ROWS, op].cycles,
            "gladman": theirs(gladman.COLUMNS_2001, platform, level)[_STORED[name]],
            "columns": every[platform, level, PRINTED_COLUMNS, op].cycles,
            "published_transposed": published(platform, TRANSPOSED, op),
            "published_gladman": published(platform, BY_COLUMNS, op),
        }
        for platform in ARMS
        for level in RELEASE
        for name, op in OPS.items()
    ]
    return Measured(made, (*lines(list(every.values())), *gladman.stored().provenance))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The printed ratios of ARM, and which form encrypts faster there."""
    encrypt = _pairs(rows, "encrypt", ARMS)
    return [
        Claim("On ARM the transposed form encrypts more slowly (its cycles against Gladman's).",
              "order", encrypt, cause="compiler or processor", why=_WHY),
        *(_ratio(rows, name, arm) for name in OPS for arm in ARMS),
    ]  # fmt: skip


def _ratio(rows: Sequence[Row], name: str, arm: str) -> Claim:
    row = next(row for row in rows if (row["platform"], row["operation"]) == (arm, name))
    theirs = _pair(row, name, "published_transposed", "published_gladman").ratio
    sentence = f"{_SENTENCES[name].format(f'{theirs:.2f}')} ({arm})."
    found = _pairs(rows, name, (arm,))
    return Claim(sentence, "effect", found, theirs, cause="compiler or processor", why=_WHY)


def _pairs(rows: Sequence[Row], name: str, arms: Sequence[str]) -> dict[str, Pair]:
    """By processor and level: against Gladman's code, and against columns of ours."""
    found = {}
    for row in rows:
        if row["operation"] == name and row["platform"] in arms:
            place = f"{row['platform']}, {row['flags']}"
            found[place] = _pair(row, name, "transposed", "gladman")
            found[f"{place}, {OUR_CODE}"] = _pair(row, name, "transposed", "columns")
    return found


def _pair(row: Row, name: str, rows_by: str, columns_by: str) -> Pair:
    """Transposed over columns, and the other way round for decryption."""
    two = figure(row[rows_by]), figure(row[columns_by])
    return Pair(*(reversed(two) if name == "decrypt" else two))


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles beside those printed; his tables beside both."""
    shown = [(told, told.replace(" ", "_")) for told in (
        "platform", "flags", "operation", "transposed", "published transposed", "gladman",
        "published gladman", "columns")]  # fmt: skip
    cell = gladman.cell()
    full = ", ".join(
        f"{number(cell(gladman.TABLES_2001, arm, '-O2')['encrypt'])} ({arm})" for arm in ARMS
    )
    return [
        table("Cycles beside Gladman's own code", rows, shown),
        Words(f"With all its tables his code encrypts a block in {full} cycles at -O2."),
    ]

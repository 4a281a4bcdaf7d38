# SPDX-License-Identifier: MIT
"""Sections 4.3 and 4.5: data types of 32 bits in the place of 8-bit ones make the code faster.

The paper starts from Gladman's byte-oriented code, whose option HAVE_UINT32 "directs the compiler
to take advantage of 32-bits data types"; "we observe a performance improvement", it says, and "on
ARM it does not make sense to use 8 bit data type because it degrades the performance".

Ours: Gladman's own code, the issue of September 2006, without and with that option, measured from a
checkout and stored (gladman.csv) on two emulated ARM processors at -Os, -O2 and -O3.

What differs: nothing in the code; VERSION_1 and the tables are on, as in the paper.  The same step
in code of ours, alone and with the others, is shown by the experiment on single steps.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging import gladman
from aesfit_papers.judging.cells import found, pairs
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, Row
from aesfit_papers.judging.tables import table

NUMBER = "Sections 4.3 and 4.5, Gladman"
TITLE = "32-bit types in the code that the paper starts from"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("encrypt_bytes", "cycles"),
    Column("encrypt_words", "cycles"),
    Column("decrypt_bytes", "cycles"),
    Column("decrypt_words", "cycles"),
)
FAST = True
_BYTES, _WORDS = gladman.BYTES_2006


def rows(progress: Progress) -> Measured:
    """Both ways of the code, as stored."""
    del progress
    stored = gladman.stored()
    cell = found(stored.rows, "code", "platform", "flags")
    made: list[Row] = []
    for row in stored.rows:
        if row["code"] == _BYTES:
            words = cell(_WORDS, row["platform"], row["flags"])
            made.append(
                {
                    "platform": row["platform"],
                    "flags": row["flags"],
                    "encrypt_bytes": row["encrypt"],
                    "encrypt_words": words["encrypt"],
                    "decrypt_bytes": row["decrypt"],
                    "decrypt_words": words["decrypt"],
                }
            )
    return Measured(made, stored.provenance)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The direction, which is all that the paper says."""
    return [
        Claim("32-bit types in the place of 8-bit ones make encryption faster (Gladman's cycles "
              "without against with them).", "order",
              pairs(rows, "encrypt_bytes", "encrypt_words")),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles of a block in both directions."""
    shown = [(name.replace("_", ", "), name) for name in (one.name for one in COLUMNS)]
    return [table("Cycles of a block by Gladman's code of 2006, by types", rows, shown)]

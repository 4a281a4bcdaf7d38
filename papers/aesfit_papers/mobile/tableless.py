# SPDX-License-Identifier: MIT
"""Section 5: to compute the S-box needs computation and hurts the speed; tables are efficient.

The paper gives no figure with it.

Ours: a block by the core `tableless`, whose S-box is an inversion in the field and an affine map,
by `sbox_columns`, which has the same form with an S-box of 256 bytes, and by the paper's final
implementation (`mobile`), on four ARM processors.  Claims are judged at -Os, -O2 and -O3; tables
and bars show each platform's own flags.

What differs: how the paper would compute an S-box is not told.  `fixslice`, whose S-box is a
circuit of 110 gates on 32 bytes at once, stands beside it.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.file_bench import javed
from aesfit_papers.judging import tableless
from aesfit_papers.judging.contract import Claim, Measured, Part, Row
from aesfit_papers.judging.mobile import PLATFORMS

NUMBER = "Section 5"
TITLE = "An S-box computed, and one from a table"
_SAME_FORM = "sbox_columns"
_TABLED = {_SAME_FORM: "the same form with an S-box", javed.FINAL: "the final implementation"}
COLUMNS = tableless.columns(tuple(_TABLED))
FAST = False


def rows(progress: Progress) -> Measured:
    """Encryption of a block."""
    return tableless.rows(PLATFORMS, tuple(_TABLED), progress)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The direction, which is all that the paper says."""
    return [
        Claim("To compute the S-box hurts the speed (cycles of a block without tables, against "
              "the same form with an S-box).", "order", tableless.against(rows, _SAME_FORM)),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles, and times of the code with tables."""
    return tableless.parts(rows, _TABLED)

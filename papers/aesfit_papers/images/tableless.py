# SPDX-License-Identifier: MIT
"""Section 5: SubBytes by its formula takes many cycles, and was therefore done by a look-up table.

The paper gives no figure with it.

Ours: a block by the core `tableless`, whose S-box is an inversion in the field and an affine map,
and by `sbox_columns`, which has the same form with an S-box of 256 bytes, on six 32-bit processors;
the paper's plain and fully optimised code (`bytewise`, `bytewise_unrolled`) stands beside.  Claims
are judged at -Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: the paper does not say how it would compute the formula.  `fixslice`, whose S-box is a
circuit of 110 gates on 32 bytes at once, stands beside it.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging import tableless
from aesfit_papers.judging.contract import Claim, Measured, Part, Row
from aesfit_papers.judging.images import CORES, FULL, PLAIN, PLATFORMS

NUMBER = "Section 5, SubBytes by its formula"
TITLE = "SubBytes computed, and from a table"
_SAME_FORM = "sbox_columns"
_TABLED = {
    _SAME_FORM: "the same form with an S-box",
    **{core: CORES[core] for core in (PLAIN, FULL)},
}
COLUMNS = tableless.columns(tuple(_TABLED))
FAST = False


def rows(progress: Progress) -> Measured:
    """Encryption of a block."""
    return tableless.rows(PLATFORMS, tuple(_TABLED), progress)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The direction, which is all that the paper says."""
    return [
        Claim("SubBytes by its formula takes more cycles than by a table (cycles of a block "
              "without tables, against the same form with an S-box).", "order",
              tableless.against(rows, _SAME_FORM)),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles, and times of the code with tables."""
    return tableless.parts(rows, _TABLED)

# SPDX-License-Identifier: MIT
"""Section 3: without precomputed values a block takes about one order of magnitude longer.

The paper gives the inversion in GF(2^8) as the reason, and leaves such versions out; it has no
figures of them.

Ours: the core `tableless`, which inverts four bytes of a column at once as their power 254, beside
AES1 (`sbox_columns`, the same form with an S-box) and the four versions that the paper compares, on
six 32-bit processors without caches.  "About one order of magnitude" is judged as 3 to 30 times, at
-Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: how the paper's program inverts is not told.  `fixslice`, whose S-box is a circuit of
110 gates on 32 bytes at once, stands beside it: computing an S-box need not be that slow.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging import tableless
from aesfit_papers.judging.cache import ALIKE, VERSIONS
from aesfit_papers.judging.contract import Claim, Measured, Pair, Part, Row
from aesfit_papers.judging.place import ClaimPlace

NUMBER = "Section 3, no precomputed values"
TITLE = "What it costs to compute the S-box by inversion in the field"
_PLACES = ("arm7tdmi", "arm9tdmi", "cortex-m0plus", "cortex-m3", "rv32i", "rv32im-e31")
_SAME_FORM = "sbox_columns"
_TABLED = {_SAME_FORM: ALIKE[_SAME_FORM][0], **VERSIONS}
"""Versions with tables, by core."""
COLUMNS = tableless.columns(tuple(_TABLED))
FAST = False
_ORDER = (3.0, 30.0)
"""Times that are "about one order of magnitude"."""


def rows(progress: Progress) -> Measured:
    """Encryption of a block."""
    return tableless.rows(_PLACES, tuple(_TABLED), progress)


def _times(rows: Sequence[Row]) -> dict[ClaimPlace, Pair]:
    """Without tables against each version, by platform, level and version."""
    return {
        place + version: pair
        for core, version in _TABLED.items()
        for place, pair in tableless.against(rows, core).items()
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """One sentence of the paper."""
    found = _times(rows)
    inverts = (
        "The paper does not say how its program inverts, nor which versions it means. Ours takes "
        "four products and seven squares for four bytes, and those with tables are written well."
    )
    sentence = (
        "Without precomputed values a block takes about one order of magnitude longer (of each "
        "version, read as 3 to 30 times)."
    )
    return [Claim(sentence, "range", found, _ORDER, cause="our code differs", why=inverts)]


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles, and times of the versions with tables."""
    return tableless.parts(rows, _TABLED)

# SPDX-License-Identifier: MIT
"""Figure 4 shows a picture under ECB, whose patterns remain, and under CBC, which conceals them.

Ours: three test pictures drawn by formulas, 200, 300 and 400 pixels square, encrypted by the
library under a fixed key: entropy, chi-square, correlation of neighbours, repeated blocks, and NPCR
and UACI of one changed bit.  Of random bytes each figure has an expectation and a range.

What differs: the paper's pictures are not printed in the text at hand.  NPCR and UACI are not in
the paper; they are what its successors print.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.pictures.analysis import FIXED_KEY, mode_item, plain_item, random_bytes
from aesfit.pictures.cipher import Settings, encrypt_pixels
from aesfit.pictures.figures import NAMES
from aesfit.pictures.panels import IV
from aesfit.pictures.picture_file import Picture
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.contract import Claim, Column, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.images import EDGES, NO_INTEGRITY, png, scenes_drawn, side_by_side
from aesfit_papers.judging.place import ClaimPlace, told
from aesfit_papers.judging.tables import number, percent, table

NUMBER = "Figure 4"
TITLE = "Pictures under ECB and under CBC"
COLUMNS = (
    Column("picture"),
    Column("edge", "pixels"),
    Column("mode"),
    *(Column(name) for name in NAMES),
    Column("random_entropy"),
    Column("random_entropy_low"),
)
FAST = False
_SHOWN = 200
_MODES = ("plain", "ecb", "cbc")
_FLAT = "logo"
"""With homogeneous zones, as the claim has it."""


def rows(progress: Progress) -> Measured:
    """Every picture, plain and in both modes; the first bit changes for NPCR and UACI."""
    made: list[Row] = []
    for done, edge in enumerate(EDGES):
        progress(done, len(EDGES))
        for name, picture in scenes_drawn(edge).items():
            noise = random_bytes(picture)["entropy"]
            for mode in _MODES:
                made.append(
                    {
                        "picture": name,
                        "edge": edge,
                        "mode": mode,
                        **_figures(picture, mode),
                        "random_entropy": noise.value,
                        "random_entropy_low": noise.low,
                    }
                )
    return Measured(made, (f"key {FIXED_KEY.hex()}, IV {IV.hex()}, the library's default core",))


def _figures(picture: Picture, mode: str) -> dict[str, float | None]:
    if mode == "plain":
        return plain_item(picture).figures
    return mode_item(picture, mode, FIXED_KEY, 0).figures


def _by_picture(rows: Sequence[Row], mode: str, only: str = "") -> dict[ClaimPlace, Row]:
    return {
        _picture(row): row for row in rows if row["mode"] == mode and only in ("", row["picture"])
    }


def _picture(row: Row) -> ClaimPlace:
    cells = {name: row[name] for name in ("picture", "edge", "mode")}
    return told(f"{row['picture']} #", "size", int(figure(row["edge"]))).of(**cells)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What ECB leaves, and what CBC conceals."""
    ecb, cbc = _by_picture(rows, "ecb", _FLAT), _by_picture(rows, "cbc")

    def below(found: dict[ClaimPlace, Row]) -> dict[ClaimPlace, float]:
        """How far the entropy lies below all that random bytes have."""
        return {
            at: figure(one["random_entropy_low"]) - figure(one["entropy"])
            for at, one in found.items()
        }

    low = {at: Pair(figure(one["random_entropy_low"]), figure(one["entropy"]))
           for at, one in ecb.items()}  # fmt: skip
    share = {at: Pair(figure(one["repeated_blocks"]), 0) for at, one in ecb.items()}
    none = {at: figure(one["repeated_blocks"]) for at, one in cbc.items()}
    return [
        Claim("A picture with homogeneous zones has equal blocks under ECB (their share).",
              "order of counts", share),
        Claim("Its entropy under ECB is not maximal (random bytes have more bits).", "order", low),
        Claim("Under CBC no block of any picture occurs twice (their share).", "at most", none, 0),
        Claim("Under CBC every picture is full scrambled: its entropy is that of random bytes "
              "(bits below their range).", "at most", below(cbc), 0),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Pictures drawn again, then the figures."""
    parts: list[Part] = []
    cell = found(rows, "picture", "edge", "mode")
    for name, picture in scenes_drawn(_SHOWN).items():
        ciphers = [Settings("ecb", FIXED_KEY), Settings("cbc", FIXED_KEY, IV)]
        shown = side_by_side([picture, *(encrypt_pixels(picture, how) for how in ciphers)])
        share = percent(cell(name, _SHOWN, "ecb")["repeated_blocks"])
        alt = f"The {name}, the same under ECB and under CBC, side by side."
        note = f"Under ECB {share} of the blocks occur more than once, under CBC none."
        parts.append(png(shown, f"{name.capitalize()}: plain, ECB, CBC", alt, note))
    heads = {"local_entropy": "local entropy", "chi_square": "chi-square", "p_value": "p",
             "repeated_blocks": "repeated", "npcr": "NPCR, %", "uaci": "UACI, %"}  # fmt: skip
    shown_columns = [(one, one) for one in ("picture", "edge", "mode")]
    shown_columns += [(heads.get(name, name), name) for name in NAMES]
    note = (
        "Horizontal, vertical and diagonal are correlations of neighbours. NPCR and UACI are of "
        "the first bit: under ECB it changes one block, under CBC all that follows, which tells "
        "the mode and not its strength."
    )
    parts.append(table("Statistics", rows, shown_columns, note=note, write=_cell))
    parts.append(
        Words(
            "A landscape with fine detail has hardly an equal block, and looks like noise under "
            "ECB too: that is the picture's doing, not the mode's. Figures like random bytes prove "
            f"no security. {NO_INTEGRITY}"
        )
    )
    return parts


def _cell(value: str | int | float | bool | None) -> str:
    """Small figures with the digits that matter here."""
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 100 else number(value)

# SPDX-License-Identifier: MIT
"""Figure 5 shows ECB with 2, 4 and 10 rounds, and CBC with any number of rounds.

The text says that with more rounds "the visual texture patterns are concealed to higher degree".

Ours: three test pictures of 200 x 200 pixels under ECB with 2, 3, 4, 6, 8 and 10 rounds and under
CBC with 2, 4 and 10, a key of 128 bits; repeated blocks and the correlation of neighbours are
taken.  Texture is what blocks that differ still show alike: of blocks one row of pixels apart that
differ in the plain picture, the share of bytes that are equal at the same place.  It is taken of
400 x 400 pixels, the paper's largest picture, whose row is 75 whole blocks.

What differs: the paper measures nothing here, it shows pictures, and speaks of texture, not of
repeated blocks: these stay equal under ECB whatever the rounds, and are shown.
"""

from collections.abc import Sequence

import numpy as np

from aesfit.jobs.job import Progress
from aesfit.pictures.cipher import Settings, encrypt_pixels
from aesfit.pictures.figures import measure
from aesfit.pictures.panels import IV, KEY, ROUNDS
from aesfit.pictures.picture_file import Picture
from aesfit.pictures.scenes import scene
from aesfit.pictures.statistics import BLOCK
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Part,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import CHANNELS, png, scenes_drawn, side_by_side
from aesfit_papers.judging.tables import percent, table

NUMBER = "Figure 5"
TITLE = "ECB and CBC with more and more rounds"
_FIGURES = ("repeated_blocks", "entropy", "horizontal", "vertical", "diagonal")
COLUMNS = (
    Column("picture"),
    Column("mode"),
    Column("rounds"),
    *(Column(name) for name in _FIGURES),
    Column("equal_bytes"),
)
FAST = True
_EDGE = 200
_LARGE = 400
_ECB = (2, 3, *ROUNDS[1:])
_CHAINED = (2, 4, 10)
_CHANCE = 1 / 256
"""Share of equal bytes of random blocks."""


def _encrypted(picture: Picture, mode: str, rounds: int) -> Picture:
    return encrypt_pixels(picture, Settings(mode, KEY, IV if mode == "cbc" else b"", rounds))


def _equal_bytes(plain: Picture, shown: Picture) -> float:
    """Of blocks one row of pixels apart that differ in `plain`, the equal bytes in `shown`."""
    before, after = (np.frombuffer(one.data, np.uint8).reshape(-1, BLOCK) for one in (plain, shown))
    row = CHANNELS * _LARGE // BLOCK
    differ = (before[:-row] != before[row:]).any(axis=1)
    return float((after[:-row][differ] == after[row:][differ]).mean())


def rows(progress: Progress) -> Measured:
    """Plain (0 rounds), then both modes."""
    made: list[Row] = []
    for done, (name, picture) in enumerate(scenes_drawn(_EDGE).items()):
        progress(done, 3)
        large = scene(name, _LARGE)
        asked = [("ecb", one) for one in _ECB] + [("cbc", one) for one in _CHAINED]
        shown = {("plain", 0): picture, **{key: _encrypted(picture, *key) for key in asked}}
        for (mode, rounds), one in shown.items():
            figures = measure(one.data, one)
            row: dict[str, Value] = {"picture": name, "mode": mode, "rounds": rounds}
            row["equal_bytes"] = (
                _equal_bytes(large, _encrypted(large, mode, rounds)) if mode == "ecb" else None
            )
            made.append({**row, **{each: figures[each] for each in _FIGURES}})
    return Measured(made, (f"key {KEY.hex()}, IV {IV.hex()}; below 10 rounds it is not AES",))


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(str(row["picture"]) for row in rows))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """From 2 to 10 rounds, by texture; and CBC at any."""
    texture = pairs(rows, "equal_bytes", by=("picture",), mode="ecb", rounds=(2, 10))
    chained = figures(rows, "repeated_blocks", ("picture", "rounds"), mode="cbc")
    return [
        Claim("More rounds of ECB conceal texture to a higher degree: blocks that differ have "
              "fewer equal bytes with 10 than with 2.", "order", texture),
        Claim("CBC conceals patterns at any number of rounds (share of repeated blocks).",
              "at most", chained, 0),
    ]  # fmt: skip


def _texture_told(rows: Sequence[Row]) -> str:
    """Equal bytes by rounds, and what no round hides."""
    cell = found(rows, "picture", "mode", "rounds")
    two = ", ".join(
        f"{percent(cell(name, 'ecb', 2)['equal_bytes'])} ({name})" for name in _names(rows)
    )
    later = [figure(cell(name, "ecb", rounds)["equal_bytes"])
             for name in _names(rows) for rounds in _ECB[1:]]  # fmt: skip
    return (
        f"Of blocks that differ, equal are {two} of the bytes after 2 rounds, and "
        f"{100 * min(later):.2f} to {100 * max(later):.2f} % from 3 rounds on, where "
        f"{100 * _CHANCE:.2f} % are chance: so far more rounds conceal texture, and no further. "
        "Equal blocks stay equal at any number of rounds."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Pictures of the logo, shares as lines, figures as a table."""
    picture = scenes_drawn(_EDGE)["logo"]
    cell = found(rows, "picture", "mode", "rounds")
    parts: list[Part] = []
    share = percent(cell("logo", "ecb", 10)["repeated_blocks"])
    every = [*(("ecb", rounds) for rounds in _CHAINED), ("cbc", 2)]
    shown = side_by_side([_encrypted(picture, *one) for one in every])
    alt = "Four pictures: the outline of the logo can be seen in three, the fourth is noise."
    note = f"{share} of the blocks repeat under ECB, with any number of rounds; under CBC none."
    title = "The logo: ECB with 2, 4 and 10 rounds, CBC with 2"
    parts.append(png(shown, title, alt, note))
    drawn = [
        ChartLine(
            name, [(r, 100 * figure(cell(name, "ecb", r)["repeated_blocks"])) for r in ROUNDS]
        )
        for name in _names(rows)
    ]
    up = Scale("repeated blocks, %", limits=(-4, 104))
    image = lines(drawn, Scale("rounds of ECB"), up, height=2.6)
    title = "Share of repeated blocks by rounds"
    parts.append(Figure(title, image, ".svg", "Three level lines: no round changes the share."))
    parts.append(table("Figures by rounds", rows, [(c.name.replace("_", " "), c.name)
                                                   for c in COLUMNS]))  # fmt: skip
    parts.append(Words(_texture_told(rows)))
    parts.append(
        Words(
            "Colours change from one number of rounds to the next, the outline stays. What "
            "conceals a picture is the chaining of blocks, not more rounds of each."
        )
    )
    return parts

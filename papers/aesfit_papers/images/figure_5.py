# SPDX-License-Identifier: MIT
"""Figure 5 shows ECB with 2, 4 and 10 rounds, and CBC with any number of rounds.

The text says that with more rounds "the visual texture patterns are concealed to higher degree".

Ours: three test pictures of 200 x 200 pixels under ECB with 2, 4, 6, 8 and 10 rounds and under CBC
with 2, 4 and 10, a key of 128 bits; repeated blocks and the correlation of neighbours are taken.

What differs: the paper measures nothing here, it shows pictures.  A block cipher maps equal blocks
to equal blocks whatever its rounds, so that the share of repeated blocks cannot change under ECB.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.pictures.cipher import Settings, encrypt_pixels
from aesfit.pictures.figures import measure
from aesfit.pictures.panels import IV, KEY, ROUNDS
from aesfit.pictures.picture_file import Picture
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.images import png, scenes_drawn, side_by_side
from aesfit_papers.judging.tables import percent, table

NUMBER = "Figure 5"
TITLE = "ECB and CBC with more and more rounds"
_FIGURES = ("repeated_blocks", "entropy", "horizontal", "vertical", "diagonal")
COLUMNS = (
    Column("picture"),
    Column("mode"),
    Column("rounds"),
    *(Column(name) for name in _FIGURES),
)
FAST = True
_EDGE = 200
_CHAINED = (2, 4, 10)
_DIRECTIONS = ("horizontal", "vertical", "diagonal")


def _encrypted(picture: Picture, mode: str, rounds: int) -> Picture:
    return encrypt_pixels(picture, Settings(mode, KEY, IV if mode == "cbc" else b"", rounds))


def rows(progress: Progress) -> Measured:
    """Plain (0 rounds), then both modes."""
    made: list[Row] = []
    for done, (name, picture) in enumerate(scenes_drawn(_EDGE).items()):
        progress(done, 3)
        asked = [("ecb", one) for one in ROUNDS] + [("cbc", one) for one in _CHAINED]
        shown = {("plain", 0): picture, **{key: _encrypted(picture, *key) for key in asked}}
        for (mode, rounds), one in shown.items():
            figures = measure(one.data, one)
            row: dict[str, Value] = {"picture": name, "mode": mode, "rounds": rounds}
            made.append({**row, **{each: figures[each] for each in _FIGURES}})
    return Measured(made, (f"key {KEY.hex()}, IV {IV.hex()}; below 10 rounds it is not AES",))


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(str(row["picture"]) for row in rows))


def _texture(row: Row) -> float:
    """The largest correlation of neighbours in any direction, without its sign."""
    return max(abs(figure(row[direction])) for direction in _DIRECTIONS)


def claims(rows: Sequence[Row]) -> list[Claim]:
    """From 2 to 10 rounds, by repeated blocks and by correlation; and CBC at any."""
    cell = found(rows, "picture", "mode", "rounds")
    fewer, smoother = {}, {}
    for name in _names(rows):
        first, last = cell(name, "ecb", 2), cell(name, "ecb", 10)
        fewer[name] = Pair(figure(first["repeated_blocks"]), figure(last["repeated_blocks"]))
        smoother[name] = Pair(_texture(first), _texture(last))
    chained = {
        f"{name}, {rounds} rounds": figure(cell(name, "cbc", rounds)["repeated_blocks"])
        for name in _names(rows)
        for rounds in _CHAINED
    }
    never = (
        "Equal blocks stay equal at any number of rounds: the cipher is a permutation of blocks, "
        "so that the share is the plain picture's, to the last block."
    )
    flat = [_texture(cell("logo", "ecb", rounds)) for rounds in ROUNDS]
    fine = max(
        _texture(cell(name, "ecb", rounds)) for name in _names(rows)[1:] for rounds in ROUNDS
    )
    blurred = (
        f"The logo's largest correlation is {', '.join(f'{one:.2f}' for one in flat)} with "
        f"{', '.join(map(str, ROUNDS))} rounds, by the colours that its flat zones happen to get; "
        f"pictures without flat zones are below {fine + 0.001:.3f} from 2 rounds on, as noise is."
    )
    return [
        Claim("More rounds of ECB conceal patterns: fewer blocks repeat with 10 than with 2.",
              "order of counts", fewer, cause="the claim itself", why=never),
        Claim("More rounds of ECB conceal texture: neighbours correlate less with 10 than with 2.",
              "order", smoother, cause="the claim itself", why=blurred),
        Claim("CBC conceals patterns at any number of rounds (share of repeated blocks).",
              "at most", chained, 0),
    ]  # fmt: skip


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
    parts.append(
        Words(
            "Colours change from one number of rounds to the next, the outline stays. What "
            "conceals a picture is the chaining of blocks, not more rounds of each."
        )
    )
    return parts

# SPDX-License-Identifier: MIT
"""Figure 6 shows the histogram of a picture, with peaks, and flat ones of its encrypted channels.

Ours: three test pictures of 200 x 200 pixels, plain, under ECB and under CBC: chi-square of each
colour channel against a flat histogram, and how much of the channel its commonest value takes.  A
channel counts as flat where random bytes give so large a chi-square in one of 20,000 cases or more.

What differs: the text does not name the mode of its encrypted channels; both are taken.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.pictures import statistics
from aesfit.pictures.cipher import Settings, encrypt_pixels
from aesfit.pictures.expectation import OUTSIDE
from aesfit.pictures.figures import plane_names, planes_of
from aesfit.pictures.panels import IV, KEY
from aesfit.pictures.picture_file import Picture
from aesfit.pictures.tails import chi_square_p
from aesfit_papers.judging.cells import figure, figures
from aesfit_papers.judging.charts import ChartLine, ChartPanel, Scale, panels
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.images import scenes_drawn
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.tables import number, table

NUMBER = "Figure 6"
TITLE = "Histograms before and after encryption"
COLUMNS = (
    Column("picture"),
    Column("mode"),
    Column("channel"),
    Column("entropy", "bits"),
    Column("chi_square"),
    Column("p_value"),
    Column("commonest", ""),
)
FAST = True
_EDGE = 200
_DEGREES = 255
_LEAST = OUTSIDE / 2
"""Share of random channels with a larger chi-square."""
_MODES = ("plain", "ecb", "cbc")


def _shown(picture: Picture, mode: str) -> Picture:
    if mode == "plain":
        return picture
    return encrypt_pixels(picture, Settings(mode, KEY, IV if mode == "cbc" else b""))


def _planes(shown: Picture) -> list[tuple[str, statistics.Bytes]]:
    """Each channel by its name."""
    return list(zip(plane_names(shown), planes_of(shown.data, shown), strict=True))


def rows(progress: Progress) -> Measured:
    """Every channel of every picture."""
    made: list[Row] = []
    for name, picture in scenes_drawn(_EDGE).items():
        for mode in _MODES:
            shown = _shown(picture, mode)
            for channel, plane in zip(
                plane_names(shown), planes_of(shown.data, shown), strict=True
            ):
                counts = statistics.histogram(plane)
                chi_square = statistics.chi_square(counts)
                made.append(
                    {
                        "picture": name,
                        "mode": mode,
                        "channel": channel,
                        "entropy": statistics.entropy(counts),
                        "chi_square": chi_square,
                        "p_value": chi_square_p(chi_square, _DEGREES),
                        "commonest": int(counts.max()) / plane.size,
                    }
                )
    progress(1, 1)
    return Measured(made, (f"key {KEY.hex()}, IV {IV.hex()}, the library's default core",))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Peaks before, flat after."""

    def of(mode: str, column: str) -> dict[ClaimPlace, float]:
        return figures(rows, column, ("picture", "channel"), mode=mode)

    uneven = [row for row in rows if row["mode"] == "ecb" and figure(row["p_value"]) < _LEAST]
    names = ", ".join(dict.fromkeys(str(row["picture"]) for row in uneven))
    why = (
        f"Equal blocks stay equal under ECB, so that their 16 bytes are counted again and again: "
        f"the histogram of {names} is not flat."
    )
    smooth = (
        "A gradient is drawn to change everywhere and has no zone of one colour: a channel of it "
        "may have no value that is twice as common as the mean."
    )
    return [
        Claim("The plain picture's histogram has peaks (share of the commonest value, read as "
              "twice the mean at least).", "at least", of("plain", "commonest"), 2 / 256,
              cause="the claim itself", why=smooth),
        Claim("Under CBC every channel's histogram is flat (p of its chi-square).", "at least",
              of("cbc", "p_value"), _LEAST),
        Claim("Under ECB every channel's histogram is flat (p of its chi-square).", "at least",
              of("ecb", "p_value"), _LEAST, cause="the claim itself", why=why if uneven else ""),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Histograms drawn again from the pictures, and the figures."""
    parts: list[Part] = []
    for name, picture in scenes_drawn(_EDGE).items():
        every = []
        for mode in _MODES:
            shown = _shown(picture, mode)
            drawn = []
            for channel, plane in _planes(shown):
                counts = statistics.histogram(plane)
                points = [(value, 100 * int(n) / plane.size) for value, n in enumerate(counts)]
                drawn.append(ChartLine(channel, points))
            every.append(ChartPanel(mode if mode == "plain" else mode.upper(), drawn))
        top = 3.0
        image = panels(every, Scale("value", limits=(0, 255)),
                       Scale("% of the pixels", limits=(0, top)), columns=3)  # fmt: skip
        alt = f"Histograms of the three channels of {name}, plain, under ECB and under CBC."
        note = f"Cut off at {top:.0f} %; the table has the commonest values."
        parts.append(Figure(f"Histograms of {name}", image, ".svg", alt, note))
    shown_columns = [("picture", "picture"), ("mode", "mode"), ("channel", "channel"),
                     ("entropy, bits", "entropy"), ("chi-square", "chi_square"),
                     ("p", "p_value"), ("commonest value", "commonest")]  # fmt: skip
    parts.append(table("Channels against flat histograms", rows, shown_columns, write=_cell))
    parts.append(
        Words(
            "A flat histogram says nothing about security: XOR with a weak generator gives one "
            "too, and so does any cipher of two rounds."
        )
    )
    return parts


def _cell(value: str | int | float | bool | None) -> str:
    """Small figures with the digits that matter here."""
    return f"{value:.4g}" if isinstance(value, float) and abs(value) < 100 else number(value)

# SPDX-License-Identifier: MIT
"""The contact sheet: a picture, its encryptions and their histograms, on a slide of 1920 x 1080."""

from textwrap import fill, shorten
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..pictures.panels import Panel, percent, sentence
from ..pictures.picture_file import Picture, image
from .marks import GRID, INK, MUTED, PAPER
from .picture import DPI, saved

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (1920, 1080)
"""Pixels."""
_COLUMNS = 4
_BOX = 300
"""Pixels of the square that a picture is shown in."""
_LEFT, _TOP = 150, 128
_ACROSS, _DOWN = 440, 446
"""Distance from one panel to the next, in pixels."""
_GAP, _HISTOGRAM = 8, 60
_RED, _GREEN, _BLUE, _GREY = "#d1495b", "#2a9d4b", "#2f6fb5", "#667085"
_COLOURS = {1: (_GREY,), 2: (_GREY, "#b0b7c3"), 3: (_RED, _GREEN, _BLUE)}
_COLOURS[4] = (*_COLOURS[3], _GREY)
_LINE = 165
"""Characters of the sentence at the foot."""


def render(panels: list[Panel]) -> bytes:
    """The sheet as a PNG."""
    return saved(lambda: _figure(panels), ".png")


def _figure(panels: list[Panel]) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE[0] / DPI, SIZE[1] / DPI), dpi=DPI, facecolor=PAPER)
    _words(figure, panels)
    for number, panel in enumerate(panels):
        row, column = divmod(number, _COLUMNS)
        _draw(figure, panel, _LEFT + column * _ACROSS, _TOP + row * _DOWN)
    return figure


def _text(figure: "Figure", x: float, y: float, text: str, size: float, **more: Any) -> None:  # noqa: ANN401 - Matplotlib's own
    """Write text; position from the top left and size are in pixels."""
    more = {"color": INK, "va": "baseline", **more}
    figure.text(x / SIZE[0], 1 - y / SIZE[1], text, fontsize=size * 72 / DPI, **more)


def _words(figure: "Figure", panels: list[Panel]) -> None:
    original = panels[0].picture
    title = f"{shorten(original.name, 70, placeholder='...')}: what remains visible under AES"
    _text(figure, _LEFT, 58, title, 32, fontweight="bold")
    deep = " (upper 8 bits)" if original.pixels.dtype == np.uint16 else ""
    told = (
        f"{original.width} x {original.height} pixels ({original.mode}), a key of 128 bits; below "
        f"10 rounds it is not AES.  Underneath: how often each value occurs{deep}, per channel."
    )
    _text(figure, _LEFT, 90, told, 18, color=MUTED)
    foot = f"{sentence(panels)}  Flat histograms prove no security.".replace(" %", "\u00a0%")
    _text(figure, _LEFT, 1028, fill(foot, _LINE), 18, linespacing=1.45, va="center")


def _draw(figure: "Figure", panel: Panel, left: float, top: float) -> None:
    """Draw a panel: title, picture, histogram and the share of repeated blocks."""
    _text(figure, left, top, panel.title, 20, fontweight="bold")
    top += _GAP + 4
    shown = as_rgb(panel.picture)
    high, wide = (max(1, round(edge * _scale(shown))) for edge in shown.shape[:2])
    box = (left, top, _BOX, _BOX)
    axes = figure.add_axes(_part(*_middle(box, wide, high)))
    axes.imshow(shown, interpolation="nearest", aspect="auto")
    axes.set_axis_off()
    _histogram(figure, panel.picture, left, top + _BOX + _GAP)
    told = f"{percent(panel.repeated)} repeated blocks"
    _text(figure, left, top + _BOX + _GAP + _HISTOGRAM + 20, told, 15)


def _scale(shown: NDArray[np.uint8]) -> float:
    """Scale to fill the box; a picture that nearly fills it is shown at its own size."""
    factor = float(_BOX / max(shown.shape[:2]))
    return 1.0 if 1 <= factor < 1.1 else factor


def _middle(
    box: tuple[float, float, float, float], wide: int, high: int
) -> tuple[float, float, int, int]:
    left, top, width, height = box
    return left + (width - wide) // 2, top + (height - high) // 2, wide, high


def _part(left: float, top: float, wide: float, high: float) -> tuple[float, float, float, float]:
    """Convert pixels from the top left to Matplotlib's fractions from the bottom left."""
    across, up = SIZE
    return left / across, 1 - (top + high) / up, wide / across, high / up


def as_rgb(picture: Picture) -> NDArray[np.uint8]:
    """The picture as a viewer shows it, as RGB on white; of 16 bits the upper 8."""
    from PIL import Image

    if picture.mode == "I;16":
        grey = (picture.pixels >> 8).astype(np.uint8)
        return np.repeat(grey, 3, axis=2)
    made = image(picture)
    if made.mode in ("LA", "RGBA"):
        white = Image.new("RGBA", made.size, "white")
        made = Image.alpha_composite(white, made.convert("RGBA"))
    return np.asarray(made.convert("RGB"))


def _histogram(figure: "Figure", picture: Picture, left: float, top: float) -> None:
    """Draw one line per channel, all on one scale up to the labelled peak."""
    from matplotlib.patches import StepPatch

    axes = figure.add_axes(_part(left, top, _BOX, _HISTOGRAM))
    samples = picture.pixels
    if samples.dtype == np.uint16:
        samples = samples >> 8
    channels = samples.shape[2]
    counts = [np.bincount(samples[..., one].ravel(), minlength=256) for one in range(channels)]
    shares = np.array(counts) / samples[..., 0].size
    edges = np.arange(257)
    # As axes.stairs() does it, but for limits of the data, whose place those below take.
    for share, colour in zip(shares, _COLOURS[channels], strict=True):
        axes.add_artist(StepPatch(share, edges, color=colour, fill=True, alpha=0.28, linewidth=0))
        axes.add_artist(StepPatch(share, edges, color=colour, fill=False, linewidth=0.9))
    highest = float(shares.max())
    axes.set_xlim(0, 256)
    axes.set_ylim(0, highest * 1.02)
    axes.set_facecolor("none")
    axes.set_xticks([])
    axes.set_yticks([])
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    told = f"peak {percent(highest)}"
    _text(figure, left + _BOX, top + _HISTOGRAM + 20, told, 13, color=MUTED, ha="right")

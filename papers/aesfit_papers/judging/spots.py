# SPDX-License-Identifier: MIT
"""Designs as named points between two axes, with their Pareto front, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aesfit.report.curves import PALETTE, dress
from aesfit.report.labels import Box, Spot, place
from aesfit.report.marks import DOTS_PER_INCH, INK, MUTED, PAPER
from aesfit.report.picture import saved

from .charts import Scale, count_axis, legend, legend_height

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RADIUS = 4.0
"""Size of a marker, in points."""
_WIDTH, _BODY, _AXIS = 6.4, 4.0, 0.52
"""Size in inches; wider than a telephone, on which the picture scrolls."""


@dataclass(frozen=True)
class DesignSpot:
    """A point with its name."""

    name: str
    group: str
    """Groups differ in colour and have a front each."""
    x: float
    """A cost: less is better."""
    y: float
    """Less is better, unless `more` is set."""


def front(designs: Sequence[DesignSpot], *, more: bool = False) -> list[DesignSpot]:
    """The designs that no other beats, by ascending x."""
    best: list[DesignSpot] = []
    sign = -1 if more else 1
    for one in sorted(designs, key=lambda each: (each.x, sign * each.y)):
        if not best or sign * one.y < sign * best[-1].y:
            best.append(one)
    return best


def spots(designs: Sequence[DesignSpot], across: Scale, up: Scale, *, more: bool = False) -> bytes:
    """Draw the designs; those on the front of their group are filled and joined by a line."""
    return saved(
        lambda: _figure(designs, across, up, more),
        ".svg",
        lambda figure: _names(figure.axes[0], designs, more),
    )


def _figure(designs: Sequence[DesignSpot], across: Scale, up: Scale, more: bool) -> "Figure":
    from matplotlib.figure import Figure

    groups = list(dict.fromkeys(one.group for one in designs))
    top = legend_height(groups, "")
    height = top + _BODY
    figure = Figure(figsize=(_WIDTH, height), dpi=DOTS_PER_INCH, facecolor=PAPER)
    axes = figure.add_axes((0.115, _AXIS / height, 0.855, (_BODY - _AXIS) / height))
    for number, group in enumerate(groups):
        _group(axes, [one for one in designs if one.group == group], PALETTE[number], more)
    for which, scale in (("x", across), ("y", up)):
        if scale.log:
            (axes.set_xscale if which == "x" else axes.set_yscale)("log", base=scale.base)
    axes.margins(0.12, 0.08)
    for which, scale in (("x", across), ("y", up)):
        count_axis(axes, which, linear=not scale.log, base=scale.base)
    dress(axes, across.label, up.label)
    legend(figure, groups, "")
    return figure


def _group(axes: "Axes", some: Sequence[DesignSpot], colour: str, more: bool) -> None:
    best = front(some, more=more)
    axes.step([one.x for one in best], [one.y for one in best], where="post", color=colour,
              linewidth=1.2, zorder=2)  # fmt: skip
    for one in some:
        inside = colour if one in best else PAPER
        axes.plot(one.x, one.y, "o", markersize=2 * _RADIUS, color=inside,
                  markeredgecolor=colour, markeredgewidth=1.3, zorder=3)  # fmt: skip


def _names(axes: "Axes", designs: Sequence[DesignSpot], more: bool) -> None:
    """Write names beside the points, moved apart; those of a front are emphasised."""
    pixels = DOTS_PER_INCH / 72
    best: list[DesignSpot] = []
    for group in {one.group for one in designs}:
        best += front([one for one in designs if one.group == group], more=more)
    texts = [
        axes.annotate(one.name, (one.x, one.y), xytext=(0, 0), textcoords="offset points",
                      ha="center", va="center", fontsize=8.5, zorder=6,
                      color=INK if one in best else MUTED)
        for one in designs
    ]  # fmt: skip
    around = []
    for one, text in zip(designs, texts, strict=True):
        x, y = axes.transData.transform((one.x, one.y)) / pixels
        size = text.get_window_extent()
        around.append(Spot(float(x), float(y), _RADIUS, size.width / pixels, size.height / pixels))
    edges = axes.get_window_extent()
    frame = Box(*(edge / pixels for edge in (edges.x0, edges.y0, edges.x1, edges.y1)))
    for spot, text, box in zip(around, texts, place(around, frame), strict=True):
        middle = (box.left + box.right) / 2 - spot.x, (box.bottom + box.top) / 2 - spot.y
        text.set_position(middle)

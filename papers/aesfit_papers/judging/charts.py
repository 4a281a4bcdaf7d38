# SPDX-License-Identifier: MIT
"""Charts of experiments as SVG: ours filled, published figures as hollow diamonds.

They are narrow enough to be read on a telephone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from typing import TYPE_CHECKING

from aesfit.report.curves import PALETTE, dress
from aesfit.report.marks import DOTS_PER_INCH, INK, MUTED, PAPER
from aesfit.report.picture import saved
from aesfit.units import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PUBLISHED = "published"
"""Name of published figures in a legend."""
WIDTH = 4.8
"""Width in inches; a telephone shows charts at about this size."""
_BAR, _GAP = 0.17, 0.2
"""Inches: a bar, and the space between groups."""
_LEGEND_ROW, _AXIS, _MARK = 0.24, 0.52, 0.2
"""Heights in inches; the last is that of a mark's name."""
_NEAR = 0.4
"""Distance of marks in inches above which their names are centred over their lines."""
_LETTER = 0.078
"""Inches: about the width of a letter of 9.5 points."""


_CHANNELS = {"red": PALETTE[1], "green": PALETTE[3], "blue": PALETTE[0]}
_WITHIN = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))
"""Tick labels within a decade of a logarithmic axis, as many as fit."""


@dataclass(frozen=True)
class Bars:
    """Bars of one colour, one for each group; None: no bar."""

    name: str
    ours: Sequence[float | None]
    published: Sequence[float | None] = ()
    """Published figures; empty if the paper has none."""


@dataclass(frozen=True)
class ChartLine:
    """A line of one colour, with separate points for published figures."""

    name: str
    points: Sequence[tuple[float, float]]
    published: Sequence[tuple[float, float]] = ()
    filled: bool = False
    """Filled down to zero, as a histogram."""


@dataclass(frozen=True)
class Scale:
    """An axis."""

    label: str
    log: bool = False
    base: int = 10
    """Whether the axis is logarithmic."""
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class ChartPanel:
    """One of several charts with the same axes."""

    title: str
    lines: Sequence[ChartLine]


def bars(
    groups: Sequence[str],
    series: Sequence[Bars],
    scale: Scale,
    *,
    stacked: bool = False,
    write: Callable[[float], str] = count,
    published: str = PUBLISHED,
    marks: Sequence[tuple[float, str]] = (),
) -> bytes:
    """Horizontal bars in groups, each with its figure; `stacked` draws ours end to end.

    `published`: the legend's name of the paper's figures; `marks`: named values on the axis.
    """

    def draw() -> "Figure":
        return _bars_figure(groups, series, scale, stacked, write, published, marks)

    return saved(draw, ".svg")


def lines(
    drawn: Sequence[ChartLine],
    across: Scale,
    up: Scale,
    *,
    marks: Sequence[tuple[float, str]] = (),
    height: float = 3.6,
) -> bytes:
    """Lines with a legend above; `marks` are named places on the horizontal axis."""
    return saved(lambda: _lines_figure(drawn, across, up, marks, height), ".svg")


def panels(every: Sequence[ChartPanel], across: Scale, up: Scale, *, columns: int = 2) -> bytes:
    """Small multiples: the same axes and colours, a panel each."""
    return saved(lambda: _panels_figure(every, across, up, columns), ".svg")


def _bars_figure(
    groups: Sequence[str],
    series: Sequence[Bars],
    scale: Scale,
    stacked: bool,
    write: Callable[[float], str],
    published: str,
    marks: Sequence[tuple[float, str]],
) -> "Figure":
    drawn = [_drawn(series, at) for at in range(len(groups))]
    heights = [_GAP + _BAR * (1.6 if stacked else max(1, len(some))) for some in drawn]
    middles = [sum(heights[:at]) + height / 2 for at, height in enumerate(heights)]
    names = [one.name for one in series]
    theirs = published if any(one.published for one in series) else ""
    above = legend_height(names, theirs) + (_MARK if marks else 0)
    height = above + sum(heights) + _AXIS
    figure = _figure(height)
    left = min(0.42, (0.15 + _LETTER * max(len(name) for name in groups)) / WIDTH)
    axes = figure.add_axes((left, _AXIS / height, 0.97 - left, sum(heights) / height))
    dress(axes, "", "")
    wide = len(scale.label) * _LETTER > (0.97 - left) * WIDTH  # title: left of the axis
    axes.set_xlabel(scale.label, color=INK, fontsize=10, loc="right" if wide else "center")
    axes.grid(False, axis="y")
    if stacked:
        _stack(axes, middles, series, write)
    else:
        for middle, some in zip(middles, drawn, strict=True):
            _side_by_side(axes, middle, some, write)
    _room_for_figures(axes, series, scale, stacked)
    axes.set_yticks(middles, groups)
    axes.tick_params(axis="y", labelsize=9.5, labelcolor=INK)
    axes.set_ylim(sum(heights), 0)
    _marks(axes, marks)
    legend(figure, names, theirs)
    return figure


def _drawn(series: Sequence[Bars], group: int) -> list[tuple[str, bool, float]]:
    """Bars of a group from top to bottom, published below ours: colour, theirs, value."""
    found = []
    for number, one in enumerate(series):
        for theirs, values in ((False, one.ours), (True, one.published)):
            value = values[group] if values else None
            if value is not None:
                found.append((_colour(number, one.name), theirs, value))
    return found


def _side_by_side(
    axes: "Axes",
    middle: float,
    drawn: Sequence[tuple[str, bool, float]],
    write: Callable[[float], str],
) -> None:
    for place, (colour, theirs, value) in enumerate(drawn):
        at = middle + (place + 0.5 - len(drawn) / 2) * _BAR
        if theirs:
            _diamonds(axes, [value], [at], colour)
        else:
            axes.barh(at, value, 0.82 * _BAR, color=colour, zorder=3)
        side = -1 if value < 0 else 1
        away = (7 if theirs else 4) * side  # points
        axes.annotate(write(value), (value, at), xytext=(away, 0), va="center",
                      ha="right" if side < 0 else "left", textcoords="offset points",
                      color=MUTED if theirs else INK, fontsize=9, zorder=2,
                      bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.4})  # fmt: skip


def _stack(
    axes: "Axes", middles: Sequence[float], series: Sequence[Bars], write: Callable[[float], str]
) -> None:
    widest = max(sum(one.ours[at] or 0 for one in series) for at in range(len(middles)))
    for group, middle in enumerate(middles):
        start = 0.0
        for number, one in enumerate(series):
            value = one.ours[group] or 0.0
            axes.barh(middle, value, 1.5 * _BAR, left=start, color=_colour(number, one.name),
                      edgecolor=PAPER, linewidth=1.0, zorder=3)  # fmt: skip
            if value > 0.09 * widest:
                axes.text(start + value / 2, middle, write(value), ha="center", va="center",
                          color=PAPER, fontsize=9, zorder=4)  # fmt: skip
            start += value


def _room_for_figures(axes: "Axes", series: Sequence[Bars], scale: Scale, stacked: bool) -> None:
    values = [v for one in series for v in (*one.ours, *one.published) if v is not None]
    if scale.log:
        axes.set_xscale("log")
        shown = [value for value in values if value > 0]
        room = (max(shown) / min(shown)) ** 0.25  # for the figures at the ends
        axes.set_xlim(min(shown) / 2, max(shown) * 1.5 * room)
        count_axis(axes, "x")
    elif not stacked:
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.18 * (high - low) or 1.0  # for the figures at the ends
        axes.set_xlim(low - room if low < 0 else 0.0, high + room)
        count_axis(axes, "x", linear=True)
    if scale.limits:
        axes.set_xlim(*scale.limits)
    if min(values) < 0:
        axes.axvline(0, color=MUTED, linewidth=1.0, zorder=4)


def _lines_figure(
    drawn: Sequence[ChartLine],
    across: Scale,
    up: Scale,
    marks: Sequence[tuple[float, str]],
    height: float,
) -> "Figure":
    theirs = PUBLISHED if any(one.published for one in drawn) else ""
    top = legend_height([one.name for one in drawn], theirs) + (_MARK if marks else 0)
    whole = height + top
    figure = _figure(whole)
    axes = figure.add_axes((0.14, _AXIS / whole, 0.83, (height - _AXIS) / whole))
    for number, one in enumerate(drawn):
        _line(axes, one, _colour(number, one.name))
    _scale(axes, across, up)
    dress(axes, across.label, up.label)
    _marks(axes, marks)
    legend(figure, [one.name for one in drawn], theirs)
    return figure


def _marks(axes: "Axes", marks: Sequence[tuple[float, str]]) -> None:
    """Named values of the horizontal axis by size, each a dashed line; near names stand apart."""
    inches = [axes.transData.transform((at, 1))[0] / DOTS_PER_INCH for at, _ in marks]
    near = [right - left < _NEAR for left, right in pairwise(inches)]
    for (at, name), after, before in zip(marks, [*near, False], [False, *near], strict=False):
        side = "right" if after and not before else "left" if before and not after else "center"
        axes.axvline(at, color=MUTED, linewidth=1.0, linestyle=(0, (5, 4)), zorder=1)
        axes.annotate(name, (at, 1.0), xytext=(0, 2), xycoords=("data", "axes fraction"),
                      textcoords="offset points", ha=side, va="bottom", color=INK,
                      fontsize=9)  # fmt: skip


def _diamonds(axes: "Axes", xs: Sequence[float], ys: Sequence[float], colour: str) -> None:
    """What was published, in every chart."""
    axes.plot(xs, ys, "D", markersize=5.5, color=PAPER, markeredgecolor=colour,
              markeredgewidth=1.4, zorder=4)  # fmt: skip


def _panels_figure(every: Sequence[ChartPanel], across: Scale, up: Scale, columns: int) -> "Figure":
    names = list(dict.fromkeys(one.name for panel in every for one in panel.lines))
    theirs = PUBLISHED if any(one.published for panel in every for one in panel.lines) else ""
    rows = -(-len(every) // columns)
    top = legend_height(names, theirs) if len(names) > 1 or theirs else 0.1
    height = top + rows * 1.9 + 0.25
    figure = _figure(height)
    grid = figure.subplots(
        rows, columns, sharex=True, sharey=True, squeeze=False,
        gridspec_kw={"left": 0.14, "right": 0.96, "bottom": 0.5 / height,
                     "top": 1 - (top + 0.25) / height, "wspace": 0.16, "hspace": 0.24},
    )  # fmt: skip
    for place, axes in enumerate(grid.flat):
        if place >= len(every):
            axes.set_visible(False)
            continue
        for one in every[place].lines:
            _line(axes, one, _colour(names.index(one.name), one.name))
        below = place + columns >= len(every)
        dress(axes, across.label if below else "", up.label if place % columns == 0 else "")
        axes.tick_params(labelbottom=below)
        axes.set_title(every[place].title, color=INK, fontsize=9.5, loc="left", pad=4)
    for axes in figure.axes[: len(every)]:
        _scale(axes, across, up)
    if len(names) > 1 or theirs:
        legend(figure, names, theirs)
    return figure


def _line(axes: "Axes", one: ChartLine, colour: str) -> None:
    if one.points:
        xs, ys = zip(*one.points, strict=True)
        if one.filled:
            axes.fill_between(xs, ys, color=colour, alpha=0.85, linewidth=0, step="mid", zorder=3)
        else:
            few = len(one.points) <= 24
            axes.plot(xs, ys, color=colour, linewidth=1.8, marker="o" if few else "",
                      markersize=3.5, zorder=3)  # fmt: skip
    if one.published:
        xs, ys = zip(*one.published, strict=True)
        _diamonds(axes, xs, ys, colour)


def _scale(axes: "Axes", across: Scale, up: Scale) -> None:
    """Set the ticks; call it after drawing, because the range decides their number."""
    for name, scale in (("x", across), ("y", up)):
        if scale.log:
            (axes.set_xscale if name == "x" else axes.set_yscale)("log", base=scale.base)
        if scale.limits:
            (axes.set_xlim if name == "x" else axes.set_ylim)(*scale.limits)
        count_axis(axes, name, linear=not scale.log, base=scale.base)


def count_axis(axes: "Axes", which: str, *, linear: bool = False, base: int = 10) -> None:
    """Label with plain numbers instead of powers; fewer if there is little room."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    box = axes.get_window_extent()
    inches = (box.width if which == "x" else box.height) / DOTS_PER_INCH
    room = inches / (0.42 if which == "x" else 0.25)
    if linear:
        axis.set_major_locator(MaxNLocator(max(2, min(5, int(room))), steps=[1, 2, 2.5, 5, 10]))
    elif base == 10:
        low, high = axis.get_view_interval()
        decades = max(1.0, log10(high / low))
        subs = next((some for some in _WITHIN if len(some) * decades <= room), (1.0,))
        axis.set_major_locator(LogLocator(subs=subs))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def _figure(height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), dpi=DOTS_PER_INCH, facecolor=PAPER)


def _colour(number: int, name: str) -> str:
    """Colours by position, except for channels of a picture."""
    return _CHANNELS.get(name) or PALETTE[number % len(PALETTE)]


def _legend_columns(names: Sequence[str], theirs: str) -> int:
    """Number of legend columns that fit."""
    every = [*names, theirs] if theirs else names
    for many in range(len(every), 1, -1):
        below, longer = divmod(len(every), many)  # the first columns may hold one more
        sizes = [below + (at < longer) for at in range(many)]
        ends = [sum(sizes[: at + 1]) for at in range(many)]
        columns = [every[end - size : end] for size, end in zip(sizes, ends, strict=True)]
        if sum(0.4 + _LETTER * max(map(len, names)) for names in columns) < WIDTH - 0.1:
            return many
    return 1


def legend_height(names: Sequence[str], theirs: str) -> float:
    """Height of the legend in inches."""
    many = len(names) + bool(theirs)
    return 0.12 + _LEGEND_ROW * -(-many // _legend_columns(names, theirs))


def legend(figure: "Figure", names: Sequence[str], theirs: str) -> None:
    """Draw the legend above the axes, as wide as the figure.

    `theirs`: the name of the paper's figures; empty if it has none.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shown: list[Patch | Line2D]
    shown = [Patch(color=_colour(at, name), label=name) for at, name in enumerate(names)]
    if theirs:
        shown.append(Line2D([], [], linestyle="none", marker="D", color=PAPER, label=theirs,
                            markeredgecolor=MUTED, markeredgewidth=1.4))  # fmt: skip
    figure.legend(handles=shown, loc="upper left", bbox_to_anchor=(0.01, 1.0), frameon=False,
                  ncols=_legend_columns(names, theirs), fontsize=9.5, labelcolor=INK,
                  borderaxespad=0.3, handlelength=1.1, handleheight=0.8, handletextpad=0.5,
                  columnspacing=1.4)  # fmt: skip

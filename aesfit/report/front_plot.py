# SPDX-License-Identifier: MIT
"""Designs of a sweep and their Pareto fronts, as PNG or SVG."""

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..sweep.columns import COLUMNS
from ..sweep.front import Front
from ..units import count
from .labels import Box, Spot, place
from .marks import DOTS_PER_INCH, GRID, INK, LARGEST, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Arrow = Any
Line = list[tuple[float, float]]
GROUP_COLOURS = ("#0072b2", "#d99100", "#992c5b", "#009e73", "#56a3d9", "#6b6b6b")
"""Distinguishable with any colour vision."""
_MARKER = 46.0
"""Area of a marker on a front, in square points, without a third column."""
_LOGARITHMIC = 8.0
"""Ratio of largest to smallest value above which an axis is logarithmic."""
_CROWDED = 500.0
"""Ratio of largest to smallest value above which a decimal axis labels only powers of ten."""
_MOST_NAMES = 24
_UNDER_NAMES: Any = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.6}
_PIXELS = DOTS_PER_INCH / 72


def render(
    table: Arrow, found: Sequence[Front], costs: Sequence[str], kind: str, title: str, notes: str
) -> bytes:
    """The picture as a file of the suffix `kind`, the same for the same figures."""
    if len(found) > len(GROUP_COLOURS):
        raise ValueError(
            f"{len(found)} fronts are too many to distinguish in one picture; choose at most "
            f"{len(GROUP_COLOURS)} with --where"
        )
    return saved(
        lambda: _figure(table, found, costs, title, notes),
        kind,
        lambda figure: _names(figure.axes[0], found, costs),
    )


def _figure(
    table: Arrow, found: Sequence[Front], costs: Sequence[str], title: str, notes: str
) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 6.4), dpi=DOTS_PER_INCH, facecolor=PAPER)
    axes = figure.add_axes((0.095, 0.185, 0.875, 0.70))
    xs, ys = (table.column(name).to_pylist() for name in costs[:2])
    _axes(axes, costs, xs, ys)
    every = sorted(set(zip(xs, ys, strict=True)))  # many designs share one point
    across, up = zip(*every, strict=True)
    axes.scatter(across, up, s=9, color=GRID, edgecolor=MUTED, linewidth=0.4,
                 zorder=2, rasterized=True)  # fmt: skip
    largest = _largest(found, costs)
    for one, colour in zip(found, GROUP_COLOURS, strict=False):
        _front(axes, one, costs, colour, largest)
    _legend(figure, found, costs, largest)
    figure.text(
        0.022,
        0.945,
        title,
        color=INK,
        fontsize=13,
        fontweight="bold",
    )
    told = f"{count(table.num_rows)} designs{f': {notes}' if notes else ''}"
    lines = "\n".join(wrap(told, 138, max_lines=2, placeholder=" ..."))
    figure.text(0.022, 0.93, lines, color=MUTED, fontsize=9, va="top", linespacing=1.4)
    return figure


def _label(name: str) -> str:
    known = next((column for column in COLUMNS if column.name == name), None)
    if known is None:
        return name
    what = name.removesuffix("_bytes").replace("_", " ")
    return f"{what} ({known.unit})" if known.unit not in ("", name) else what


def _in_bytes(name: str) -> bool:
    return any(column.name == name and column.unit == "bytes" for column in COLUMNS)


def _binary(size: float) -> str:
    """Format a size: 4K is 4096 bytes."""
    return f"{size / 1024:.3g}K" if size >= 1024 else f"{size:g}"


def _axes(axes: "Axes", costs: Sequence[str], xs: Sequence[float], ys: Sequence[float]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set_facecolor("none")
    for name, values, scale, axis in (
        (costs[0], xs, axes.set_xscale, axes.xaxis),
        (costs[1], ys, axes.set_yscale, axes.yaxis),
    ):
        low, high = min(values), max(values)
        write: Callable[[float], str] = "{:,.10g}".format
        if low > 0 and high / low >= _LOGARITHMIC:
            base, steps = (2, (1,)) if _in_bytes(name) else (10, (1, 2, 5))
            steps = steps if high / low < _CROWDED else (1,)
            write = _binary if _in_bytes(name) else write
            scale("log", base=base)
            axis.set_major_locator(LogLocator(base, subs=steps))
            axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _, write=write: write(value)))
    axes.margins(0.06)
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=9)
    axes.set_xlabel(_label(costs[0]), color=INK, fontsize=10)
    axes.set_ylabel(_label(costs[1]), color=INK, fontsize=10)


def _largest(found: Sequence[Front], costs: Sequence[str]) -> float:
    """Largest value of the third column; 0 without one."""
    if len(costs) < 3:
        return 0.0
    return float(max((row[costs[2]] for one in found for row in one.rows), default=0.0))


def _area(row: dict[str, Any], costs: Sequence[str], largest: float) -> float:
    """Area of a marker, in square points."""
    return max(LARGEST * row[costs[2]] / largest, 9.0) if largest else _MARKER


def _front(axes: "Axes", one: Front, costs: Sequence[str], colour: str, largest: float) -> None:
    line = _staircase(one, costs)
    if len(line) > 1:
        axes.plot(*zip(*line, strict=True), color=colour, linewidth=1.4, zorder=3)
    axes.scatter(
        [row[costs[0]] for row in one.rows],
        [row[costs[1]] for row in one.rows],
        s=[_area(row, costs, largest) for row in one.rows],
        facecolor=colour,
        edgecolor=PAPER,
        linewidth=1.0,
        zorder=4,
    )


def _staircase(one: Front, costs: Sequence[str]) -> Line:
    """The staircase of a front in the first two columns, as a line with its corners."""
    line: Line = []
    for row in one.rows:  # the first column ascends
        x, y = row[costs[0]], row[costs[1]]
        if not line:
            line.append((x, y))
        elif y < line[-1][1]:
            line += [(x, line[-1][1]), (x, y)]
    return line


def _legend(figure: "Figure", found: Sequence[Front], costs: Sequence[str], largest: float) -> None:
    from matplotlib.lines import Line2D

    def dot(label: str, face: str, edge: str, area: float) -> Line2D:
        return Line2D([], [], linestyle="none", marker="o", markersize=area**0.5,
                      markerfacecolor=face, markeredgecolor=edge, label=label)  # fmt: skip

    handles = [dot("a design", GRID, MUTED, 9)]
    for one, colour in zip(found, GROUP_COLOURS, strict=False):
        what = ", ".join(f"{name} {value}" for name, value in one.by.items())
        handles.append(dot(f"front, {what}" if what else "Pareto front", colour, PAPER, _MARKER))
    if largest:
        handles.append(
            dot(f"area: {_label(costs[2])}, here {count(largest)}", GRID, MUTED, LARGEST)
        )
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.015, 0.005), ncols=4,
                  frameon=False, fontsize=9, labelcolor=INK, handletextpad=0.5)  # fmt: skip


def _names(axes: "Axes", found: Sequence[Front], costs: Sequence[str]) -> None:
    """Label each run of a front's markers of the same core once."""
    largest = _largest(found, costs)
    named: dict[tuple[float, float, str], float] = {}
    for one in found:
        for core, run in groupby(one.rows, key=lambda row: row.get("core")):
            some = list(run)
            row = some[len(some) // 2]
            named[row[costs[0]], row[costs[1]], str(core)] = _area(row, costs, largest)
    spots, texts = [], []
    for (x, y, name), area in list(named.items())[:_MOST_NAMES]:
        text = axes.annotate(name, (x, y), xytext=(0, 0), textcoords="offset points", ha="center",
                             va="center", color=INK, fontsize=8.5, zorder=3.5,
                             bbox=_UNDER_NAMES)  # fmt: skip
        size, at = text.get_window_extent(), _place(axes, x, y)
        spots.append(Spot(*at, area**0.5 / 2, size.width / _PIXELS, size.height / _PIXELS))
        texts.append(text)
    edges = axes.get_window_extent()
    frame = Box(*(edge / _PIXELS for edge in (edges.x0, edges.y0, edges.x1, edges.y1)))
    turns = [[_place(axes, *corner) for corner in _staircase(one, costs)] for one in found]
    lines = [(*start, *stop) for line in turns for start, stop in pairwise(line)]
    for spot, text, box in zip(spots, texts, place(spots, frame, lines), strict=True):
        text.set_position(
            ((box.left + box.right) / 2 - spot.x, (box.bottom + box.top) / 2 - spot.y)
        )


def _place(axes: "Axes", x: float, y: float) -> tuple[float, float]:
    """Position of a value in the picture, in points."""
    across, up = axes.transData.transform((x, y)) / _PIXELS
    return float(across), float(up)

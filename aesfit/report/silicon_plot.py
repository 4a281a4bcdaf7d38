# SPDX-License-Identifier: MIT
"""Rates of the Verilog cores against their look-up tables, as PNG or SVG.

A panel for each family that has clocks, and one for published cores, whose slices hold at most so
many look-up tables.  The area of a marker is proportional to the bits in RAM blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..hardware.families import FAMILIES
from ..hardware.published import PAPER as PAPERS_CORE
from ..hardware.published import PUBLISHED
from ..hardware.rows import SiliconRow
from ..units import count
from .labels import Box, Spot, place
from .marks import COLOURS, DOTS_PER_INCH, GRID, INK, LARGEST, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS, REBUILT = COLOURS["proved"], COLOURS["here"]
_REBUILT = "aes32_paper"
_LEAST = 9.0
"""Area of a marker at least, in square points."""
_UNKNOWN = 36.0
"""Area of a marker whose RAM is not known."""
_FAR_BELOW = 10.0
"""A published core so many times slower than our slowest is written below the frame, not drawn."""
_PIXELS = DOTS_PER_INCH / 72


@dataclass(frozen=True)
class SiliconMark:
    """One core as it is drawn."""

    name: str
    luts: float
    mbit_per_s: float
    ram_bits: int | None
    """None where the publication does not say."""

    def beaten_by(self, other: "SiliconMark") -> bool:
        """In look-up tables, rate and RAM: worse in one and better in none."""
        mine = (self.luts, -self.mbit_per_s, self.ram_bits or 0)
        theirs = (other.luts, -other.mbit_per_s, other.ram_bits or 0)
        return mine != theirs and all(a >= b for a, b in zip(mine, theirs, strict=True))


def front(marks: Sequence[SiliconMark]) -> list[SiliconMark]:
    """Those that no other beats in look-up tables, rate and RAM."""
    return [one for one in marks if not any(one.beaten_by(other) for other in marks)]


def staircase(marks: Sequence[SiliconMark]) -> list[tuple[float, float]]:
    """The best rate within so many look-up tables, as a line with its corners."""
    line: list[tuple[float, float]] = []
    for mark in sorted(marks, key=lambda one: (one.luts, -one.mbit_per_s)):
        if not line:
            line.append((mark.luts, mark.mbit_per_s))
        elif mark.mbit_per_s > line[-1][1]:
            line += [(mark.luts, line[-1][1]), (mark.luts, mark.mbit_per_s)]
    return line


def render(rows: Sequence[SiliconRow], suffix: str) -> bytes:
    """The picture as a file of that suffix, the same for the same figures."""
    panels = dict(_panels(rows))
    if not panels:
        raise ValueError("there is no rate to draw; choose ecp5 or ice40 with --family")
    largest = max(mark.ram_bits or 0 for some in panels.values() for mark in some) or 1
    least = min(mark.mbit_per_s for some in panels.values() for mark in some) / _FAR_BELOW
    panels["published"] = [mark for mark in _published() if mark.mbit_per_s >= least]
    below = [mark for mark in _published() if mark.mbit_per_s < least]
    return saved(
        lambda: _figure(panels, largest, below),
        suffix,
        lambda figure: _all_names(figure, list(panels.values()), largest),
    )


def _panels(rows: Sequence[SiliconRow]) -> Iterator[tuple[str, list[SiliconMark]]]:
    for family in FAMILIES:
        marks = [
            SiliconMark(row.design, row.luts, row.mbit_per_s, row.ram_bits)
            for row in rows
            if row.family == family.name and row.mbit_per_s is not None
        ]
        if marks and family.device:
            yield family.device.title, marks


def _published() -> list[SiliconMark]:
    """Those with a rate and a size."""
    return [
        SiliconMark(f"{one.design}, {one.device}", one.slice_luts, one.mbit_per_s, None)
        for one in PUBLISHED
        if one.slice_luts is not None and one.mbit_per_s is not None
    ]


def _figure(
    panels: dict[str, list[SiliconMark]], largest: int, below: Sequence[SiliconMark]
) -> "Figure":
    from matplotlib.figure import Figure

    wide = 1.2 + 4.3 * len(panels)
    figure = Figure(figsize=(wide, 6.2), dpi=DOTS_PER_INCH, facecolor=PAPER)
    every = [mark for marks in panels.values() for mark in marks]
    for number, (title, marks) in enumerate(panels.items()):
        left = (0.75 + 4.3 * number) / wide
        axes = figure.add_axes((left, 0.2, 3.9 / wide, 0.61))
        ours = title != "published"
        _axes(axes, every, first=number == 0)
        across = "look-up tables" if ours else "look-up tables that the slices hold"
        axes.set_xlabel(across, color=INK, fontsize=10)
        axes.set_title(title if ours else "published: other devices, other tools", loc="left",
                       color=INK, fontsize=10)  # fmt: skip
        if ours:
            _front(axes, marks)
        _markers(axes, marks, largest)
    lower = [f"{one.name}: {one.luts:g}, {one.mbit_per_s:g} Mbit/s" for one in below]
    if lower:
        axes.text(0.02, 0.02, "\n".join(["far below:", *lower]), transform=axes.transAxes,
                  color=MUTED, fontsize=8)  # fmt: skip
    figure.text(0.3 / wide, 0.945, "Verilog cores: rate against look-up tables and RAM", color=INK,
                fontsize=13, fontweight="bold")  # fmt: skip
    told = "encryption under AES-128 in steady state, at the median clock; up and left is better"
    figure.text(0.3 / wide, 0.9, told, color=MUTED, fontsize=9)
    _legend(figure, largest, wide)
    return figure


def _axes(axes: "Axes", every: Sequence[SiliconMark], *, first: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set_facecolor("none")
    for axis, scale, limit, values in (
        (axes.xaxis, axes.set_xscale, axes.set_xlim, [mark.luts for mark in every]),
        (axes.yaxis, axes.set_yscale, axes.set_ylim, [mark.mbit_per_s for mark in every]),
    ):
        scale("log")
        limit(min(values) / 1.35, max(values) * 1.35)
        axis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=9, labelleft=first)
    if first:
        axes.set_ylabel("Mbit/s", color=INK, fontsize=10)


def _front(axes: "Axes", marks: Sequence[SiliconMark]) -> None:
    line = staircase(marks)
    if len(line) > 1:
        axes.plot(*zip(*line, strict=True), color=MUTED, linewidth=1.4, zorder=2)


def _area(mark: SiliconMark, largest: int) -> float:
    """Of the marker, in square points."""
    return _UNKNOWN if mark.ram_bits is None else max(LARGEST * mark.ram_bits / largest, _LEAST)


def _markers(axes: "Axes", marks: Sequence[SiliconMark], largest: int) -> None:
    """Ours filled, those on the front with an edge; published ones hollow diamonds."""
    best = front(marks)
    for mark in sorted(marks, key=lambda one: -(one.ram_bits or 0)):
        known, on_front = mark.ram_bits is not None, mark in best
        colour = REBUILT if mark.name == _REBUILT else OURS
        axes.scatter(
            [mark.luts],
            [mark.mbit_per_s],
            s=_area(mark, largest),
            marker="o" if known else "D",
            facecolor=colour if known else PAPER,
            edgecolor=MUTED if not known else INK if on_front else PAPER,
            linewidth=1.8 if known and on_front else 1.0,
            zorder=4 if on_front else 3,
        )


def _legend(figure: "Figure", largest: int, wide: float) -> None:
    from matplotlib.lines import Line2D

    def dot(label: str, face: str, edge: str, area: float = 64, shape: str = "o") -> Line2D:
        return Line2D([], [], linestyle="none", marker=shape, markersize=area**0.5, label=label,
                      markerfacecolor=face, markeredgecolor=edge,
                      markeredgewidth=1.8 if edge == INK else 1.0)  # fmt: skip

    handles = [
        dot("ours", OURS, PAPER),
        dot(f"{_REBUILT}: that of {PAPERS_CORE.design}, rebuilt", REBUILT, PAPER),
        dot("published; its RAM bits are not known", PAPER, MUTED, _UNKNOWN, "D"),
        dot("on the Pareto front (look-up tables, rate, RAM)", "none", INK),
        Line2D([], [], color=MUTED, linewidth=1.4, label="none is smaller and as fast"),
        dot(f"area: bits in RAM blocks, here {count(largest)}", GRID, MUTED, LARGEST),
    ]
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.2 / wide, 0.005), ncols=3,
                  frameon=False, fontsize=9, labelcolor=INK, handletextpad=0.5)  # fmt: skip


def _all_names(figure: "Figure", panels: Sequence[Sequence[SiliconMark]], largest: int) -> None:
    for axes, marks in zip(figure.axes, panels, strict=True):
        _names(axes, marks, largest)


def _names(axes: "Axes", marks: Sequence[SiliconMark], largest: int) -> None:
    """Of those on the front, of the paper's core, and of published ones; no name hides a marker."""
    best = [*front(marks), *(one for one in marks if one.name == _REBUILT or one.ram_bits is None)]
    texts = [
        axes.annotate(mark.name if mark in best else "", (mark.luts, mark.mbit_per_s),
                      xytext=(0, 0), ha="center", va="center", textcoords="offset points",
                      color=INK, fontsize=8, zorder=6)
        for mark in marks
    ]  # fmt: skip
    spots = []
    for mark, text in zip(marks, texts, strict=True):
        size, at = text.get_window_extent(), _place(axes, mark.luts, mark.mbit_per_s)
        radius = _area(mark, largest) ** 0.5 / 2
        spots.append(Spot(*at, radius, size.width / _PIXELS, size.height / _PIXELS))
    edges = axes.get_window_extent()
    frame = Box(*(edge / _PIXELS for edge in (edges.x0, edges.y0, edges.x1, edges.y1)))
    corners = [_place(axes, *corner) for corner in staircase(marks)]
    lines = [(*start, *stop) for start, stop in pairwise(corners)]
    for spot, text, box in zip(spots, texts, place(spots, frame, lines), strict=True):
        middle = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
        text.set_position((middle[0] - spot.x, middle[1] - spot.y))


def _place(axes: "Axes", x: float, y: float) -> tuple[float, float]:
    """Where a value is drawn, in points."""
    across, up = axes.transData.transform((x, y)) / _PIXELS
    return float(across), float(up)

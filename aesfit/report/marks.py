# SPDX-License-Identifier: MIT
"""Draws a marker for each core, with its name beside it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..choosing.ranking import Candidate, Choice
from ..jobs.secrecy import Kind
from .labels import Box, Spot, gap, place

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

INK, MUTED, GRID, PAPER = "#1d2433", "#667085", "#e4e7ec", "#ffffff"
COLOURS: dict[Kind, str] = {
    "proved": "#0072b2",
    "independent": "#009e73",
    "here": "#d99100",
    "depends": "#992c5b",
}
LARGEST = 300.0
"""Area of the largest marker, in square points."""
DOTS_PER_INCH = 100
"""Resolution while names are placed; the written file may have a higher one."""
_PIXELS = DOTS_PER_INCH / 72
"""Pixels per point."""
_FAR = 7.0
"""Distance in points above which a line joins marker and name."""


@dataclass(frozen=True)
class Mark:
    """One core in the picture."""

    candidate: Candidate
    dropped: bool
    front: bool
    winner: bool

    @property
    def x(self) -> float:
        """Bytes of flash."""
        return self.candidate.row.flash_bytes

    @property
    def y(self) -> float:
        """Cycles per byte."""
        return self.candidate.row.cycles_per_byte or 0.0

    @property
    def ram(self) -> int:
        """Bytes of RAM."""
        return self.candidate.row.ram_bytes

    @property
    def kind(self) -> Kind:
        """Timing and evidence in a word."""
        return self.candidate.row.secrecy.kind


def largest_ram(marks: list[Mark]) -> int:
    """Bytes of RAM of the largest marker."""
    return max((mark.ram for mark in marks), default=1) or 1


def area(mark: Mark, largest: int) -> float:
    """Area of the marker, in square points."""
    return LARGEST * mark.ram / largest


def marks_of(choice: Choice) -> list[Mark]:
    """Cores in drawing order: those over a limit first, so that others are drawn over them."""
    ranked = [Mark(c, False, c.name in choice.pareto, c.rank == 1) for c in choice.ranking]
    beyond = [Mark(d.candidate, True, False, False) for d in choice.dropped if d.candidate]
    return [*beyond, *ranked]


def _staircase(marks: list[Mark]) -> list[tuple[float, float]]:
    """The ranked cores that no other beats in both cycles and flash."""
    best: list[tuple[float, float]] = []
    for mark in sorted((m for m in marks if not m.dropped), key=lambda m: (m.x, m.y)):
        if not best or mark.y < best[-1][1]:
            best.append((mark.x, mark.y))
    return best


def corners(marks: list[Mark]) -> list[tuple[float, float]]:
    """The staircase of the front as a line with its corners."""
    best = _staircase(marks)
    line = best[:1]
    for x, y in best[1:]:
        line += [(x, line[-1][1]), (x, y)]
    return line


def write_names(axes: "Axes", marks: list[Mark], limit: int | None) -> None:
    """Write names beside the markers, with a thin line to names farther away."""
    if not marks:
        return
    texts = [_name(axes, mark) for mark in marks]
    largest = largest_ram(marks)
    spots = []
    for mark, text in zip(marks, texts, strict=True):
        size = text.get_window_extent()
        wide, high = size.width / _PIXELS, size.height / _PIXELS
        spots.append(
            Spot(*_place(axes, mark.x, mark.y), area(mark, largest) ** 0.5 / 2, wide, high)
        )
    edges = axes.get_window_extent()
    frame = Box(*(edge / _PIXELS for edge in (edges.x0, edges.y0, edges.x1, edges.y1)))
    turns = [_place(axes, *corner) for corner in corners(marks)]
    lines = [(*start, *stop) for start, stop in pairwise(turns)]
    if limit:
        x, _ = _place(axes, limit, 1)
        lines.append((x, frame.bottom, x, frame.top))
    for spot, text, box in zip(spots, texts, place(spots, frame, lines), strict=True):
        centre = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
        text.set_position((centre[0] - spot.x, centre[1] - spot.y))
        if gap(spot, box) > _FAR:
            _leader(axes, spot, box)


def _name(axes: "Axes", mark: Mark) -> "Annotation":
    return axes.annotate(
        mark.candidate.name,
        (mark.x, mark.y),
        xytext=(0, 0),
        textcoords="offset points",
        ha="center",
        va="center",
        color=MUTED if mark.dropped else INK,
        fontsize=9 if mark.winner else 8.5,
        fontweight="bold" if mark.winner else "normal",
        zorder=6,
    )


def _place(axes: "Axes", x: float, y: float) -> tuple[float, float]:
    """Position of a value in the picture, in points."""
    across, up = axes.transData.transform((x, y)) / _PIXELS
    return float(across), float(up)


def _leader(axes: "Axes", spot: Spot, box: Box) -> None:
    """Distance from the point to the nearest part of the label."""
    x, y = min(max(spot.x, box.left), box.right), min(max(spot.y, box.bottom), box.top)
    ends = [(spot.x * _PIXELS, spot.y * _PIXELS), (x * _PIXELS, y * _PIXELS)]
    across, up = axes.transData.inverted().transform(ends).T
    axes.plot(across, up, color=MUTED, linewidth=0.6, zorder=2.5)

# SPDX-License-Identifier: MIT
"""Rates of platforms beside those of a wireless network, as PNG or SVG."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ..wlan.paper import HARDWARE, HARDWARE_MBIT_PER_S, SOFTWARE
from ..wlan.verdict import GOODPUT, Kind, Need, PacketRow, PlatformVerdict
from .marks import COLOURS, DOTS_PER_INCH, GRID, INK, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLES: dict[Kind, str] = {
    "emulated": "microcontrollers",
    "soft CPU": "soft CPUs, their Verilog simulated",
    "host": "this computer",
    "hardware": "Verilog core, placed and routed",
}
_ROW, _ABOVE, _BELOW = 0.27, 1.15, 0.95
"""Heights in inches: a platform, title and rates, the axis and its legend."""
_LEFT, _RIGHT = 0.205, 0.965
_HEIGHTS = 3
"""Height at which rates are labelled."""
_SPACE = 1.25
"""Rows between groups, for a heading."""


def render(
    lines: Sequence[PlatformVerdict], asked: Sequence[Need], kind: str, *, fastest: bool = False
) -> bytes:
    """The picture as a file of the suffix `kind`, the same for the same figures.

    `fastest`: cores of any timing lead, and beside them stand those that are independent.
    """
    shown = [line for line in lines if line.best.mbit_per_s is not None]
    if not shown:
        raise ValueError("there is no rate to draw, because nothing could be measured")
    return saved(lambda: _figure(shown, asked, fastest=fastest), kind)


def _figure(lines: Sequence[PlatformVerdict], asked: Sequence[Need], *, fastest: bool) -> "Figure":
    from matplotlib.figure import Figure

    groups = [(kind, list(some)) for kind, some in groupby(lines, key=lambda one: one.best.kind)]
    papers = [(one.platform, one.mbit_per_s) for one in SOFTWARE] + [
        (HARDWARE, HARDWARE_MBIT_PER_S)
    ]
    rows = len(lines) + len(papers) + _SPACE * (len(groups) + 1)
    height = _ABOVE + _BELOW + _ROW * rows
    figure = Figure(figsize=(10.0, height), dpi=DOTS_PER_INCH, facecolor=PAPER)
    inside = (_LEFT, _BELOW / height, _RIGHT - _LEFT, _ROW * rows / height)
    axes = figure.add_axes(inside)
    drawn = [_rate(one) for line in lines for one in (line.best, line.other or line.best)]
    _axes(axes, rows, [*drawn, *(rate for _, rate in papers)], asked)
    at = 0.0
    for kind, some in groups:
        at = _heading(axes, at, _TITLES[kind])
        for line in some:
            _platform(axes, at, line)
            at += 1
    at = _heading(axes, at, "published by Parikh and Patel: ECB, no MIC")
    for name, rate in papers:
        _named(axes, at, name)
        axes.plot(rate, at, "D", markersize=5, color=PAPER, markeredgecolor=MUTED, zorder=4)
        at += 1
    _rates(axes, asked)
    title = "Packets of 1504 bytes under CCMP, and the networks that carry them"
    figure.text(0.022, 1 - 0.36 / height, title, color=INK, fontsize=13, fontweight="bold")
    _legend(figure, fastest=fastest)
    return figure


def _rate(entry: PacketRow) -> float:
    assert entry.mbit_per_s is not None  # noqa: S101 - rows without a rate are not drawn
    return entry.mbit_per_s


def _axes(axes: "Axes", rows: float, rates: Sequence[float], asked: Sequence[Need]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    every = [*rates, *(need.rate / 1e6 for need in asked)]
    axes.set_xscale("log")
    axes.set_xlim(min(every) / 1.8, max(every) * 4.5)  # room for the name of the fastest core
    axes.set_ylim(rows - 0.2, -0.2)
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.set_yticks([])
    axes.grid(True, axis="x", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=9)
    axes.set_xlabel("Mbit/s of payload, at the platform's clock", color=INK, fontsize=10)


def _heading(axes: "Axes", at: float, text: str) -> float:
    """Draw a group's heading; returns the position of its first row."""
    axes.text(-0.245, at + 0.35, text, transform=axes.get_yaxis_transform(), color=INK,
              fontsize=9, fontweight="bold", va="center", zorder=6,
              bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})  # fmt: skip
    return at + _SPACE


def _named(axes: "Axes", at: float, name: str) -> None:
    axes.text(-0.012, at, name, transform=axes.get_yaxis_transform(), color=INK, fontsize=9,
              ha="right", va="center")  # fmt: skip
    axes.axhline(at, color=GRID, linewidth=0.6, zorder=1)


def _colour(row: PacketRow) -> str:
    """Colour of a core; what is independent has one, proved or not."""
    kind = row.secrecy.kind if row.secrecy else "depends"
    return COLOURS["proved" if kind == "independent" else kind]


def _platform(axes: "Axes", at: float, line: PlatformVerdict) -> None:
    """Draw the core that leads filled, and the one beside it hollow if it differs."""
    best, other = line.best, line.other
    _named(axes, at, best.platform)
    colour = _colour(best)
    if other is not None and other.core != best.core:
        edge = _colour(other)
        axes.plot([_rate(other), _rate(best)], [at, at], color=MUTED, linewidth=0.9, zorder=2)
        axes.plot(_rate(other), at, "o", markersize=5.5, color=PAPER, markeredgecolor=edge,
                  markeredgewidth=1.5, zorder=4)  # fmt: skip
    axes.plot(_rate(best), at, "o", markersize=7, color=colour, markeredgecolor=PAPER, zorder=5)
    right = max(_rate(one) for one in (best, other or best))
    axes.annotate(str(best.core), (right, at), xytext=(7, 0), textcoords="offset points",
                  va="center", color=INK, fontsize=8, zorder=6,
                  bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})  # fmt: skip


def _rates(axes: "Axes", asked: Sequence[Need]) -> None:
    """Draw a line for each rate, labelled above; nearby labels get different heights."""
    for number, need in enumerate(sorted(asked, key=lambda one: one.rate)):
        nominal = need.name != GOODPUT
        axes.axvline(need.rate / 1e6, color=INK, linewidth=1.1, zorder=3,
                     linestyle="-" if nominal else (0, (4, 2.5)))  # fmt: skip
        axes.annotate(need.told if nominal else f"{need.told} Mbit/s", (need.rate / 1e6, 1),
                      xycoords=axes.get_xaxis_transform(), xytext=(0, 3 + 12 * (number % _HEIGHTS)),
                      textcoords="offset points", ha="center", va="bottom", color=INK,
                      fontsize=8.5)  # fmt: skip


def _legend(figure: "Figure", *, fastest: bool) -> None:
    from matplotlib.lines import Line2D

    def dot(label: str, face: str, edge: str, shape: str = "o") -> Line2D:
        return Line2D([], [], linestyle="none", marker=shape, markersize=6.5, label=label,
                      markerfacecolor=face, markeredgecolor=edge)  # fmt: skip

    handles = [
        dot(f"{'fastest' if fastest else 'leading'} core: independent of the key",
            COLOURS["proved"], PAPER),
        dot("independent here", COLOURS["here"], PAPER),
        dot("depends on the key", COLOURS["depends"], PAPER),
        dot("fastest independent core", PAPER, COLOURS["proved"]) if fastest else
        dot("fastest core of any timing", PAPER, COLOURS["depends"]),
        dot("published, in ECB", PAPER, MUTED, "D"),
    ]  # fmt: skip
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.012, 0.0), ncols=5,
                  frameon=False, fontsize=8.5, labelcolor=INK, handletextpad=0.3,
                  columnspacing=1.4)  # fmt: skip

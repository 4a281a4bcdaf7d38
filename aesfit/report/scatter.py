# SPDX-License-Identifier: MIT
"""The cache model against the simulation, point by point, as PNG or SVG.

Whole times are on the left, stalls on the right, both per call; on the line the two agree.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cachemodel.validation.compare import Kind, ValidationPoint, errors
from .marks import DOTS_PER_INCH, GRID, INK, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS: dict[Kind, str] = {"extensions": "#d99100", "assumptions": "#0072b2"}
_SHAPES: dict[Kind, str] = {"extensions": "^", "assumptions": "o"}
_MEANING: dict[Kind, str] = {
    "extensions": "beyond the paper's assumptions",
    "assumptions": "where the paper's assumptions hold",
}


def render(points: Sequence[ValidationPoint], suffix: str, title: str, texts: int) -> bytes:
    """The picture as a file of that suffix, byte for byte the same for the same figures."""
    return saved(lambda: _figure(points, title, texts), suffix)


def _figure(points: Sequence[ValidationPoint], title: str, texts: int) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, 6.0), dpi=DOTS_PER_INCH, facecolor=PAPER)
    figure.text(0.022, 0.945, f"Model and simulation on {title}", color=INK, fontsize=14,
                fontweight="bold")  # fmt: skip
    cores, caches = {one.core for one in points}, {one.place.cache for one in points}
    shares = sorted({one.place.evicted for one in points}, reverse=True)
    told = (
        f"{len(points)} bursts: {len(cores)} cores, {len(caches)} data caches, "
        f"{' or '.join(f'{share:.0%}' for share in shares)} evicted before; each point is the mean "
        f"of {texts} keys and texts other than the model's"
    )
    figure.text(0.022, 0.905, told, color=MUTED, fontsize=9)
    found = errors(points)
    left = figure.add_axes((0.075, 0.165, 0.405, 0.66))
    _axes(left, points, "whole time", found.mean, found.max)
    _scatter(left, [(one, one.simulated, one.model) for one in points])
    right = figure.add_axes((0.575, 0.165, 0.405, 0.66))
    _axes(right, points, "stalls", found.mean_stall, found.max_stall)
    _scatter(right, [(one, one.simulated_stalls, one.model_stalls) for one in points])
    _legend(figure, points)
    return figure


def _scatter(axes: "Axes", rows: Sequence[tuple[ValidationPoint, float, float]]) -> None:
    """Cycles per call; points without stalls cannot be shown on logarithmic axes."""
    for kind, colour in _COLOURS.items():
        some = [
            (simulated / one.calls, model / one.calls)
            for one, simulated, model in rows
            if one.kind == kind and simulated > 0 and model > 0
        ]
        if some:
            across, up = zip(*some, strict=True)
            axes.scatter(
                across, up, s=13, marker=_SHAPES[kind], color=colour, alpha=0.55,
                linewidth=0, zorder=3 if kind == "assumptions" else 2, rasterized=True,
            )  # fmt: skip
    low = min(axes.get_xlim()[0], axes.get_ylim()[0])
    high = max(axes.get_xlim()[1], axes.get_ylim()[1])
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.plot([low, high], [low, high], color=INK, linewidth=0.9, zorder=4)


def _axes(
    axes: "Axes", points: Sequence[ValidationPoint], what: str, mean: float, most: float
) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set_facecolor("none")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=16))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=8)
    axes.set_xlabel("simulated, cycles per call", color=INK, fontsize=10)
    axes.set_ylabel("predicted, cycles per call", color=INK, fontsize=10)
    axes.set_title(
        f"{what}: {mean:.2%} off on average, {most:.1%} at most",
        color=INK, fontsize=10, loc="left",
    )  # fmt: skip


def _legend(figure: "Figure", points: Sequence[ValidationPoint]) -> None:
    from matplotlib.lines import Line2D

    kinds = [kind for kind in _COLOURS if any(one.kind == kind for one in points)]
    handles = [
        Line2D([], [], linestyle="none", marker=_SHAPES[kind], markersize=6, color=_COLOURS[kind],
               markeredgewidth=0, label=_MEANING[kind])
        for kind in reversed(kinds)
    ]  # fmt: skip
    handles.append(Line2D([], [], color=INK, linewidth=0.9, label="model and simulation agree"))
    figure.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0.015, 0.005),
        ncols=3,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
    )

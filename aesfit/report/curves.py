# SPDX-License-Identifier: MIT
"""Cycles per call against the length of the burst, one line for each core, as PNG or SVG.

Cores that are the fastest somewhere are coloured, and crossovers are marked; the others are grey.
"""

from typing import TYPE_CHECKING

from .marks import DOTS_PER_INCH, GRID, INK, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..cachemodel.predict import Prediction

PALETTE = ("#0072b2", "#992c5b", "#d99100", "#007a5e", "#6f4ba0", "#b34700")
OTHERS = "#c3c9d3"
"""Style of cores that are nowhere the fastest."""
_APART = 13.0
"""Least distance of names at the right edge, in points."""


def render(prediction: "Prediction", suffix: str, title: str) -> bytes:
    """The picture as a file of that suffix, byte for byte the same for the same figures."""
    return saved(lambda: _figure(prediction, title), suffix)


def _figure(prediction: "Prediction", title: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 5.4), dpi=DOTS_PER_INCH, facecolor=PAPER)
    axes = figure.add_axes((0.085, 0.115, 0.745, 0.735))
    hierarchy = prediction.question.hierarchy
    data = hierarchy.data
    figure.text(0.022, 0.945, f"Bursts on {title}", color=INK, fontsize=14, fontweight="bold")
    told = (
        f"data cache of {data.size} bytes, {data.ways} ways, lines of {data.line} bytes, "
        f"{data.replacement}; {hierarchy.penalty.of(data.line):g} cycles a miss; "
        f"{prediction.question.evicted:.0%} evicted between bursts"
    )
    figure.text(0.022, 0.902, told, color=MUTED, fontsize=9)
    _axes(axes, prediction)
    colours = _colours(prediction)
    for core, row in prediction.per_call.items():
        colour = colours.get(core)
        axes.plot(
            prediction.calls,
            row,
            color=colour or OTHERS,
            linewidth=2.0 if colour else 1.4,
            zorder=3 if colour else 2,
        )
    _crossovers(axes, prediction)
    _names(axes, prediction, colours)
    return figure


def _colours(prediction: "Prediction") -> dict[str, str]:
    """Colours of the cores that are the fastest somewhere, in order."""
    best = dict.fromkeys(one.core for one in prediction.best)
    return {core: PALETTE[place % len(PALETTE)] for place, core in enumerate(best)}


def _axes(axes: "Axes", prediction: "Prediction") -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    first, last = prediction.question.first, max(prediction.question.last, 2)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlim(first, last)
    low = min(float(row.min()) for row in prediction.per_call.values())
    fastest = max(prediction.at(one.core, one.first) for one in prediction.best)
    high = max(float(row[-1]) for row in prediction.per_call.values())
    axes.set_ylim(low / 1.1, max(high, 2 * fastest) * 1.1)
    low, high = axes.get_ylim()
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8) if high / low < 12 else (1, 2, 5)
    decades = [step * 10.0**power for power in range(9) for step in steps]
    powers = [1 << power for power in range(17)]
    axes.xaxis.set_major_locator(FixedLocator([n for n in powers if first <= n <= last]))
    axes.yaxis.set_major_locator(FixedLocator([n for n in decades if low <= n <= high]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    dress(axes, "calls in a burst", "cycles per call")


def dress(axes: "Axes", across: str, up: str) -> None:
    """Set grid, frame and texts as in all pictures."""
    axes.set_facecolor("none")
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=9)
    axes.set_xlabel(across, color=INK, fontsize=10)
    axes.set_ylabel(up, color=INK, fontsize=10)


def _crossovers(axes: "Axes", prediction: "Prediction") -> None:
    for one in prediction.crossovers:
        cycles = prediction.at(one.to, one.calls)
        axes.axvline(one.calls, color=MUTED, linewidth=1.0, linestyle=(0, (5, 4)), zorder=1)
        axes.scatter([one.calls], [cycles], s=34, color=INK, zorder=5, clip_on=False)
        axes.annotate(
            f"{one.calls}",
            (one.calls, 1.0),
            xytext=(5, -2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            va="top",
            color=INK,
            fontsize=9,
        )


def _names(axes: "Axes", prediction: "Prediction", colours: dict[str, str]) -> None:
    """Write names at the right edge, each joined to the end of its line."""
    ends = sorted((float(row[-1]), core) for core, row in prediction.per_call.items())
    frame = axes.get_window_extent()
    own = [float(axes.transData.transform((1.0, cycles))[1]) for cycles, _ in ends]
    for (_, core), start, height in zip(ends, own, spread(own, frame.y0, frame.y1), strict=True):
        at, to = (start - frame.y0) / frame.height, (height - frame.y0) / frame.height
        axes.annotate(
            core,
            (1.035, to),
            xycoords="axes fraction",
            va="center",
            color=colours.get(core, MUTED),
            fontsize=9,
            fontweight="bold" if core in colours else "normal",
            annotation_clip=False,
        )
        if at <= 1.0:
            axes.plot(
                (1.003, 1.03),
                (at, to),
                transform=axes.transAxes,
                color=colours.get(core, OTHERS),
                linewidth=0.8,
                clip_on=False,
            )


def spread(heights: list[float], bottom: float, top: float) -> list[float]:
    """Move ascending heights apart by as little as possible, within `bottom` and `top`; in pixels.

    Heights that would overlap are centred on their common mean.
    """
    apart = _APART * DOTS_PER_INCH / 72
    groups: list[tuple[float, int]] = []  # mean of heights less offsets, and number
    for place, height in enumerate(heights):
        groups.append((height - place * apart, 1))
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            (mean, many), (below, number) = groups.pop(), groups.pop()
            groups.append(((mean * many + below * number) / (many + number), many + number))
    placed = [mean for mean, many in groups for _ in range(many)]
    moved = [mean + place * apart for place, mean in enumerate(placed)]
    lifted = [max(at, bottom + place * apart) for place, at in enumerate(moved)]
    return [min(at, top - (len(moved) - 1 - place) * apart) for place, at in enumerate(lifted)]

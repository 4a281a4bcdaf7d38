# SPDX-License-Identifier: MIT
"""Draw the figures of docs/cache-model.md into docs/figures/: python tools/make_figures.py."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aesfit.cachemodel.analytic import curve
from aesfit.cachemodel.equations import Floats, expected_misses, miss_probability
from aesfit.cachemodel.predict import BurstQuestion, predict
from aesfit.cachemodel.versions import hierarchy, modelled_cores, versions
from aesfit.caches.cache import Cache, Hierarchy
from aesfit.platforms.find import platform_named
from aesfit.report.curves import PALETTE, dress, render, spread
from aesfit.report.marks import DOTS_PER_INCH, INK, PAPER
from aesfit.report.picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "figures"
LX = platform_named("lx-st200")
SIZES = tuple(1 << power for power in range(8, 15))
"""Sizes of the data cache in bytes."""


@dataclass(frozen=True)
class Plot:
    """Some lines over one axis."""

    title: str
    across: str
    up: str
    x: Sequence[float]
    lines: Mapping[str, Floats]
    binary: bool = False
    """The axis is logarithmic to base 2."""
    room: float = 0
    """Room before the lines for their names, in units of the axis."""


def _drawn(plot: Plot) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.4), dpi=DOTS_PER_INCH, facecolor=PAPER)
    axes = figure.add_axes((0.085, 0.14, 0.88, 0.72))
    figure.text(0.022, 0.925, plot.title, color=INK, fontsize=14, fontweight="bold")
    if plot.binary:
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(plot.x), [f"{value:g}" for value in plot.x])
    for place, row in enumerate(plot.lines.values()):
        axes.plot(plot.x, row, color=PALETTE[place], linewidth=2.0)
    axes.set_ylim(bottom=0)
    axes.set_xlim(plot.x[0] / (2.4 if plot.binary else 1) - plot.room, plot.x[-1])
    dress(axes, plot.across, plot.up)
    _name(axes, plot)
    return figure


def _name(axes: "Axes", plot: Plot) -> None:
    """Write names before the lines, without overlaps."""
    colours = dict(zip(plot.lines, PALETTE, strict=False))
    begins = sorted((float(row[0]), name) for name, row in plot.lines.items() if name)
    own = [float(axes.transData.transform((plot.x[0], y))[1]) for y, _ in begins]
    frame = axes.get_window_extent()
    for (_, name), height in zip(begins, spread(own, frame.y0, frame.y1), strict=True):
        at = axes.transData.inverted().transform((0.0, height))[1]
        axes.annotate(
            name,
            (plot.x[0], at),
            xytext=(-6, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            color=colours[name],
            fontsize=9,
        )


def _probability() -> Plot:
    t = np.arange(161)
    title = "Chance that a read misses, table of 32 lines"
    return Plot(
        title, "reads of the table before", "p(t)", t.tolist(), {"": miss_probability(32, t)}
    )


def _filling() -> Plot:
    """The worked burst of docs/cache-model.md: ttable4 on the Lx, lines of 16 bytes."""
    calls = np.arange(1, 9)
    return Plot(
        "A burst fills the cache: lines of a table (64) and of the S-box (16) after each call",
        "calls in the burst",
        "lines",
        calls.tolist(),
        {
            "table": expected_misses(64, 36 * calls),
            "S-box": expected_misses(16, 16 * calls),
        },
        room=1,
    )


def _misses() -> Plot:
    calls = np.arange(65)
    return Plot(
        "Expected misses of a table of 32 lines, 4 reads a call",
        "calls in a burst",
        "misses",
        calls.tolist(),
        {"": expected_misses(32, 4 * calls)},
    )


def _small_caches() -> Plot:
    found = versions(LX, modelled_cores(LX))
    penalty = hierarchy(LX).penalty
    lines = {
        one.core: np.array(
            [float(curve(one, Hierarchy(Cache(size, 16, 4), penalty), [64])[0]) for size in SIZES]
        )
        for one in found
    }
    return Plot(
        "Lx, bursts of 64 calls, 4 ways of 16-byte lines: what a smaller cache costs",
        "bytes of the data cache",
        "cycles per call",
        [float(size) for size in SIZES],
        lines,
        binary=True,
    )


def _lx(line: int) -> bytes:
    found = versions(LX, modelled_cores(LX))
    return render(
        predict(BurstQuestion(LX.name, hierarchy(LX, line=line), found)), ".svg", LX.title
    )


def _plotted(make: Callable[[], Plot]) -> bytes:
    return saved(lambda: _drawn(make()), ".svg")


def main() -> None:
    """Write every figure."""
    FOLDER.mkdir(exist_ok=True)
    figures = {
        "miss-probability": _plotted(_probability),
        "cache-filling": _plotted(_filling),
        "misses": _plotted(_misses),
        "small-caches": _plotted(_small_caches),
        "lx-16": _lx(16),
        "lx-32": _lx(32),
    }
    for name, content in figures.items():
        (FOLDER / f"{name}.svg").write_bytes(content)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Cycles, pace and energy over the clock of a chip, as PNG or SVG."""

from itertools import groupby
from typing import TYPE_CHECKING

from ..choosing.clock_sweep import ClockPoint, ClockSweep
from ..choosing.words import question
from .marks import DOTS_PER_INCH, GRID, INK, MUTED, PAPER
from .picture import saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE = "#0072b2"
_PANELS = ("cycles a message", "Mbit/s", "uJ a message")


def render(sweep: ClockSweep, kind: str) -> bytes:
    """The picture as a file of the suffix `kind`, the same for the same figures."""
    return saved(lambda: _figure(sweep), kind)


def _values(one: ClockPoint) -> tuple[float, float, float | None]:
    return one.cycles, one.bit_per_s / 1e6, one.microjoules


def _figure(sweep: ClockSweep) -> "Figure":
    from matplotlib.figure import Figure

    priced = any(one.microjoules is not None for one in sweep.points)
    panels = _PANELS if priced else _PANELS[:2]
    figure = Figure(figsize=(9.0, 1.2 + 2.1 * len(panels)), dpi=DOTS_PER_INCH, facecolor=PAPER)
    every = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
    for row, (axes, name) in enumerate(zip(every[:, 0], panels, strict=True)):
        _panel(axes, sweep, row, name)
    every[-1, 0].set_xlabel("clock, MHz", color=INK)
    title = sweep.request.platform.title
    figure.suptitle(f"{title}: {question(sweep.request)}", color=INK, fontsize=11, wrap=True)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    return figure


def _panel(axes: "Axes", sweep: ClockSweep, row: int, name: str) -> None:
    """Draw one quantity; clocks with the same wait states and core form one line."""
    for (waits, core), some in groupby(sweep.points, key=lambda one: (one.wait_states, one.core)):
        points = list(some)
        shown = [
            (one.clock_mhz, value) for one in points if (value := _values(one)[row]) is not None
        ]
        if shown:
            axes.plot(*zip(*shown, strict=True), "o-", color=_LINE, markersize=3, linewidth=1.5)
        if row == 0:
            told = f"{waits} wait state{'' if waits == 1 else 's'}\n{core}"
            middle = (points[0].clock_mhz + points[-1].clock_mhz) / 2
            axes.annotate(told, (middle, points[0].cycles), (0, 6), textcoords="offset points",
                          ha="center", fontsize=8, color=MUTED)  # fmt: skip
    axes.set_ylabel(name, color=INK)
    highest = max(value for one in sweep.points if (value := _values(one)[row]) is not None)
    axes.set_ylim(0, 1.3 * highest)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)

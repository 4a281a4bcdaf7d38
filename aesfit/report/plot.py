# SPDX-License-Identifier: MIT
"""Cycles against flash of every core, as PNG or SVG.

The area of a marker is proportional to RAM; its shape and colour say what is known of its timing.
Colours are distinguishable with any colour vision, on white and on dark.
"""

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from ..choosing.answer import Answer
from ..choosing.ranking import Choice
from ..choosing.words import question
from ..jobs.secrecy import Kind
from ..units import count
from .marks import (
    COLOURS,
    DOTS_PER_INCH,
    GRID,
    INK,
    LARGEST,
    MUTED,
    PAPER,
    Mark,
    area,
    corners,
    largest_ram,
    marks_of,
    write_names,
)
from .picture import saved
from .themed import unstyled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHAPES: dict[Kind, str] = {"proved": "o", "independent": "D", "here": "s", "depends": "^"}
_MEANING: dict[Kind, str] = {
    "proved": "independent of the key, proved",
    "independent": "independent of the key, not proved",
    "here": "independent of the key here",
    "depends": "depends on the key",
}


def render(answer: Answer, suffix: str, *, titled: bool = True) -> bytes:
    """The picture as a file of that suffix, byte for byte the same for the same figures."""
    choice = answer.choice
    return saved(
        lambda: _figure(choice, _notes(answer) if titled else None),
        suffix,
        lambda figure: write_names(figure.axes[0], marks_of(choice), choice.request.limits.flash),
    )


def for_page(svg: bytes) -> str:
    """An SVG to embed in a page: without prologue, with colours set by the page's theme."""
    text = svg.decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", unstyled(text), flags=re.DOTALL)
    themed = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"}
    themed |= {colour: name for name, colour in COLOURS.items()}
    for colour, name in themed.items():
        text = text.replace(colour, f"var(--{name}, {colour})")
    return re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1).replace(
        "<svg", '<svg role="img" aria-label="cycles per byte against flash"', 1
    )


def _notes(answer: Answer) -> str:
    """The basis of the figures."""
    choice = answer.choice
    told = [question(choice.request)]
    if choice.winner:
        provenance = choice.winner.row.provenance
        flags = choice.winner.flags_on(choice.request.platform)
        told += [provenance.memory, f"{provenance.compiler} {flags}"]
    return "; ".join([*told, answer.evidence])


def _figure(choice: Choice, notes: str | None) -> "Figure":
    from matplotlib.figure import Figure

    height = 6.4 if notes is not None else 5.4
    figure = Figure(figsize=(9.6, height), dpi=DOTS_PER_INCH, facecolor=PAPER)
    axes = figure.add_axes((0.085, 1.18 / height, 0.885, 4.1 / height))
    marks = marks_of(choice)
    _axes(axes, marks, _across(choice))
    _front(axes, marks)
    _limit(axes, choice.request.limits.flash)
    largest = largest_ram(marks)
    for mark in sorted(marks, key=lambda mark: -mark.ram):
        _marker(axes, mark, area(mark, largest))
    _legend(figure, marks, largest)
    if notes is not None:
        title = f"Which AES fits {choice.request.platform.title}?"
        figure.text(0.022, 0.95, title, color=INK, fontsize=14, fontweight="bold")
        lines = "\n".join(wrap(notes, 138, max_lines=3, placeholder=" ..."))
        figure.text(0.022, 0.928, lines, color=MUTED, fontsize=9, va="top", linespacing=1.4)
    return figure


def _across(choice: Choice) -> str:
    """The label of the first axis."""
    if choice.request.platform.rig == "published":
        return f"{choice.request.sizes[0]} (bytes)"
    return "flash: code, constants and tables (bytes)"


def _axes(axes: "Axes", marks: list[Mark], across: str) -> None:
    axes.set_facecolor("none")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    _range(axes, marks)
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(which="both", length=0, colors=MUTED, labelsize=9)
    axes.set_xlabel(across, color=INK, fontsize=10)
    axes.set_ylabel("cycles per byte", color=INK, fontsize=10)


def _range(axes: "Axes", marks: list[Mark]) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    def ends(values: list[float], room: float) -> tuple[float, float]:
        return (min(values) / room, max(values) * room) if values else (1.0, 10.0)

    x, y = ends([mark.x or 1.0 for mark in marks], 1.22), ends([mark.y for mark in marks], 1.25)
    axes.set_xlim(*x)
    axes.set_ylim(*y)
    steps = (1, 1.5) if x[1] / x[0] < 8 else (1,)
    powers = [step * 2**n for n in range(4, 24) for step in steps]
    decades = [step * 10.0**n for n in range(-3, 7) for step in _steps(y[1] / y[0])]
    axes.xaxis.set_major_locator(FixedLocator([v for v in powers if x[0] <= v <= x[1]]))
    axes.yaxis.set_major_locator(FixedLocator([v for v in decades if y[0] <= v <= y[1]]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _binary(value)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())


def _binary(size: float) -> str:
    """Format a size as --max-flash takes it: 4K is 4096 bytes."""
    return f"{size / 1024:.3g}K" if size >= 1024 else f"{size:g}"


def _steps(span: float) -> tuple[float, ...]:
    """Ticks within a decade, more of them if the axis is short."""
    if span < 6:
        return (1, 1.5, 2, 3, 4, 5, 6, 8)
    return (1, 2, 3, 5) if span < 40 else (1, 2, 5)


def _front(axes: "Axes", marks: list[Mark]) -> None:
    line = corners(marks)
    if len(line) > 1:
        axes.plot(*zip(*line, strict=True), color=MUTED, linewidth=1.4, zorder=2)


def _limit(axes: "Axes", limit: int | None) -> None:
    low, high = axes.get_xlim()
    if limit is None or not low < limit < high:
        return
    axes.axvline(limit, color=INK, linewidth=1.0, linestyle=(0, (5, 4)), zorder=1)
    axes.annotate(
        f"limit {_binary(limit)}",
        (limit, 1.0),
        xytext=(5, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        va="top",
        color=INK,
        fontsize=9,
    )


def _marker(axes: "Axes", mark: Mark, size: float) -> None:
    kind = mark.kind
    axes.scatter(
        [mark.x],
        [mark.y],
        s=size,
        marker=_SHAPES[kind],
        facecolor="none" if mark.dropped else COLOURS[kind],
        edgecolor=MUTED if mark.dropped else INK if mark.front else PAPER,
        linewidth=1.8 if mark.front else 1.0,
        zorder=4 if mark.front else 3,
    )


def _legend(figure: "Figure", marks: list[Mark], largest: int) -> None:
    from matplotlib.lines import Line2D

    def dot(label: str, shape: str, face: str, edge: str, area: float = 64) -> Line2D:
        return Line2D(
            [],
            [],
            linestyle="none",
            marker=shape,
            markersize=area**0.5,
            markerfacecolor=face,
            markeredgecolor=edge,
            markeredgewidth=1.8 if edge == INK else 1.0,
            label=label,
        )

    kinds = [kind for kind in COLOURS if any(mark.kind == kind for mark in marks)]
    handles = [dot(_MEANING[kind], _SHAPES[kind], COLOURS[kind], PAPER) for kind in kinds]
    handles.append(dot("on the Pareto front (cycles, flash, RAM)", "o", "none", INK))
    handles.append(Line2D([], [], color=MUTED, linewidth=1.4, label="none is faster and smaller"))
    if any(mark.dropped for mark in marks):
        handles.append(dot("over a limit", "o", "none", MUTED))
    handles.append(dot(f"area: RAM, here {count(largest)} bytes", "o", GRID, MUTED, LARGEST))
    figure.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0.015, 0.005),
        ncols=4,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
        handletextpad=0.5,
        columnspacing=1.6,
    )

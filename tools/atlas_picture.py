# SPDX-License-Identifier: MIT
"""A picture of the atlas: cycles against flash of every core, as SVG that a page holds.

It takes its colours from the page, so that it can be read in the light and in the dark.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 720, 420
"""Of the picture, in its own units."""
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50
"""Margins."""
RADIUS = 5
_NAME = (110, 13)
"""Room of a name, across and up."""
_STEPS = (1, 2, 5)
"""Of a logarithmic axis in each decade."""


@dataclass(frozen=True)
class Mark:
    """A core in the picture."""

    name: str
    flash: int
    cycles: float
    steady: bool
    """Constant-time on every memory."""
    front: bool
    """No other core beats it in everything, so its name is written."""


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis from one place to another."""

    least: float
    most: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies."""
        share = (log10(value) - log10(self.least)) / (log10(self.most) - log10(self.least))
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The round values on it."""
        decades = range(floor(log10(self.least)), ceil(log10(self.most)) + 1)
        every = (step * 10.0**decade for decade in decades for step in _STEPS)
        return [value for value in every if self.least <= value <= self.most]


def axis(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis with some room around the values."""
    found = list(values)
    return Axis(min(found) / 1.2, max(found) * 1.2, start, end)


def picture(marks: Sequence[Mark], told: str) -> str:
    """The SVG; `told` says what it shows to who cannot see it."""
    across = axis((one.flash for one in marks), LEFT, WIDTH - RIGHT)
    up = axis((one.cycles for one in marks), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(told)}" '
        'fill="currentColor" font-size="12" style="max-width:100%">',
        *_grid(across, up),
        *(_mark(one, across.at(one.flash), up.at(one.cycles)) for one in marks),
        *_names(marks, across, up),
        "</svg>",
    ]
    return "\n".join(parts)


def _grid(across: Axis, up: Axis) -> Iterable[str]:
    line = 'stroke="currentColor" stroke-opacity="0.15"'
    foot, side = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in across.ticks():
        x = across.at(value)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{foot}" {line}/>'
        yield f'<text x="{x:.1f}" y="{foot + 16}" text-anchor="middle">{value:,.0f}</text>'
    for value in up.ticks():
        y = up.at(value)
        yield f'<line x1="{LEFT}" x2="{side}" y1="{y:.1f}" y2="{y:.1f}" {line}/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:,.0f}</text>'
    middle = (LEFT + side) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">bytes of flash</text>'
    yield f'<text x="{LEFT}" y="{TOP - 6}" text-anchor="end">cycles</text>'


def _mark(one: Mark, x: float, y: float) -> str:
    kind = f"{'independent of' if one.steady else 'may depend on'} the key"
    told = f"{one.name}: {one.cycles:,.0f} cycles, {one.flash:,} bytes, {kind}"
    fill = "currentColor" if one.steady else "none"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{fill}" stroke="currentColor">'
        f"<title>{escape(told)}</title></circle>"
    )


def _names(marks: Sequence[Mark], across: Axis, up: Axis) -> Iterable[str]:
    """Names of the front, the fastest first; one that would cover another is left out."""
    written: list[tuple[float, float]] = []
    for one in sorted(marks, key=lambda mark: mark.cycles):
        x, y = across.at(one.flash) + 8, up.at(one.cycles) + 14
        if one.front and all(abs(x - a) > _NAME[0] or abs(y - b) > _NAME[1] for a, b in written):
            written.append((x, y))
            yield f'<text x="{x:.1f}" y="{y:.1f}">{escape(one.name)}</text>'

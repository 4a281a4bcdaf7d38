# SPDX-License-Identifier: MIT
"""Place labels beside points so that they cover neither each other nor the points.

Greedy: each label takes the cheapest place on a ring around its point, given the others' places,
until nothing moves any more.  Lengths are in any one unit, y upwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin

_ANGLES = (0, 180, 35, -35, 145, -145, 90, -90, 65, -65, 115, -115)
_DISTANCES = (0.0, 5.0, 11.0, 18.0, 26.0, 36.0, 48.0)
_PASSES = 8


@dataclass(frozen=True)
class Spot:
    """A point with its marker and its label."""

    x: float
    y: float
    radius: float
    """Radius of the marker."""
    width: float
    """Size of the label."""
    height: float


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: "Box") -> float:
        """Area of the intersection."""
        if self.right <= other.left or other.right <= self.left:  # of most pairs: the area is 0
            return 0.0
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, width) * max(0.0, height)

    def outside(self, other: "Box") -> float:
        """Area of this box outside `other`."""
        area = (self.right - self.left) * (self.top - self.bottom)
        return area - self.overlap(other)


def place(spots: Sequence[Spot], frame: Box, lines: Sequence[tuple[float, ...]] = ()) -> list[Box]:
    """A box for each label, inside `frame`; avoids `lines` (x0, y0, x1, y1) where possible."""
    markers = [Box(s.x - s.radius, s.y - s.radius, s.x + s.radius, s.y + s.radius) for s in spots]
    strokes = [_thin(line) for line in lines]
    boxes = [_box(spot, 0, 0.0) for spot in spots]
    choices = [_choices(spot, frame, markers, strokes) for spot in spots]
    for _ in range(_PASSES):
        before = list(boxes)
        for index, some in enumerate(choices):
            others = [box for at, box in enumerate(boxes) if at != index]
            boxes[index] = min(some, key=lambda one: one.cost(others)).box
        if boxes == before:
            break
    return boxes


@dataclass(frozen=True)
class _Choice:
    """A place for a label, and what it costs there whatever the other labels do."""

    box: Box
    costs: tuple[float, ...]

    def cost(self, labels: Sequence[Box]) -> float:
        """Beside these labels."""
        return sum(self.costs, 10 * sum(map(self.box.overlap, labels)))


def _choices(
    spot: Spot, frame: Box, markers: Sequence[Box], strokes: Sequence[Box]
) -> list[_Choice]:
    return [
        _choice(spot, frame, markers, strokes, angle, distance)
        for distance in _DISTANCES
        for angle in _ANGLES
    ]


def _choice(
    spot: Spot,
    frame: Box,
    markers: Sequence[Box],
    strokes: Sequence[Box],
    angle: int,
    distance: float,
) -> _Choice:
    box = _box(spot, angle, distance)
    covered = 6 * sum(map(box.overlap, markers)), 5 * sum(map(box.overlap, strokes))
    return _Choice(
        box, (*covered, 20 * box.outside(frame), 1.5 * distance, 0.2 * _ANGLES.index(angle))
    )


def _box(spot: Spot, angle: int, distance: float) -> Box:
    """The label's place: its nearest edge lies on a ring around the marker."""
    reach = spot.radius + 2.5 + distance
    dx, dy = cos(radians(angle)), sin(radians(angle))
    x = spot.x + reach * dx + spot.width / 2 * _side(dx)
    y = spot.y + reach * dy + spot.height / 2 * _side(dy)
    return Box(x - spot.width / 2, y - spot.height / 2, x + spot.width / 2, y + spot.height / 2)


def _side(cosine: float) -> float:
    return 0.0 if abs(cosine) < 0.3 else 1.0 if cosine > 0 else -1.0


def _thin(line: tuple[float, ...]) -> Box:
    x0, y0, x1, y1 = line
    return Box(min(x0, x1) - 1, min(y0, y1) - 1, max(x0, x1) + 1, max(y0, y1) + 1)


def gap(spot: Spot, box: Box) -> float:
    """How far the label's nearest edge is from the marker's rim."""
    dx = max(box.left - spot.x, 0.0, spot.x - box.right)
    dy = max(box.bottom - spot.y, 0.0, spot.y - box.top)
    return hypot(dx, dy) - spot.radius

# SPDX-License-Identifier: MIT
"""Three test pictures drawn by formulas, so that nothing is downloaded or copyrighted.

A logo has flat areas, which ECB shows; a gradient changes slowly everywhere; a landscape seen from
above has detail at all scales, as photographs have.  Nothing in them is random: their "noise" is an
integer hash.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .picture_file import Picture

EDGES = (200, 300, 400)
"""Pixels of the square pictures in Doomun et al., table 1."""
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
_FINE = 4
"""Points sampled along each edge of a pixel."""
_PAPER, _NAVY, _BLUE, _GOLD = "f5f1e8", "162c4e", "2f6fa8", "e9a23b"
_CORNERS = ("2b1e66", "1f9eb7", "e84a5f", "ffce6b")
"""Colours at top left, top right, bottom left, bottom right."""
_LAND = (
    *((0.00, "0b2545"), (0.34, "1a5a7e"), (0.44, "4fa3a5"), (0.46, "e0cc9b"), (0.50, "7d9b4e")),
    *((0.60, "3c663a"), (0.70, "6b5d4b"), (0.80, "9c9288"), (0.87, "dfe4ea"), (1.00, "f2f4f7")),
)
"""Colours by height."""
_SEA = 0.45
_WHERE = 7.3
"""Offset of both noise coordinates, chosen for a landscape with lakes and snow."""
_OCTAVES = 8
"""The finest grid has 2.6 * 2^7 cells to an edge: about one to a pixel."""


def _colour(hexadecimal: str) -> Floats:
    """Red, green and blue, 0 to 255."""
    return np.array(list(bytes.fromhex(hexadecimal)), np.float64)


def _grid(edge: int, fine: int = 1) -> tuple[Floats, Floats]:
    """Coordinates x and y, from 0 to 1, of the sampled points."""
    line = (np.arange(edge * fine) + 0.5) / (edge * fine)
    return line[None, :], line[:, None]


def _averaged(samples: Floats, fine: int) -> Floats:
    """Average squares of fine x fine points to pixels."""
    total = samples[::fine, ::fine].copy()
    for row in range(fine):
        for column in range(fine):
            if row or column:
                total += samples[row::fine, column::fine]
    return total / fine**2


def _shield(x: Floats, y: Floats, rim: float) -> NDArray[np.bool_]:
    """A shield without its outer `rim`: a square above, two arcs that meet in a point below."""
    across, down = np.abs(x - 0.5), y - 0.45
    body = (across <= 0.29 - rim) & (down >= -0.37 + rim) & (down <= 0)
    reach = across + 0.25  # the arcs are about points 0.25 beyond the middle
    radius = 0.54 - rim
    return body | ((down > 0) & (reach * reach + down * down <= radius * radius))


def _logo(edge: int) -> Floats:
    """A shield in two halves with a keyhole."""
    x, y = _grid(edge, _FINE)
    inside = _shield(x, y, 0.045)
    across, down = np.abs(x - 0.5), y - 0.40
    layers = (
        (_shield(x, y, 0), _GOLD),
        (inside, _NAVY),
        (inside & (x > 0.5), _BLUE),
        (across * across + down * down <= 0.09 * 0.09, _PAPER),
        ((across <= 0.03 + 0.16 * down) & (down > 0) & (down <= 0.23), _PAPER),
    )
    canvas = np.broadcast_to(_colour(_PAPER), (edge * _FINE, edge * _FINE, 3)).copy()
    for covered, colour in layers:
        canvas[covered] = _colour(colour)
    return _averaged(canvas, _FINE)


def _gradient(edge: int) -> Floats:
    """Four colours, one in each corner, mixed by distance."""
    x, y = (one[..., None] for one in _grid(edge))
    first, second, third, fourth = map(_colour, _CORNERS)
    return (first * (1 - x) + second * x) * (1 - y) + (third * (1 - x) + fourth * x) * y


def _mixed(across: Whole, down: Whole, octave: int) -> Floats:
    """Pseudo-random numbers from 0 to 1 for integer coordinates, hashed modulo 2^32."""
    mixed = across.astype(np.uint32) * np.uint32(0x9E3779B1)
    mixed = mixed ^ down.astype(np.uint32) * np.uint32(0x85EBCA77) ^ np.uint32(0x51A7 * octave)
    for multiplier in (0x7FEB352D, 0x846CA68B):
        mixed ^= mixed >> np.uint32(15)
        mixed *= np.uint32(multiplier)
    return (mixed ^ mixed >> np.uint32(16)) / float(1 << 32)


def _noise(x: Floats, y: Floats, octave: int) -> Floats:
    """Heights interpolated between integer coordinates by a smooth polynomial."""
    left, top = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    across, down = (
        part * part * part * (part * (part * 6 - 15) + 10) for part in (x - left, y - top)
    )
    upper, lower = (
        _mixed(left, row, octave) * (1 - across) + _mixed(left + 1, row, octave) * across
        for row in (top, top + 1)
    )
    return upper * (1 - down) + lower * down


def _heights(edge: int) -> Floats:
    """Sum of octaves of noise, each half as high, twice as fine and rotated by atan(3/4)."""
    x, y = _grid(edge)
    x, y = x * 2.6 + _WHERE, y * 2.6 + _WHERE
    total, weight = np.zeros((edge, edge)), 1.0
    for octave in range(_OCTAVES):
        total = total + weight * (_noise(x, y, octave) - 0.5)
        weight /= 2
        x, y = 2 * (0.8 * x - 0.6 * y), 2 * (0.6 * x + 0.8 * y)
    return total * 0.85 + 0.5


def _landscape(edge: int) -> Floats:
    """Land and sea from above, lit from the top left."""
    height = _heights(edge)
    stops = np.array([stop for stop, _ in _LAND])
    colours = np.stack([_colour(colour) for _, colour in _LAND])
    land = np.stack([np.interp(height, stops, colours[:, one]) for one in range(3)], axis=2)
    above = np.maximum(height, _SEA)
    padded = np.pad(above, 1, mode="edge")
    east, south = (padded[1:-1, 2:] - padded[1:-1, :-2]), (padded[2:, 1:-1] - padded[:-2, 1:-1])
    east, south = east * edge / 16, south * edge / 16
    light = (0.75 + 0.8 * (-east - south)) / np.sqrt(1 + east * east + south * south)
    light = np.where(height > _SEA, 0.35 + 0.74 * light, 1.0)
    whole = np.arange(edge)
    grain = _mixed(whole[None, :], whole[:, None], _OCTAVES) * 8 - 4
    return land * light[..., None] + grain[..., None]


SCENES: dict[str, Callable[[int], Floats]] = {
    "logo": _logo,
    "gradient": _gradient,
    "landscape": _landscape,
}


def scene(name: str, edge: int) -> Picture:
    """A test picture by name, `edge` pixels wide and high, in 24-bit colour."""
    samples = np.clip(np.floor(SCENES[name](edge) + 0.5), 0, 255).astype(np.uint8)
    return Picture(samples, "RGB", f"{name}-{edge}.bmp")

# SPDX-License-Identifier: MIT
"""A strip of pictures: what `aesfit image visible` predicts, side by side."""

import numpy as np
from numpy.typing import NDArray

from ..pictures.cipher import carrier
from ..pictures.picture_file import Picture, encoded, pixels_from
from ..pictures.statistics import BLOCK, as_bytes
from ..pictures.visible import AREA, REPEATED, SIMILAR, Reused, Visible, equal_places
from .contact_sheet import as_rgb

Colours = NDArray[np.uint8]
_GAP = 12
"""White pixels between the panels."""
_NOISE, _SIMILAR, _REPEATED = (0x9A, 0xA0, 0xA8), (0xE8, 0xC5, 0x47), (0xD1, 0x49, 0x5B)
_AREAS = np.array(
    [(0x12, 0x35, 0x5B), (0x2F, 0x6F, 0xB5), (0x2A, 0x9D, 0x4B), (0x7B, 0x3F, 0x98)], np.uint8
)
"""Colours of areas, by the rank of their pixel value; used again after the fourth."""


def _by_place(picture: Picture, colours: Colours) -> Colours:
    """Each pixel in the colour of the block that its first byte is in; a rest is like noise."""
    height, width = picture.pixels.shape[:2]
    each = picture.pixels[0, 0].nbytes
    at = np.arange(height * width) * each // BLOCK
    padded = np.vstack([colours, np.array([_NOISE], np.uint8)])
    return np.asarray(padded[np.minimum(at, len(colours))].reshape(height, width, 3))


def _ranks(picture: Picture, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The value of the first whole pixel of each block, as its rank: 0 is the most frequent."""
    each = picture.pixels[0, 0].nbytes
    pixels = as_bytes(picture.data).reshape(-1, each)
    first = np.minimum(-(-places * BLOCK // each), len(pixels) - 1)
    _, which, counts = np.unique(pixels[first], axis=0, return_inverse=True, return_counts=True)
    return np.asarray(np.argsort(np.argsort(-counts, kind="stable"))[which.reshape(-1)])


def shown_blocks(picture: Picture, found: Visible) -> Colours:
    """The map: areas by value, then what repeats, what is similar, and what is like noise."""
    colours = np.tile(np.array(_NOISE, np.uint8), (found.blocks, 1))
    colours[found.classes == SIMILAR] = _SIMILAR
    colours[found.classes == REPEATED] = _REPEATED
    areas = np.flatnonzero(found.classes == AREA)
    colours[areas] = _AREAS[_ranks(picture, areas) % len(_AREAS)]
    return _by_place(picture, colours)


def _same_place(picture: Picture, again: Reused) -> Colours:
    """XTS: equal blocks at the same place in dark blue, others like noise."""
    same = equal_places(again.xor)
    noise = np.array(_NOISE, np.uint8)
    return _by_place(picture, np.where(same[:, None], _AREAS[0], noise))


def strip(
    picture: Picture, found: Visible, other: Picture | None = None, again: Reused | None = None
) -> bytes:
    """A PNG: picture and map; with a second one also that, the XOR, and the map of XTS."""
    panels = [as_rgb(picture), shown_blocks(picture, found)]
    if other is not None and again is not None:
        xor = carrier(picture, pixels_from(again.xor.tobytes(), picture.pixels))
        panels += [as_rgb(other), as_rgb(xor), _same_place(picture, again)]
    gap = np.full((len(panels[0]), _GAP, 3), 255, np.uint8)
    row = [part for panel in panels for part in (panel, gap)][:-1]
    return encoded(Picture(np.concatenate(row, axis=1), "RGB", picture.name), ".png")

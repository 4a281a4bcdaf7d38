# SPDX-License-Identifier: MIT
"""Computes all figures of the bytes of one picture.

A plane is a channel, or the high or the low bytes of a 16-bit channel, since ciphers work on
bytes.  Entropy and correlation are means over the planes, chi-square is their sum; repeated blocks,
NPCR and UACI are of all bytes in the order in which they are encrypted.
"""

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from . import statistics
from .deep_colour import COLOUR_TYPES
from .expectation import LEAST_FOR_CHI_SQUARE
from .picture_file import Picture
from .statistics import BLOCK, Bytes
from .tails import chi_square_p

NAMES = (
    "entropy",
    "local_entropy",
    "chi_square",
    "p_value",
    "horizontal",
    "vertical",
    "diagonal",
    "repeated_blocks",
    "npcr",
    "uaci",
)
"""Names of the figures, in the order in which they are shown."""
Figures = dict[str, float | None]
"""Figures by NAMES; None if undefined."""
_CHANNELS = {
    "LA": ("grey", "alpha"),
    "P": ("index",),
    "RGB": ("red", "green", "blue"),
    "RGBA": ("red", "green", "blue", "alpha"),
    "CMYK": ("cyan", "magenta", "yellow", "black"),
    "YCbCr": ("Y", "Cb", "Cr"),
    "LAB": ("L", "a", "b"),
    "I;16": ("high byte", "low byte"),
}


def plane_names(picture: Picture) -> tuple[str, ...]:
    """Names of the planes, in the order of the bytes of a pixel."""
    if picture.mode in COLOUR_TYPES:
        channels = _CHANNELS[picture.mode.removesuffix(";16")]
        return tuple(f"{name}, {byte} byte" for name in channels for byte in ("high", "low"))
    return _CHANNELS.get(picture.mode, ("grey",))


def planes_of(data: bytes, picture: Picture) -> list[Bytes]:
    """Rows and columns of each plane."""
    shape = (picture.height, picture.width, -1)
    stacked = np.frombuffer(data, np.uint8).reshape(shape)
    return [np.ascontiguousarray(stacked[:, :, index]) for index in range(stacked.shape[2])]


def _mean(values: Sequence[float | None]) -> float | None:
    """Mean over the planes that have a value."""
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None


def measure(data: bytes, picture: Picture) -> Figures:
    """The figures of bytes in the shape of a picture; `changes` computes NPCR and UACI."""
    planes = planes_of(data, picture)
    counts = [statistics.histogram(plane) for plane in planes]
    chi_square = sum(statistics.chi_square(each) for each in counts)
    neighbours = [statistics.correlation(plane) for plane in planes]
    enough = planes[0].size >= LEAST_FOR_CHI_SQUARE
    return {
        "entropy": _mean([statistics.entropy(each) for each in counts]),
        "local_entropy": _mean([statistics.local_entropy(plane) for plane in planes]),
        "chi_square": chi_square,
        "p_value": chi_square_p(chi_square, 255 * len(planes)) if enough else None,
        "horizontal": _mean([each.horizontal for each in neighbours]),
        "vertical": _mean([each.vertical for each in neighbours]),
        "diagonal": _mean([each.diagonal for each in neighbours]),
        "repeated_blocks": statistics.repeated_blocks(data) if len(data) >= BLOCK else None,
        "npcr": None,
        "uaci": None,
    }

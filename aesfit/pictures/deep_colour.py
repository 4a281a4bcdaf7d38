# SPDX-License-Identifier: MIT
"""Colour with 16 bits per channel, of which Pillow keeps only the upper 8.

Pillow has decoders for both byte orders, and each keeps one of the two bytes; so decoding twice
gives the full picture.  PNG is written here: signature, IHDR, rows without filter, IEND.  Source:
W3C, Portable Network Graphics (PNG) Specification, third edition.
"""

import re
import struct
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

COLOUR_TYPES = {"LA;16": 4, "RGB;16": 2, "RGBA;16": 6}
"""Kinds of pixels, and PNG's number for them."""
_RAW = re.compile(r"(LA|RGB|RGBA);16([BLN])")
_LEVEL = 6
"""Compression level, zlib's default."""


def _raw(image: "Image.Image") -> re.Match[str] | None:
    """How Pillow would unpack the pixels, if all parts of the picture agree."""
    found = set()
    for tile in getattr(image, "tile", ()):
        arguments = tile[3]
        found.add(arguments if isinstance(arguments, str) else (arguments or ("",))[0])
    return _RAW.fullmatch(str(found.pop())) if len(found) == 1 else None


def kind(image: "Image.Image") -> str | None:
    """One of COLOUR_TYPES for a picture that was opened and not yet decoded, or None."""
    raw = _raw(image)
    return None if raw is None else f"{raw[1]};16"


def samples(path: Path, image: "Image.Image") -> NDArray[np.uint16]:
    """All 16 bits of a picture that `kind` knows, by row, column and channel."""
    raw = _raw(image)
    assert raw is not None and image.format  # noqa: S101, PT018 - checked by the caller
    order = raw[2] if raw[2] != "N" else sys.byteorder[0].upper()
    if raw[1] == "LA":  # two 2-byte channels are unpacked like four of 1 byte
        four = _decoded(path, image.format, "RGBA", "RGBA")
        first, second = four[..., ::2], four[..., 1::2]
    else:
        first, second = (
            _decoded(path, image.format, raw[1], f"{raw[1]};16{kept}") for kept in "BL"
        )
    return _joined(first, second) if order == "B" else _joined(second, first)


def _joined(high: NDArray[np.uint8], low: NDArray[np.uint8]) -> NDArray[np.uint16]:
    both = high.astype(np.uint16)
    both <<= 8  # in place: pictures are large
    both |= low
    return both


def _decoded(path: Path, form: str, mode: str, raw: str) -> NDArray[np.uint8]:
    """The picture unpacked in a given way."""
    from PIL import Image

    with Image.open(path, formats=[form]) as image:
        image._mode = mode
        image.tile = [
            tile._replace(args=(raw, *tile[3][1:]) if isinstance(tile[3], tuple) else raw)
            for tile in image.tile
        ]
        return np.asarray(image)


def png(
    pixels: NDArray[np.uint16], mode: str, transparency: object, text: tuple[str, str] | None
) -> bytes:
    """Such pixels as a PNG, with a transparent colour and a text under its keyword."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + 2 * width * channels), np.uint8)  # each after its filter, 0
    rows[:, 1:] = pixels.astype(">u2").reshape(height, -1).view(np.uint8)
    head = struct.pack(">IIBBBBB", width, height, 16, COLOUR_TYPES[mode], 0, 0, 0)
    parts = [b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", head)]
    if mode == "RGB;16" and isinstance(transparency, tuple):
        parts.append(_chunk(b"tRNS", struct.pack(">HHH", *transparency)))
    if text is not None:
        parts.append(_chunk(b"tEXt", "\0".join(text).encode("latin-1")))
    data = zlib.compress(rows.tobytes(), _LEVEL)
    return b"".join([*parts, _chunk(b"IDAT", data), _chunk(b"IEND", b"")])


def _chunk(kind_of: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind_of + data)
    return struct.pack(">I", len(data)) + kind_of + data + struct.pack(">I", check)

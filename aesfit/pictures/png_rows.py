# SPDX-License-Identifier: MIT
"""Checks that a PNG has all rows: Pillow silently fills missing ones with black.

The compressed data are inflated piece by piece and counted, so that memory stays small.
Source: W3C, Portable Network Graphics (PNG) Specification, third edition, 7.2, 8 and 11.2.1.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels of each colour type."""
_PASSES = (
    *((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2)),
    (0, 1, 1, 2),
)
"""Adam7: first column, first row, and the steps to the next ones."""
_SIGNATURE_BYTES = 8
_PIECE = 1 << 16


def bytes_of(width: int, height: int, bits: int, interlaced: bool) -> int:
    """Bytes of all rows with their filter bytes; `bits` per pixel."""
    passes = _PASSES if interlaced else ((0, 0, 1, 1),)
    total = 0
    for column, row, across, down in passes:
        columns, rows = -(-(width - column) // across), -(-(height - row) // down)
        if columns > 0 and rows > 0:
            total += rows * (1 + (columns * bits + 7) // 8)
    return total


def check_rows(stream: BinaryIO) -> None:
    """Raise ValueError if rows are missing; the stream must be at the file's beginning."""
    stream.seek(_SIGNATURE_BYTES)
    chunks = _chunks(stream)
    _, head = next(chunks)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    needed = bytes_of(width, height, depth * _CHANNELS[colour], bool(interlaced))
    found = 0
    for some in _inflated(data for kind, data in chunks if kind == b"IDAT"):
        found += some
        if found >= needed:  # the rest is ignored, however large it would inflate
            break
    else:
        raise ValueError(
            f"rows are missing: {found} of {needed} bytes are there, so the file was cut short"
        )


def _chunks(stream: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Kind and data of each chunk; Pillow checks their checksums.

    ValueError for a second header, which Pillow would use instead of the first.
    """
    heads = 0
    while len(front := stream.read(8)) == 8:
        size, kind = struct.unpack(">I4s", front)
        heads += kind == b"IHDR"
        if heads != 1:
            raise ValueError("it does not have one header (IHDR) at its beginning")
        yield kind, stream.read(size)
        stream.seek(4, 1)
        if kind == b"IEND":
            return


def _inflated(parts: Iterator[bytes]) -> Iterator[int]:
    """Sizes of the inflated pieces."""
    inflate = zlib.decompressobj()
    for part in parts:
        rest = part
        while rest and not inflate.eof:
            yield len(inflate.decompress(rest, _PIECE))
            rest = inflate.unconsumed_tail
    yield len(inflate.flush())

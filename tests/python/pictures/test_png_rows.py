# SPDX-License-Identifier: MIT
"""PNGs with rows missing are refused, whole ones are not; samples are bounded by their bytes."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from aesfit.pictures.picture_file import read
from aesfit.pictures.png_rows import _PASSES, bytes_of

DEPTHS = (
    (0, 1),
    (0, 2),
    (0, 4),
    (0, 8),
    (0, 16),
    (2, 8),
    (2, 16),
    (4, 8),
    (4, 16),
    (6, 8),
    (6, 16),
)
"""Colour types and bits a sample, without palettes."""
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunk(kind: bytes, data: bytes) -> bytes:
    front = struct.pack(">I", len(data)) + kind + data
    return front + struct.pack(">I", zlib.crc32(kind + data))


def png(
    path: Path, size: tuple[int, int], of: tuple[int, int], rows: bytes, *, interlaced: int = 0
) -> Path:
    """A PNG of these filtered rows, compressed in three chunks."""
    head = struct.pack(">IIBBBBB", *size, of[1], of[0], 0, 0, interlaced)
    data = zlib.compress(rows)
    parts = (data[:5], data[5:9], data[9:])
    body = b"".join(chunk(b"IDAT", part) for part in parts)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b""))
    return path


@pytest.mark.parametrize("of", DEPTHS)
@pytest.mark.parametrize("interlaced", [0, 1])
def test_whole_pictures_are_read_and_shorter_ones_are_not(
    tmp_path: Path, of: tuple[int, int], interlaced: int
) -> None:
    for size in ((1, 1), (3, 2), (5, 9), (17, 11)):
        bits = of[1] * CHANNELS[of[0]]
        needed = bytes_of(*size, bits, bool(interlaced))
        path = tmp_path / "whole.png"
        found = read(png(path, size, of, bytes(needed), interlaced=interlaced))
        assert (found.width, found.height) == size
        assert not found.pixels.any()
        for less in (1, needed // 2, needed):
            png(path, size, of, bytes(needed - less), interlaced=interlaced)
            with pytest.raises(ValueError, match=r"whole\.png: the picture is broken .*missing"):
                read(path)


def test_passes_hold_each_pixel_once() -> None:
    """Adam7's rows, made from a picture by the passes, are that picture."""
    pixels = np.arange(13 * 11).reshape(13, 11)
    seen = np.zeros_like(pixels)
    for column, row, across, down in _PASSES:
        seen[row::down, column::across] += 1
    assert (seen == 1).all()


def test_interlaced_rows_are_counted_as_they_are_stored(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (9, 13), np.uint8)
    rows = b"".join(
        b"\0" + line.tobytes()
        for column, row, across, down in _PASSES
        for line in pixels[row::down, column::across]
        if line.size
    )
    assert len(rows) == bytes_of(13, 9, 8, interlaced=True)
    found = read(png(tmp_path / "a.png", (13, 9), (0, 8), rows, interlaced=1))
    assert (found.pixels[..., 0] == pixels).all()


def test_more_data_than_rows_is_no_harm(tmp_path: Path) -> None:
    path = png(tmp_path / "a.png", (4, 4), (0, 8), bytes(bytes_of(4, 4, 8, False) + 100000))
    assert read(path).pixels.shape == (4, 4, 1)


@pytest.mark.parametrize(
    ("of", "height"), [((0, 8), 64), ((2, 8), 64), ((6, 8), 48), ((2, 16), 32), ((6, 16), 24)]
)
def test_samples_are_bounded_by_their_bytes(
    tmp_path: Path, of: tuple[int, int], height: int
) -> None:
    """64 pixels may have 192 bytes."""
    bits = of[1] * CHANNELS[of[0]]
    rows = bytes(bytes_of(1, height, bits, False))
    assert read(png(tmp_path / "a.png", (1, height), of, rows), 64).height == height
    rows = bytes(bytes_of(1, height + 1, bits, False))
    with pytest.raises(ValueError, match=r"more than the .* allowed; raise --max-pixels"):
        read(png(tmp_path / "a.png", (1, height + 1), of, rows), 64)

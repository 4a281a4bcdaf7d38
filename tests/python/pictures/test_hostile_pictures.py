# SPDX-License-Identifier: MIT
"""Pictures whose headers lie: sizes within icons, parts that are not there, second headers."""

import struct
import zlib
from pathlib import Path

import pytest

from aesfit.pictures.picture_file import read

PNG = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    front = struct.pack(">I", len(data)) + kind + data
    return front + struct.pack(">I", zlib.crc32(kind + data))


def header(width: int, height: int) -> bytes:
    """IHDR of 8-bit grey."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))


def rows(width: int, height: int) -> bytes:
    return chunk(b"IDAT", zlib.compress((b"\0" + b"\xc8" * width) * height))


def png(width: int, height: int) -> bytes:
    return PNG + header(width, height) + rows(width, height) + chunk(b"IEND", b"")


def icon(within: bytes) -> bytes:
    """An .ico that says 16 x 16 of a PNG."""
    entry = struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(within), 22)
    return struct.pack("<HHH", 0, 1, 1) + entry + within


def apple_icon(within: bytes) -> bytes:
    """An .icns that says 128 x 128 of a PNG."""
    size = len(within) + 8
    return b"icns" + struct.pack(">I", size + 8) + b"ic07" + struct.pack(">I", size) + within


def tiff(height: int, strips: int) -> bytes:
    """Grey, 50 wide, with a strip for each 10 rows, of which only some are listed."""
    size, at = 500, 8 + 2 + 9 * 12 + 4
    places = [at + 8 * strips + one * size for one in range(strips)]
    entries = (
        *((256, 1, 50), (257, 1, height), (258, 1, 8), (259, 1, 1), (262, 1, 1)),
        *((273, strips, at), (277, 1, 1), (278, 1, 10), (279, strips, at + 4 * strips)),
    )
    directory = b"".join(struct.pack("<HHII", tag, 4, many, of) for tag, many, of in entries)
    lists = struct.pack(f"<{2 * strips}I", *places, *[size] * strips)
    front = b"II*\0" + struct.pack("<IH", 8, len(entries))
    return front + directory + bytes(4) + lists + b"\xc8" * size * strips


def refusal(tmp_path: Path, name: str, content: bytes, limit: int = 64_000_000) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=name) as error:
        read(path, limit)
    return str(error.value)


@pytest.mark.parametrize(("name", "wrapped"), [("a.ico", icon), ("a.icns", apple_icon)])
def test_a_picture_within_an_icon_is_bounded_before_it_is_decoded(
    tmp_path: Path, name: str, wrapped: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(wrapped)
    decoded: list[tuple[int, int]] = []
    from PIL import PngImagePlugin

    ready = PngImagePlugin.PngImageFile.load_prepare

    def prepared(image: PngImagePlugin.PngImageFile) -> None:
        decoded.append(image.size)
        ready(image)

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load_prepare", prepared)
    told = refusal(tmp_path, name, wrapped(png(300, 300)), 300 * 300 - 2)
    assert "90,000 pixels are more than the 89,998 allowed; raise --max-pixels" in told
    assert decoded == []


def test_an_icon_of_the_size_it_says_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ico"
    path.write_bytes(icon(png(16, 16)))
    assert read(path, 256).pixels.shape == (16, 16, 1)


def test_a_second_header_makes_no_rows_of_nothing(tmp_path: Path) -> None:
    body = header(10, 8) + header(10, 1000) + rows(10, 8) + chunk(b"IEND", b"")
    assert "not have one header" in refusal(tmp_path, "a.png", PNG + body)


def test_a_first_frame_that_is_smaller_is_refused(tmp_path: Path) -> None:
    frame = struct.pack(">IIIIIHHBB", 0, 10, 8, 0, 0, 1, 1, 0, 0)
    animated = chunk(b"acTL", struct.pack(">II", 1, 0)) + chunk(b"fcTL", frame)
    body = header(10, 1000) + animated + rows(10, 1000) + chunk(b"IEND", b"")
    assert "80 of 10000 pixels are there" in refusal(tmp_path, "a.png", PNG + body)


def test_strips_that_are_not_listed_are_missing(tmp_path: Path) -> None:
    assert "1500 of 5000 pixels" in refusal(tmp_path, "a.tif", tiff(100, 3))
    whole = tmp_path / "whole.tif"
    whole.write_bytes(tiff(95, 10))
    assert (read(whole).pixels == 0xC8).all()

# SPDX-License-Identifier: MIT
"""Reading and writing pictures: samples as stored, and what is refused."""

import random
import struct
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from pictures import DEEP, KINDS, make, noise
from PIL import Image

from aesfit.pictures.picture_file import (
    FORMATS,
    MODES,
    Palette,
    Picture,
    _picture,
    encoded,
    image,
    read,
)


@pytest.mark.parametrize("name", KINDS)
def test_samples_are_as_pillow_stores_them(name: str, tmp_path: Path) -> None:
    path = make(tmp_path, name)
    found = read(path)
    with Image.open(path) as expected:
        assert found.mode == expected.mode
        assert (found.width, found.height) == expected.size
        assert image(found).tobytes() == expected.tobytes()
    assert (found.name, found.notes, found.text) == (name, (), None)


@pytest.mark.parametrize("suffix", FORMATS)
def test_formats_keep_the_pixels_they_say(suffix: str, tmp_path: Path) -> None:
    for mode in FORMATS[suffix][1]:
        bands = len(
            Image.new(mode if mode == "I;16" else mode.removesuffix(";16"), (1, 1)).getbands()
        )
        rng = np.random.default_rng(bands)
        kind, top = (np.uint16, 1 << 16) if mode.endswith(";16") else (np.uint8, 256)
        pixels = rng.integers(0, top, (5, 9, bands), kind)
        if mode == "1":
            pixels = np.where(pixels > 127, np.uint8(255), np.uint8(0))
        palette = Palette("RGB", rng.bytes(768)) if mode == "P" else None
        picture = Picture(pixels, mode, "made", palette)
        path = tmp_path / f"{bands}{suffix}"
        path.write_bytes(encoded(picture, suffix))
        found = read(path)
        assert (found.mode, found.palette) == (mode, palette), mode
        assert (found.pixels == pixels).all(), mode


def test_other_formats_are_named() -> None:
    picture = Picture(np.zeros((1, 1, 4), np.uint8), "CMYK", "made")
    with pytest.raises(ValueError, match=r"kind CMYK; name a file that ends in \.tif, \.tiff$"):
        encoded(picture, ".png")


def test_every_kind_of_pixels_has_a_format() -> None:
    assert {mode for _, modes in FORMATS.values() for mode in modes} == set(MODES)


def test_indices_beyond_the_palette_are_kept(tmp_path: Path) -> None:
    pixels = np.arange(6, dtype=np.uint8).reshape(2, 3, 1)
    picture = Picture(pixels, "P", "made", Palette("RGB", b"\1\2\3" * 2))
    path = tmp_path / "few.png"
    path.write_bytes(encoded(picture, ".png"))
    assert (read(path).pixels == pixels).all()


def test_a_palette_with_opacity_is_kept(tmp_path: Path) -> None:
    pixels = np.array([[[0], [1]]], np.uint8)
    picture = Picture(pixels, "P", "made", Palette("RGBA", bytes(range(8))))
    path = tmp_path / "rgba.png"
    path.write_bytes(encoded(picture, ".png"))
    found = read(path)
    assert found.palette == Palette("RGB", bytes((0, 1, 2, 4, 5, 6)))
    assert found.transparency == bytes((3, 7))


def test_rare_kinds_are_taken_as_common_ones() -> None:
    made = noise("RGBA")
    for kind, taken in {"RGBX": "RGB", "RGBa": "RGBA", "La": "LA"}.items():
        rare = Image.frombytes(kind, made.size, made.tobytes()[: 70 if kind == "La" else None])
        found = _picture(Path("rare.xyz"), rare)
        assert found.mode == taken
        assert found.notes == (f"has pixels of the kind {kind}, taken as {taken}",)
        assert found.data == rare.convert(taken).tobytes()


def test_32_bit_greys_that_fit_are_16_bits(tmp_path: Path) -> None:
    path = tmp_path / "grey.tiff"
    values = np.array([[0, 65535, 258]], np.int32)
    Image.fromarray(values).save(path)
    found = read(path)
    assert (found.mode, found.pixels.dtype.name) == ("I;16", "uint16")
    assert found.pixels[..., 0].tolist() == values.tolist()


@pytest.mark.parametrize(
    "values", [np.array([[65536]], np.int32), np.array([[-1]], np.int32), np.ones((2, 2), "f")]
)
def test_other_pixels_are_refused(values: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "wide.tiff"
    Image.fromarray(values).save(path)
    with pytest.raises(ValueError, match=r"are not read; store it with 8 or 16 bits a channel$"):
        read(path)


def png(width: int, height: int, bits: int = 8, colour: int = 0) -> bytes:
    """A PNG of black pixels, written by hand."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    row = bytes(1 + width * bits // 8 * (3 if colour == 2 else 1))
    rows = zlib.compress(row * min(height, 64))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_huge_pictures_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png(60000, 60000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"3,600,000,000 pixels are more than the 64,000,000"):
            read(path)


def test_the_limit_is_the_users(tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png", (10, 10))
    assert read(path, 100).width == 10
    with pytest.raises(ValueError, match=r"raise --max-pixels if you trust the file$"):
        read(path, 99)


def test_pillows_limit_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    assert read(make(tmp_path, "rgb.png")).width == 7
    assert Image.MAX_IMAGE_PIXELS == 10


@pytest.mark.parametrize("name", ["rgb.bmp", "rgb.png", "rgb.jpg", "palette.gif", "16.tiff"])
def test_truncated_pictures(name: str, tmp_path: Path) -> None:
    path = make(tmp_path, name, (40, 40))
    whole = path.read_bytes()
    for size in (0, 1, 10, 30, len(whole) // 2, len(whole) * 3 // 4):
        path.write_bytes(whole[:size])
        with pytest.raises(
            ValueError, match=r"this is not a picture|the picture is broken or trunc"
        ):
            read(path)


def test_every_changed_byte_of_a_png_is_noticed(tmp_path: Path) -> None:
    path = make(tmp_path, "rgb.png", (4, 4))
    whole = path.read_bytes()
    for place in range(len(whole) - 12):  # the last chunk says nothing
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with pytest.raises(ValueError, match=r"this is not a picture|broken or truncated"):
            read(path)


def test_pillow_says_nothing_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = make(tmp_path, "cmyk.tiff")
    tag = struct.pack("<HHIH", 277, 3, 1, 4)  # samples per pixel
    assert path.read_bytes().count(tag) == 1
    path.write_bytes(path.read_bytes().replace(tag, struct.pack("<HHIH", 277, 3, 1, 29444)))
    with pytest.raises(ValueError, match=r"this is not a picture|broken or truncated"):
        read(path)
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_damaged_headers_are_refused_or_read(tmp_path: Path) -> None:
    rng = random.Random(5)
    refused = 0
    for name in [*KINDS, *DEEP]:
        whole = make(tmp_path, name, (20, 15)).read_bytes()
        for _ in range(30):
            damaged = bytearray(whole)
            for _ in range(rng.randrange(1, 4)):
                damaged[rng.randrange(min(len(whole), 200))] = rng.randrange(256)
            (tmp_path / name).write_bytes(damaged)
            try:
                read(tmp_path / name, 100_000)
            except ValueError:
                refused += 1
    assert refused > 100


def test_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no picture at all\n" * 10)
    with pytest.raises(ValueError, match=r"this is not a picture that Pillow can read$"):
        read(path)


def test_no_other_program_is_started(tmp_path: Path) -> None:
    path = tmp_path / "drawing.eps"
    noise("RGB").save(path)
    with pytest.raises(ValueError, match=r"this is not a picture that Pillow can read$"):
        read(path)


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    animated, turned = tmp_path / "a.gif", tmp_path / "t.jpg"
    frames = [noise("P", seed=seed) for seed in (1, 2)]
    frames[0].save(animated, save_all=True, append_images=frames[1:])
    found = read(animated)
    assert found.notes == ("holds several pictures, of which the first is taken",)
    assert (found.pixels[..., 0] == np.asarray(frames[0])).all()
    exif = Image.Exif()
    exif[0x0112] = 6
    noise("RGB").save(turned, exif=exif)
    found = read(turned)
    assert (found.width, found.height) == (7, 5)
    assert "EXIF" in found.notes[0]


def deep_png(pixels: np.ndarray, predictor: int) -> bytes:
    """16 bits a channel, with one of PNG's filters on every row."""
    height, _, channels = pixels.shape
    lines, above = b"", np.zeros(pixels[0].size * 2, int)
    for line in pixels.astype(">u2").reshape(height, -1).view(np.uint8).astype(int):
        step = 2 * channels
        left, corner = (np.concatenate([np.zeros(step, int), one[:-step]]) for one in (line, above))
        near = [abs(left + above - corner - one) for one in (left, above, corner)]
        paeth = np.select(
            [(near[0] <= near[1]) & (near[0] <= near[2]), near[1] <= near[2]],
            [left, above],
            corner,
        )
        guess = (0 * line, left, above, (left + above) // 2, paeth)[predictor]
        lines += bytes([predictor]) + (line - guess).astype(np.uint8).tobytes()
        above = line
    whole = png(pixels.shape[1], height, 16, {2: 4, 3: 2, 4: 6}[channels])
    start, end = whole.index(b"IDAT") - 4, whole.index(b"IEND") - 4
    data = zlib.compress(lines)
    check = struct.pack(">I", zlib.crc32(b"IDAT" + data))
    return whole[:start] + struct.pack(">I", len(data)) + b"IDAT" + data + check + whole[end:]


@pytest.mark.parametrize("predictor", range(5))
@pytest.mark.parametrize("channels", [2, 3, 4])
def test_colour_of_16_bits_is_read_in_full(channels: int, predictor: int, tmp_path: Path) -> None:
    pixels = np.random.default_rng(channels).integers(0, 1 << 16, (6, 9, channels), np.uint16)
    path = tmp_path / "deep.png"
    path.write_bytes(deep_png(pixels, predictor))
    found = read(path)
    assert (found.mode, found.notes) == ({2: "LA;16", 3: "RGB;16", 4: "RGBA;16"}[channels], ())
    assert (found.pixels == pixels).all()
    assert found.data == pixels.astype(">u2").tobytes()


@pytest.mark.parametrize("order", ["<", ">"])
def test_tiff_of_16_bits_is_read_in_full(order: str, tmp_path: Path) -> None:
    """Uncompressed, written by hand: eight tags, then the pixels."""
    pixels = np.random.default_rng(3).integers(0, 1 << 16, (4, 5, 3), np.uint16)
    data = pixels.astype(f"{order}u2").tobytes()
    tags = [(256, 3, 1, 5), (257, 3, 1, 4), (258, 3, 3, 0), (259, 3, 1, 1), (262, 3, 1, 2)]
    tags += [(273, 4, 1, 0), (277, 3, 1, 3), (278, 3, 1, 4), (279, 4, 1, len(data))]
    bits_at = 8 + 2 + 12 * len(tags) + 4
    fields = b""
    for tag, kind, many, value in tags:
        value = {258: bits_at, 273: bits_at + 6}.get(tag, value)
        packed = struct.pack(f"{order}H2x" if kind == 3 and many == 1 else f"{order}I", value)
        fields += struct.pack(f"{order}HHI", tag, kind, many) + packed
    head = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, 8)
    path = tmp_path / "deep.tiff"
    path.write_bytes(
        head + struct.pack(f"{order}H", len(tags)) + fields + bytes(4)
        + struct.pack(f"{order}3H", 16, 16, 16) + data
    )  # fmt: skip
    found = read(path)
    assert (found.mode, found.notes) == ("RGB;16", ())
    assert (found.pixels == pixels).all()


def test_a_transparent_colour_of_16_bits_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    picture = Picture(np.ones((2, 2, 3), np.uint16), "RGB;16", "made", None, (1, 2, 65535))
    path.write_bytes(encoded(picture, ".png", "told"))
    found = read(path)
    assert (found.transparency, found.text) == ((1, 2, 65535), "told")
    assert image(found).mode == "RGB"


def test_without_pillow_one_sentence() -> None:
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "from aesfit.cli import main\n"
        "sys.argv = ['aesfit', 'image', 'samples', '-o', 'nowhere']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    needs = "aesfit: reading and writing pictures needs the Python package pillow; install with: "
    assert done.stderr.startswith(needs)
    assert done.stderr.endswith("pip install 'aesfit[image]'\n")

# SPDX-License-Identifier: MIT
"""Picture files of every kind that tests read, made by Pillow from seeded noise."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from aesfit.pictures.picture_file import Picture, encoded

BANDS = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4, "YCbCr": 3, "LAB": 3, "I;16": 2}


def noise(mode: str, size: tuple[int, int] = (7, 5), seed: int = 1) -> Image.Image:
    """Random pixels of a mode; a palette has 5 colours."""
    rng = random.Random(f"{mode} {size} {seed}")
    pixels = size[0] * size[1]
    if mode == "1":
        return Image.frombytes("L", size, bytes(rng.choices((0, 255), k=pixels))).convert("1")
    if mode == "P":
        made = Image.frombytes("P", size, bytes(rng.choices(range(5), k=pixels)))
        made.putpalette(rng.randbytes(15))
        return made
    return Image.frombytes(mode, size, rng.randbytes(pixels * BANDS[mode]))


def _saved(  # options are Pillow's own
    mode: str,
    **options: Any,  # noqa: ANN401
) -> Callable[[Path, tuple[int, int]], None]:
    return lambda path, size: noise(mode, size).save(path, **options)


def _deep(mode: str, channels: int) -> Callable[[Path, tuple[int, int]], None]:
    """Colour of 16 bits a channel, which Pillow does not write."""

    def save(path: Path, size: tuple[int, int]) -> None:
        rng = np.random.default_rng(channels)
        pixels = rng.integers(0, 1 << 16, (size[1], size[0], channels), np.uint16)
        path.write_bytes(encoded(Picture(pixels, mode, path.name), ".png"))

    return save


KINDS: dict[str, Callable[[Path, tuple[int, int]], None]] = {
    "rgb.bmp": _saved("RGB"),
    "1.bmp": _saved("1"),
    "palette.bmp": _saved("P"),
    "1.png": _saved("1"),
    "grey.png": _saved("L"),
    "grey_key.png": _saved("L", transparency=7),
    "grey_alpha.png": _saved("LA"),
    "palette.png": _saved("P"),
    "palette_index.png": _saved("P", transparency=2),
    "palette_alpha.png": _saved("P", transparency=bytes((0, 128, 255, 7, 9))),
    "rgb.png": _saved("RGB"),
    "rgb_key.png": _saved("RGB", transparency=(1, 2, 3)),
    "rgba.png": _saved("RGBA"),
    "16.png": _saved("I;16"),
    "grey.jpg": _saved("L"),
    "rgb.jpg": _saved("RGB"),
    "cmyk.jpg": _saved("CMYK"),
    "palette.gif": _saved("P"),
    "palette_index.gif": _saved("P", transparency=2),
    "cmyk.tiff": _saved("CMYK"),
    "16.tiff": _saved("I;16"),
    "lab.tiff": _saved("LAB"),
    "palette.tiff": _saved("P"),
    "rgba.webp": _saved("RGBA", lossless=True),
}
"""Makers of files by name, to call with a path and a size."""


def make(folder: Path, name: str, size: tuple[int, int] = (7, 5)) -> Path:
    """One of KINDS or DEEP in a folder."""
    path = folder / name
    {**KINDS, **DEEP}[name](path, size)
    return path


DEEP = {
    "grey_alpha_16.png": _deep("LA;16", 2),
    "rgb_16.png": _deep("RGB;16", 3),
    "rgba_16.png": _deep("RGBA;16", 4),
}
"""The same for colour of 16 bits, of which Pillow itself shows the upper 8."""

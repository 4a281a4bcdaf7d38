# SPDX-License-Identifier: MIT
"""Pictures as arrays of their stored samples: read from any format of Pillow, written exactly.

Nothing is converted: a palette picture is its indices, a CMYK picture its four inks.  Two kinds
are widened without loss: pixels of 1 bit to bytes of 0 or 255, 32-bit greys that need only 16 bits
to 16 bits.
"""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..extras import PICTURES, missing
from ..units import count
from . import deep_colour
from .deep_colour import COLOUR_TYPES
from .png_rows import check_rows
from .tiles import check_tiles

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 64_000_000
"""Default limit of width times height."""
_SAMPLE_BYTES_A_PIXEL = 3
"""Bytes of samples per pixel allowed at the limit; deeper pictures may have fewer pixels."""
_EIGHT_OR_GREY = ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "I;16")
MODES = (*_EIGHT_OR_GREY, *COLOUR_TYPES)
"""Kinds of pixels that are read, by Pillow's names; LA;16, RGB;16 and RGBA;16 are ours."""
FORMATS = {
    ".bmp": ("BMP", ("1", "L", "P", "RGB")),
    ".png": ("PNG", ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", *COLOUR_TYPES)),
    ".tif": ("TIFF", _EIGHT_OR_GREY),
    ".tiff": ("TIFF", _EIGHT_OR_GREY),
}
"""Written formats by suffix, with the kinds of pixels that each stores exactly."""
CARRIERS = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""PNG mode by number of 8-bit channels."""
DEEP_CARRIERS = {1: "I;16", 2: "LA;16", 3: "RGB;16", 4: "RGBA;16"}
"""The same for 16-bit channels."""
_EXIF_ORIENTATION = 0x0112
_TIFF_BITS_PER_SAMPLE = 258
_ALIKE = {"PA": "RGBA", "RGBX": "RGB", "RGBa": "RGBA", "La": "LA"}
"""Rare kinds of pixels, and the kinds they are converted to."""
_RUNS_A_PROGRAM = {"EPS"}
"""Refused formats, for which Pillow starts another program (Ghostscript)."""


@dataclass(frozen=True)
class Palette:
    """The palette: colours of the indices."""

    mode: str
    """RGB or RGBA."""
    colours: bytes


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture."""

    pixels: NDArray[Any]
    """Samples by row, column and channel: uint8 or uint16."""
    mode: str
    """What the channels are, one of MODES."""
    name: str
    palette: Palette | None = None
    transparency: int | bytes | tuple[int, ...] | None = None
    """The transparent colour or index, or the opacity of each index, as in PNG's tRNS."""
    notes: tuple[str, ...] = ()
    """What the samples do not hold of the file, in words that follow its name."""
    text: str | None = None
    """Text of a PNG under TEXT_KEY."""

    @property
    def width(self) -> int:
        """Pixels of a row."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.pixels.shape[0])

    @property
    def data(self) -> bytes:
        """Samples row by row from the top, channels interleaved, 16-bit samples big-endian."""
        return self.pixels.astype(self.pixels.dtype.newbyteorder(">"), copy=False).tobytes()


TEXT_KEY = "aesfit image"
"""Keyword of the text chunk in PNG that holds the parameters of the encryption."""


def pixels_from(data: bytes, like: NDArray[Any]) -> NDArray[Any]:
    """The samples of Picture.data, in the shape and type of `like`."""
    stored = np.frombuffer(data, like.dtype.newbyteorder(">")).reshape(like.shape)
    return stored.astype(like.dtype)


def check_available() -> None:
    """Raise OSError with the command that installs Pillow, if it is missing."""
    reason = missing("reading and writing pictures", PICTURES)
    if reason:
        raise OSError(reason)


@contextmanager
def _quiet_pillow(most: int | None = None) -> Iterator[None]:
    """Use Pillow without its warnings and messages; limit of `most` pixels, None for any number.

    Pillow decodes pictures within icons while it opens them, before we see a size.
    """
    from PIL import Image

    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None if most is None else -(-most // 2)  # it refuses above twice this
    log, silent = logging.getLogger("PIL"), logging.NullHandler()
    log.addHandler(silent)
    propagates, log.propagate = log.propagate, False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        Image.MAX_IMAGE_PIXELS = limit
        log.propagate = propagates
        log.removeHandler(silent)


def read(path: Path, limit: int = MAX_PIXELS) -> Picture:
    """Read a picture of at most `limit` pixels.

    ValueError, in one sentence, if the file is not a picture, is broken or too large; pixels are
    decoded only after the size has been checked.
    """
    check_available()
    if path.exists() and not path.is_file():  # reading a pipe could wait forever
        raise ValueError(f"{path}: this is not a file")
    from PIL import Image, UnidentifiedImageError

    with path.open("rb") as stream, _quiet_pillow(limit):
        try:
            Image.init()
            formats = [name for name in Image.ID if name not in _RUNS_A_PROGRAM]
            with Image.open(stream, formats=formats) as image:
                _check_size(path, image, limit)
                if image.format == "PNG":
                    _check_chunks(path)
                    with path.open("rb") as again:
                        check_rows(again)
                check_tiles(image)
                return _picture(path, image)
        except UnidentifiedImageError:
            raise ValueError(f"{path}: this is not a picture that Pillow can read") from None
        except _RefusedError as refusal:
            raise ValueError(str(refusal)) from None
        except Image.DecompressionBombError as error:
            many = re.search(r"\d+", str(error))  # Pillow's sentence begins with their number
            raise ValueError(
                f"{path}: {count(int(many[0])) if many else 'its'} pixels are more than the "
                f"{count(limit)} allowed; raise --max-pixels if you trust the file"
            ) from None
        except MemoryError:
            raise ValueError(f"{path}: there is not enough memory for this picture") from None
        except Exception as error:  # decoders raise many kinds of exceptions
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ValueError(f"{path}: the picture is broken or truncated ({why})") from None


class _RefusedError(Exception):
    """An error message of ours, not of Pillow."""


def _check_size(path: Path, image: "Image.Image", limit: int) -> None:
    width, height = image.size
    if width * height > limit:
        raise _RefusedError(
            f"{path}: {count(width)} x {count(height)} pixels are more than the "
            f"{count(limit)} allowed; raise --max-pixels if you trust the file"
        )
    size = width * height * len(image.getbands()) * _sample_bytes(image)
    if size > _SAMPLE_BYTES_A_PIXEL * limit:
        raise _RefusedError(
            f"{path}: {count(size)} bytes of samples are more than the "
            f"{count(_SAMPLE_BYTES_A_PIXEL * limit)} allowed; raise --max-pixels if you trust the "
            "file"
        )
    if not width * height:
        raise _RefusedError(f"{path}: the picture has no pixels")


def _sample_bytes(image: "Image.Image") -> int:
    """Bytes of one decoded sample."""
    if deep_colour.kind(image) is not None or image.mode.startswith("I;16"):
        return 2
    return 4 if image.mode in ("I", "F") else 1


def _check_chunks(path: Path) -> None:
    """Check the checksums of a PNG, which Pillow skips while decoding."""
    from PIL import Image

    with Image.open(path, formats=["PNG"]) as image:
        image.verify()


def _picture(path: Path, image: "Image.Image") -> Picture:
    deep = deep_colour.kind(image)
    wide = None if deep is None else deep_colour.samples(path, image)
    notes = _notes(image, deep)
    text = image.info.get(TEXT_KEY)
    if image.mode in _ALIKE:
        notes += (f"has pixels of the kind {image.mode}, taken as {_ALIKE[image.mode]}",)
        image = image.convert(_ALIKE[image.mode])
    image.load()
    mode = "I;16" if image.mode.startswith("I;16") else image.mode
    pixels: NDArray[Any] = np.asarray(image)
    if deep is not None and wide is not None:
        mode, pixels = deep, wide
    elif mode == "1":
        pixels = np.where(pixels, np.uint8(255), np.uint8(0))
    elif mode == "I" and pixels.min() >= 0 and pixels.max() < 1 << 16:
        mode = "I;16"
    if mode not in MODES:
        raise _RefusedError(
            f"{path}: pixels of the kind {image.mode} are not read; store it with 8 or 16 bits "
            "a channel"
        )
    pixels = pixels.astype(np.uint16 if mode.endswith(";16") else np.uint8, copy=False)
    return Picture(
        pixels.reshape(image.height, image.width, -1),
        mode,
        path.name,
        _palette(image),
        _transparency(image),
        notes,
        text if isinstance(text, str) else None,
    )


def _palette(image: "Image.Image") -> Palette | None:
    if image.mode != "P" or image.palette is None:
        return None
    mode = "RGBA" if image.palette.mode == "RGBA" else "RGB"
    return Palette(mode, bytes(image.getpalette(mode) or ()))


def _transparency(image: "Image.Image") -> int | bytes | tuple[int, ...] | None:
    found = image.info.get("transparency")
    return found if isinstance(found, (int, bytes, tuple)) else None


def _notes(image: "Image.Image", deep: str | None) -> tuple[str, ...]:
    """Notes on what is left out, from the headers."""
    bits = _bits_a_sample(image)  # first: to look for EXIF data decodes some formats
    notes = []
    if getattr(image, "is_animated", False):
        notes.append("holds several pictures, of which the first is taken")
    if image.getexif().get(_EXIF_ORIENTATION, 1) not in (0, 1):
        notes.append("says in its EXIF data that it is shown turned; pixels are taken as stored")
    if bits > 8 and deep is None and len(image.getbands()) > 1:
        notes.append("has 16 bits a channel, of which Pillow reads the upper 8")
    return tuple(notes)


def _bits_a_sample(image: "Image.Image") -> int:
    """Bits per sample as stored in a PNG or TIFF, of which Pillow may read fewer; otherwise 8."""
    if image.format == "TIFF":
        tags: dict[int, Any] = getattr(image, "tag_v2", {})
        return max((int(bits) for bits in tags.get(_TIFF_BITS_PER_SAMPLE, ())), default=8)
    tiles = getattr(image, "tile", None) or [()]
    return 16 if image.format == "PNG" and "16" in str(tiles[0][-1:]) else 8


def encoded(picture: Picture, suffix: str, text: str | None = None) -> bytes:
    """The bytes of a file with that suffix, one of FORMATS; `text` goes into a PNG under TEXT_KEY.

    ValueError if the format cannot hold such pixels.
    """
    check_available()
    from PIL import PngImagePlugin

    kind, modes = FORMATS[suffix]
    if picture.mode not in modes:
        able = ", ".join(name for name, (_, some) in FORMATS.items() if picture.mode in some)
        raise ValueError(
            f"{suffix} cannot hold pixels of the kind {picture.mode}; name a file that ends in "
            f"{able or '.tiff'}"
        )
    if picture.mode in COLOUR_TYPES:
        entry = None if text is None else (TEXT_KEY, text)
        return deep_colour.png(picture.pixels, picture.mode, picture.transparency, entry)
    options: dict[str, Any] = {}
    if picture.transparency is not None and kind == "PNG":
        options["transparency"] = picture.transparency
    if text is not None and kind == "PNG":
        options["pnginfo"] = PngImagePlugin.PngInfo()
        options["pnginfo"].add_text(TEXT_KEY, text)
    out = BytesIO()
    with _quiet_pillow():
        image(picture).save(out, format=kind, **options)
    return out.getvalue()


def _colours(picture: Picture, palette: Palette) -> bytes:
    """The palette, padded with black for indices without a colour, which PNG would drop."""
    needed = (int(picture.pixels.max()) + 1) * len(palette.mode)
    return palette.colours.ljust(needed, b"\0")


def image(picture: Picture) -> "Image.Image":
    """A Pillow image of the same mode; for 16-bit colour only the upper 8 bits."""
    from PIL import Image

    if picture.mode in COLOUR_TYPES:
        upper = (picture.pixels >> 8).astype(np.uint8)
        return image(replace(picture, pixels=upper, mode=picture.mode.removesuffix(";16")))
    size = (picture.width, picture.height)
    if picture.mode == "1":
        return Image.frombytes("L", size, picture.pixels.tobytes()).convert(
            "1", dither=Image.Dither.NONE
        )
    if picture.mode == "I;16":
        little = picture.pixels.astype("<u2").tobytes()
        return Image.frombytes("I;16", size, little)
    made = Image.frombytes(picture.mode, size, picture.pixels.tobytes())
    if picture.palette is not None:
        made.putpalette(_colours(picture, picture.palette), picture.palette.mode)
    return made

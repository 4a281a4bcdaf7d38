# SPDX-License-Identifier: MIT
"""Encrypted pictures as PNG files with parameters in a text chunk, and their decryption.

The key is never stored.  A check value detects a wrong key: the first 8 bytes of HMAC-SHA-256 under
the key over the parameters.  These hold a random salt, so that two pictures under one key cannot be
linked.  It covers parameters, not pixels: what a changed pixel does in a mode without
authentication can be studied.  GCM authenticates both.
"""

import hmac
import json
import secrets
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from ..catalog import cores
from ..errors import AuthenticationError
from .cipher import IV_BYTES, MODES, TAG_BYTES, Settings, carrier, decrypt, encrypt
from .picture_file import CARRIERS, DEEP_CARRIERS, Palette, Picture, pixels_from
from .picture_file import MODES as PIXEL_MODES

VERSION = 1
_CHECK_BYTES = 8
_SALT_BYTES = 16
_LABEL = b"aesfit image 1\0"


@dataclass(frozen=True)
class Parameters:
    """The parameters in the text chunk, as JSON; bytes are written in hexadecimal."""

    version: int
    mode: str
    key_bits: int
    rounds: int
    core: str
    """The core that encrypted; any other gives the same pixels."""
    iv: str
    salt: str
    width: int
    height: int
    pixels: str
    """The kind of the original's pixels, one of picture_file.MODES."""
    palette_mode: str
    """RGB or RGBA; empty without a palette."""
    palette: str
    transparency: str
    """Transparency as in PNG's tRNS: numbers with commas, 0x and a byte per index, or empty."""
    check: str = ""
    tag: str = ""
    """Tag of GCM, otherwise empty."""

    def signed(self) -> bytes:
        """The data that the check value and the tag of GCM cover: all fields but these two."""
        kept = {key: value for key, value in asdict(self).items() if key not in ("check", "tag")}
        return json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()


def _check_value(key: bytes, parameters: Parameters) -> str:
    digest = hmac.digest(key, _LABEL + parameters.signed(), "sha256")
    return digest[:_CHECK_BYTES].hex()


def seal(picture: Picture, how: Settings) -> tuple[Picture, str]:
    """Encrypt the picture; returns it with the text for its file."""
    named = Parameters(
        version=VERSION,
        mode=how.mode,
        key_bits=8 * len(how.key),
        rounds=how.rounds or how.standard_rounds,
        core=how.block().core,
        iv=how.iv.hex(),
        salt=secrets.token_hex(_SALT_BYTES),
        width=picture.width,
        height=picture.height,
        pixels=picture.mode,
        palette_mode=picture.palette.mode if picture.palette else "",
        palette=picture.palette.colours.hex() if picture.palette else "",
        transparency=_transparency_text(picture.transparency),
    )
    data, tag = encrypt(picture.data, how, named.signed())
    named = replace(named, check=_check_value(how.key, named), tag=tag.hex())
    return carrier(picture, pixels_from(data, picture.pixels)), json.dumps(asdict(named))


def unseal(picture: Picture, key: bytes, core: str | None = None) -> Picture:
    """Decrypt to the original; ValueError or AuthenticationError says why it is impossible."""
    named = parameters(picture)
    if named.key_bits != 8 * len(key):
        raise ValueError(
            f"{picture.name} was encrypted with a key of {named.key_bits} bits; the given one has "
            f"{8 * len(key)}"
        )
    if not hmac.compare_digest(_check_value(key, named), named.check):
        raise AuthenticationError(
            f"{picture.name}: the key is wrong, or the parameters in the file were changed"
        )
    if named.rounds == len(key) // 4 + 6:
        how = Settings(named.mode, key, bytes.fromhex(named.iv), None, core)
    else:
        how = Settings(named.mode, key, bytes.fromhex(named.iv), named.rounds, core)
    try:
        data = decrypt(picture.data, how, named.signed(), bytes.fromhex(named.tag))
    except AuthenticationError:
        raise AuthenticationError(
            f"{picture.name}: the picture was changed after it was encrypted (wrong GCM tag)"
        ) from None
    return _original(replace(picture, pixels=pixels_from(data, picture.pixels)), named)


def _original(decrypted: Picture, named: Parameters) -> Picture:
    if named.pixels == "1" and not np.isin(decrypted.pixels, (0, 255)).all():
        raise ValueError(
            f"{decrypted.name}: the decrypted pixels are not all black or white, so the picture "
            "was changed after it was encrypted"
        )
    palette = None
    if named.palette_mode:
        palette = Palette(named.palette_mode, bytes.fromhex(named.palette))
    return Picture(
        decrypted.pixels,
        named.pixels,
        decrypted.name,
        palette,
        _transparency(named.transparency),
    )


def parameters(picture: Picture) -> Parameters:
    """The checked parameters of an encrypted picture."""
    if picture.text is None:
        raise ValueError(
            f"{picture.name} holds no parameters: it was not made by aesfit image encrypt, or "
            "another program has stored it anew without them"
        )
    try:
        named = _parsed(json.loads(picture.text))
        _check(named)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{picture.name}: the parameters in the file are damaged ({error})"
        ) from None
    bands, depth = _carried(named.pixels)
    if (named.width, named.height) != (picture.width, picture.height) or (
        picture.mode != (DEEP_CARRIERS if depth == 16 else CARRIERS)[bands]
    ):
        raise ValueError(
            f"{picture.name} was {named.width} x {named.height} pixels with {bands} channels of "
            f"{depth} bits when it was encrypted; it has been changed since"
        )
    return named


def _parsed(raw: object) -> Parameters:
    """Check that every field is present once, with its type."""
    if not isinstance(raw, dict):
        raise ValueError("they are not a JSON object")
    if raw.get("version") != VERSION:
        raise ValueError(f"version {raw.get('version')} is not known here")
    if set(raw) != {field.name for field in fields(Parameters)}:
        raise ValueError("fields are missing or unknown")
    for field in fields(Parameters):
        if type(raw[field.name]) is not field.type:
            raise ValueError(f"{field.name} is of a wrong type")
    values: dict[str, Any] = raw
    return Parameters(**values)


def _check(named: Parameters) -> None:
    """Check that values are valid; the check value shows whether they are genuine."""
    if named.mode not in MODES or named.pixels not in PIXEL_MODES:
        raise ValueError("the mode or the kind of pixels is unknown")
    if named.key_bits not in (128, 192, 256):
        raise ValueError(f"a key of {named.key_bits} bits")
    if not 1 <= named.rounds <= named.key_bits // 32 + 6:
        raise ValueError(f"{named.rounds} rounds")
    if named.core not in {core.name for core in cores()}:
        raise ValueError("an unknown core")
    tag_bytes = TAG_BYTES if named.mode == "gcm" else 0
    sizes = {"iv": IV_BYTES[named.mode], "tag": tag_bytes, "salt": _SALT_BYTES}
    for name, size in {**sizes, "check": _CHECK_BYTES}.items():
        if len(bytes.fromhex(getattr(named, name))) != size:
            raise ValueError(f"{name} is not {size} bytes")
    if named.palette_mode not in ("", "RGB", "RGBA"):
        raise ValueError("an unknown kind of palette")
    if len(bytes.fromhex(named.palette)) > 256 * len(named.palette_mode):
        raise ValueError("the palette is too long")
    _transparency(named.transparency)


def _carried(pixels: str) -> tuple[int, int]:
    """Channels and bits of a channel of the kinds of pixels."""
    bands = {"LA": 2, "RGB": 3, "YCbCr": 3, "LAB": 3, "RGBA": 4, "CMYK": 4}
    kind, _, deep = pixels.partition(";")
    return bands.get(kind, 1), 16 if deep else 8


def _transparency_text(value: int | bytes | tuple[int, ...] | None) -> str:
    if isinstance(value, bytes):
        return "0x" + value.hex()
    values = () if value is None else (value,) if isinstance(value, int) else value
    return ",".join(map(str, values))


def _transparency(text: str) -> int | bytes | tuple[int, ...] | None:
    if text.startswith("0x"):
        return bytes.fromhex(text[2:])
    values = tuple(map(int, text.split(","))) if text else ()
    return values[0] if len(values) == 1 else values or None

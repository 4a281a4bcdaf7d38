# SPDX-License-Identifier: MIT
"""`aesfit image`: what encryption does to pictures.

This file encrypts and decrypts; image_sheet.py draws, image_analyse.py computes statistics, and
image_visible.py predicts what can be seen.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from ..errors import AuthenticationError
from ..files.output import refuse_existing
from ..pictures import cipher, picture_file, sealed
from ..pictures.cipher import Settings
from ..pictures.picture_file import FORMATS, MAX_PIXELS, Picture
from . import image_analyse, image_sheet, image_visible
from .common import check_not_input, check_output, console, print_text
from .declared import Argument, Option
from .image_input import Force, MaxPixels, key_given, read, tell, write_like
from .verbs import VerbGroup

_KEY_BITS = (128, 192, 256)
_UNAUTHENTICATED = tuple(mode for mode in cipher.MODES if mode != "gcm")

Key = Annotated[
    str | None,
    Option(metavar="<hex>", help="Key in hex; other users may see it in the process list. [none]"),
]
KeyFile = Annotated[
    Path | None,
    Option(metavar="<file>", help="File with the key: 16, 24 or 32 bytes, raw or in hex. [none]"),
]
Core = Annotated[
    str | None,
    Option(metavar="<core>", help="Core, as aesfit cores lists them. [the library's choice]"),
]


def _hex(text: str, option: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise click.BadParameter("give an even number of hex digits", param_hint=option) from None


@dataclass(frozen=True)
class _GivenKey:
    """A key, and the file to write it to if it is new."""

    value: bytes
    new_file: Path | None = None


@dataclass(frozen=True)
class KeyOptions:
    """Key."""

    key: Key = None
    key_file: KeyFile = None
    new_key_file: Annotated[
        Path | None,
        Option(metavar="<file>", help="Make a random key and write it there (mode 0600). [none]"),
    ] = None
    key_bits: Annotated[
        int | None, Option(metavar="128|192|256", help="Bits of a new key. [128]")
    ] = None


@dataclass(frozen=True)
class CipherOptions:
    """Cipher."""

    mode: Annotated[str, Option(metavar="<mode>", help=f"One of {', '.join(cipher.MODES)}.")] = (
        "gcm"
    )
    iv: Annotated[
        str | None,
        Option(metavar="<hex>", help="IV in hex: 16 bytes, or 12 for gcm. [random]"),
    ] = None
    rounds: Annotated[
        int | None,
        Option(
            metavar="<n>", help="Rounds; fewer than 10, 12 or 14 are for study. [the standard's]"
        ),
    ] = None
    core: Core = None


def _encryption_key(asked: KeyOptions, output: Path) -> _GivenKey:
    """Exactly one source of a key; a new one is random."""
    new_key_file, key_bits = asked.new_key_file, asked.key_bits
    if new_key_file is not None and new_key_file.resolve() == output.resolve():
        raise click.BadParameter("that is the output; name another", param_hint="--new-key-file")
    if sum(given is not None for given in (asked.key, asked.key_file, new_key_file)) != 1:
        raise click.BadParameter(
            "give one of --key-file, --new-key-file (makes a random key) and --key"
        )
    if key_bits not in (None, *_KEY_BITS):
        raise click.BadParameter(f"{key_bits} is not 128, 192 or 256", param_hint="--key-bits")
    found = key_given(asked.key, asked.key_file)
    if found is None:
        return _GivenKey(secrets.token_bytes((key_bits or _KEY_BITS[0]) // 8), new_key_file)
    if key_bits not in (None, 8 * len(found)):
        raise click.BadParameter(
            f"the key has {8 * len(found)} bits; leave this out, or give such a key",
            param_hint="--key-bits",
        )
    return _GivenKey(found)


@contextmanager
def _new_key(given: _GivenKey) -> Iterator[None]:
    """Write a new key, readable by its owner only, and delete it if the rest fails."""
    if given.new_file is None:
        yield
        return
    try:
        handle = os.open(given.new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise OSError(
            f"{given.new_file} exists already; a key is never overwritten, name another file"
        ) from None
    try:
        with os.fdopen(handle, "w") as stream:
            stream.write(given.value.hex() + "\n")
            stream.flush()
            os.fsync(handle)
        yield
    except BaseException:
        given.new_file.unlink(missing_ok=True)
        raise


def _settings(asked: CipherOptions, key: bytes) -> Settings:
    """The settings of the encryption; usage errors say what is wrong."""
    mode = asked.mode.lower()
    wanted = cipher.IV_BYTES.get(mode, 0)
    vector = secrets.token_bytes(wanted) if asked.iv is None else _hex(asked.iv, "--iv")
    try:
        how = Settings(mode, key, vector, asked.rounds, asked.core)
        how.block()
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return how


def cautions(how: Settings) -> list[str]:
    """Warnings about these settings."""
    said = []
    if how.reduced:
        said.append(
            f"{how.rounds} rounds in place of {how.standard_rounds} are for study: this is not "
            "AES and protects nothing"
        )
    if how.mode == "ecb":
        said.append("ecb shows which blocks are equal, and therefore the picture; it is for study")
    if how.mode in _UNAUTHENTICATED:
        said.append(
            f"{how.mode} does not authenticate: a changed picture is not noticed; gcm notices"
        )
    return said


def _check_output(output: Path, source: Path, suffixes: tuple[str, ...], force: bool) -> None:
    """Refuse, before reading, an output that could not be written afterwards."""
    check_output(output, "-o", suffixes)
    check_not_input(output, "-o", source)
    refuse_existing(output, force=force)


def encrypt(
    picture: Annotated[
        Path, Argument(metavar="PICTURE", exists=True, help="Any format that Pillow reads.")
    ],
    output: Annotated[
        Path,
        Option(
            "--output",
            "-o",
            metavar="<out.png>",
            help="PNG to write; it holds all parameters except the key.",
        ),
    ],
    secret: KeyOptions,
    settings: CipherOptions,
    max_pixels: MaxPixels = MAX_PIXELS,
    force: Force = False,
) -> None:
    """Encrypt the pixels of a picture into a PNG that can be viewed."""
    picture_file.check_available()
    _check_output(output, picture, (".png",), force)
    given = _encryption_key(secret, output)
    how = _settings(settings, given.value)
    for caution in cautions(how):
        tell(caution)
    original = read(picture, max_pixels)
    encrypted, text = sealed.seal(original, how)
    content = picture_file.encoded(encrypted, ".png", text)
    with _new_key(given):
        write_like([picture], output, content, force=force)
    told = f"{output}: {_size(original)} encrypted by {_name(how)}"
    print_text(console(), told + (f"; the key is in {given.new_file}" if given.new_file else ""))


def _size(picture: Picture) -> str:
    return f"{picture.width} x {picture.height} pixels ({picture.mode})"


def _name(how: Settings) -> str:
    reduced = f", {how.rounds} rounds: not AES" if how.reduced else ""
    return f"AES-{8 * len(how.key)} {how.mode.upper()}{reduced}"


def decrypt(
    picture: Annotated[
        Path,
        Argument(
            metavar="PICTURE.png", exists=True, help="Picture that aesfit image encrypt wrote."
        ),
    ],
    output: Annotated[
        Path, Option("--output", "-o", metavar="<out>", help=f"Ends in {', '.join(FORMATS)}.")
    ],
    key: Key = None,
    key_file: KeyFile = None,
    core: Core = None,
    max_pixels: MaxPixels = MAX_PIXELS,
    force: Force = False,
) -> None:
    """Restore the exact pixels of an encrypted picture."""
    picture_file.check_available()
    _check_output(output, picture, tuple(FORMATS), force)
    value = key_given(key, key_file)
    if value is None:
        raise click.BadParameter("give one of --key-file and --key")
    encrypted = read(picture, max_pixels)
    try:
        original = sealed.unseal(encrypted, value, core)
    except AuthenticationError as error:
        raise ValueError(f"{error}; nothing was written") from None
    content = picture_file.encoded(original, output.suffix)
    write_like([picture], output, content, force=force)
    named = sealed.parameters(encrypted)
    how = Settings(named.mode, value, bytes.fromhex(named.iv), named.rounds)
    for caution in cautions(how):
        tell(caution)
    print_text(
        console(),
        f"{output}: {_size(original)} restored; what else the first file held (metadata, colour "
        "profile, resolution, further pictures) was not encrypted and is not here",
    )


app = VerbGroup(
    "image",
    "Encrypt the pixels of pictures, and show what remains visible.",
    {
        "encrypt": encrypt,
        "decrypt": decrypt,
        "analyse": image_analyse.command,
        "samples": image_sheet.samples,
        "sheet": image_sheet.sheet,
        "visible": image_visible.command,
    },
)

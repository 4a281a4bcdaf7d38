# SPDX-License-Identifier: MIT
"""What the verbs of `aesfit image` share: keys, reading, writing and notes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import click

from ..files.flow import put
from ..files.output import Permissions, to_path
from ..files.secret import MAX_KEY_FILE_BYTES, key_in_file
from ..pictures import picture_file
from ..pictures.picture_file import Picture
from .common import console, print_text
from .crypt_secret import AES_DIGITS, from_hex
from .declared import Option

MaxPixels = Annotated[
    int, Option(metavar="<n>", help="Limit of pixels, width times height.", min=1)
]
Force = Annotated[bool, Option("--force", "-f", help="Replace files that exist.")]


def tell(text: str, *, always: bool = False) -> None:
    """Print a sentence on standard error, if it is a terminal or `always`."""
    out = console(stderr=True)
    if always or out.is_terminal:
        print_text(out, f"aesfit: {text}")


def key_given(text: str | None, file: Path | None) -> bytes | None:
    """The key of AES that --key or --key-file gives; None without them."""
    if text is not None and file is not None:
        raise click.BadParameter("give one of --key-file and --key")
    if text is not None:
        tell("a key on the command line can be seen by others; --key-file keeps it from them")
        return from_hex(text, "--key", AES_DIGITS)
    if file is None:
        return None
    with file.open("rb") as stream:
        content = stream.read(MAX_KEY_FILE_BYTES + 1)
    try:
        return key_in_file(content, aes=True).value
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--key-file") from None


def read(path: Path, limit: int) -> Picture:
    """Read a picture, and tell the user what in the file is not in its pixels."""
    found = picture_file.read(path, limit)
    for note in found.notes:
        tell(f"{path} {note}", always=True)
    return found


def write_like(sources: Sequence[Path], path: Path, content: bytes, *, force: bool) -> None:
    """Write a file, whole or not at all, readable only by those who may read all its pictures."""
    first, *others = [Permissions.of(one.stat()) for one in sources]
    for one in others:
        alike = 0o777 if one.group == first.group else 0o707
        first = replace(first, mode=first.mode & one.mode & alike)
    with to_path(path, first, force=force) as stream:
        put(stream, memoryview(content))

# SPDX-License-Identifier: MIT
"""What the verbs of `aesfit image` share: reading a picture and saying what is left out."""

from pathlib import Path
from typing import Annotated

import typer

from ..lab import picture_file
from ..lab.picture_file import Picture
from .common import console, print_text

MaxPixels = Annotated[
    int, typer.Option(metavar="<n>", help="Width times height that is read.", min=1)
]
Force = Annotated[bool, typer.Option("--force", help="Replace outputs that are there.")]


def tell(text: str, *, always: bool = False) -> None:
    """A sentence on standard error, where a person reads it, or always."""
    out = console(stderr=True)
    if always or out.is_terminal:
        print_text(out, f"aesfit: {text}")


def read(path: Path, limit: int) -> Picture:
    """Read a picture, and say what of the file is not in its pixels."""
    found = picture_file.read(path, limit)
    for note in found.notes:
        tell(f"{path} {note}", always=True)
    return found

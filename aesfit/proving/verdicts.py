# SPDX-License-Identifier: MIT
"""Branches that may depend on a secret: those on a verdict that the caller learns anyway.

The library marks each with declassify() (lib/src/parts/declassify.h), and the line after it
branches.  No other branch is excused.
"""

from functools import cache
from pathlib import Path

from ..building import sources
from .image import ProofImage

MAPPED = "lib"
"""What the library's folder is called in the lines of images."""
_MARKS = ("declassify(&", " is public from here: ")
"""What stands in the line before: the call, or what drop-ins have in its place."""


def is_verdict(image: ProofImage, address: int) -> bool:
    """The instruction belongs to the line after a declassify()."""
    file, line = image.line(address)
    lines = _lines(_path(file))
    return 2 <= line <= len(lines) and any(mark in lines[line - 2] for mark in _MARKS)


def _path(file: str) -> Path:
    path = Path(file)
    if path.parts[:1] == (MAPPED,):
        return sources.library_folder().joinpath(*path.parts[1:])
    return path


@cache
def _lines(path: Path) -> tuple[str, ...]:
    try:
        return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return ()

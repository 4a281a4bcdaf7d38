# SPDX-License-Identifier: MIT
"""Whether any source has changed, without reading one: a digest of names, sizes and times.

What is made from sources alone can be kept under their stamp between runs.
"""

import os
import time
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from .. import _native
from ..platforms.places import project_folder

_PACKAGE = Path(__file__).resolve().parents[1]
_SETTLED_SECONDS = 1.0
"""A file changed later than that could be changed again without another time."""


def of_sources() -> str | None:
    """Of the package, its compiled part and the C library; None where one has only just changed."""
    return stamp_of(_PACKAGE, Path(_native.__file__), project_folder("lib"))


@cache
def stamp_of(*paths: Path) -> str | None:
    """Changes with every file at or below the paths; None where one has only just changed.

    Taken once in a process, as closure.digest() is.  Times are those of the last change of content
    and of the last change of the file's entry: an installer may set the former to any value.
    """
    found = [(path, os.stat(path)) for path in _files(map(str, paths))]  # noqa: PTH116 - strings
    if max(stat.st_ctime for _, stat in found) > time.time() - _SETTLED_SECONDS:
        return None
    lines = sorted(
        f"{path} {stat.st_ino} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"
        for path, stat in found
    )
    return sha256("\n".join(lines).encode()).hexdigest()


def _files(paths: Iterable[str]) -> Iterator[str]:
    """Files at or below the paths, but for bytecode, which is written by reading sources."""
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112 - strings, as there are many
            yield path
            continue
        for folder, inner, names in os.walk(path):
            inner[:] = [name for name in inner if name != "__pycache__"]
            yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118 - as above

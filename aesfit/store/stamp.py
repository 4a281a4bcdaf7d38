# SPDX-License-Identifier: MIT
"""Whether any source has changed, without reading one: a digest of names, sizes and times.

What is made from sources alone is kept under their stamp between runs: to find and hash those of
one question takes half of its answer.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from .. import _native
from ..platforms.places import project_folder
from .contents import CacheError, Facts, cached, key

_PACKAGE = Path(__file__).resolve().parents[1]
_SETTLED_SECONDS = 1.0
"""A file changed later than that could be changed again without another time."""


_doubted: list[str] = []
"""Why no stamp is trusted in this process; empty where it is."""


def kept(kind: str, about: Sequence[object], make: Callable[[], Facts]) -> Facts:
    """What `make` says from sources alone, made once while all of them stay as they are.

    `about`: what it depends on beside them.  `kind`: of the entry, among KINDS of upkeep.py.
    """
    now = of_sources()
    if now is None:
        return make()

    def write(target: Path) -> Facts:
        target.write_bytes(b"")
        return make()

    try:
        return cached(key(kind, now, *about), f".{kind}", write)[1]
    except CacheError:  # a folder that cannot be written
        return make()


def of_sources() -> str | None:
    """Of the package, its compiled part and the C library; None where one has only just changed."""
    if _doubted:
        return None
    return stamp_of(_PACKAGE, Path(_native.__file__), project_folder("lib"))


def doubt() -> None:
    """Read every source from now on, in this process: one may have changed since it began."""
    _doubted.append("a source was to be looked at again")


@cache
def stamp_of(*paths: Path) -> str | None:
    """Changes with every file at or below the paths; None where one has only just changed.

    Also None where a file cannot be looked at: a link to nothing, such as an editor's lock, or a
    file that is just being replaced.  Taken once in a process, as closure.digest() is.  Times are
    those of the last change of content and of the last change of the file's entry: an installer
    may set the former to any value.
    """
    try:
        found = [(path, os.stat(path)) for path in _files(map(str, paths))]  # noqa: PTH116 - strings
    except OSError:
        return None
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

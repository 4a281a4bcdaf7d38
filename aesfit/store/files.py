# SPDX-License-Identifier: MIT
"""Files that take part in a result: how a module names them, and the one place that reads them.

Every digest of a key reads files through content(), so that a test can change any of them there.
"""

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_INCLUDE = re.compile(rb'^[ \t]*[#`][ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
"""Of C (#include) and of Verilog (`include)."""


class MissingFileError(RuntimeError):
    """A file of the package is not where the module beside it expects it."""


@dataclass(frozen=True)
class Contents:
    """What a digest needs of a file."""

    sha256: str
    includes: tuple[str, ...]
    """Names in include directives; empty where the file has none."""


_known: dict[str | Path, tuple[tuple[int, int], Contents]] = {}
"""By the name that a file was asked for: its time and size, and what it held then."""


def beside(file: str, *patterns: str) -> tuple[Path, ...]:
    """The files beside a module that its results depend on, in order of their names.

    Called as `beside(__file__, "link.ld", "*.[ch]")`: the closure of a module (closure.py) finds
    the call in the source, so the patterns must be literal strings.
    """
    folder = Path(file).resolve().parent
    found: list[Path] = []
    for pattern in patterns:
        some = sorted(path for path in folder.glob(pattern) if path.is_file())
        if not some:
            raise MissingFileError(
                f"there is no {pattern} in {folder}; bring it back with: "
                "pip install --force-reinstall aesfit"
            )
        found += some
    return tuple(dict.fromkeys(found))


def content(path: Path) -> bytes:
    """All bytes of a file."""
    return path.read_bytes()


def contents(path: str | Path) -> Contents:
    """Digest and includes of a file; it is read again when it has changed.

    A string will do, as each stored row that is asked for has many looked at.
    """
    stat = os.stat(path)  # noqa: PTH116 - a string
    version = stat.st_mtime_ns, stat.st_size
    known = _known.get(path)
    if known is None or known[0] != version:
        data = content(Path(path))
        known = version, Contents(hashlib.sha256(data).hexdigest(), includes(data))
        _known[path] = known
    return known[1]


def includes(data: bytes) -> tuple[str, ...]:
    """Names in the include directives of C or Verilog."""
    return tuple(name.decode(errors="replace") for name in _INCLUDE.findall(data))


def forget(paths: Iterable[Path] | None = None) -> None:
    """Have files read again: these, by the names that content() was given, or every file."""
    if paths is None:
        _known.clear()
        return
    for path in paths:
        _known.pop(path, None)
        _known.pop(str(path), None)

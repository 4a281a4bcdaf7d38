# SPDX-License-Identifier: MIT
"""What Python files import, by the digest of their contents, kept between runs.

Reading the imports of 40 files takes a quarter of a second, which every command would wait for.
What is kept follows from the contents alone; a damaged file is made again.
"""

import json
import os
import tempfile
from dataclasses import astuple
from functools import cache
from hashlib import sha256
from pathlib import Path

from . import files, imports
from .contents import cache_folder
from .imports import Import, ModuleSource

NAME = "imports.json"
_MOST_BYTES = 4 << 20
"""Of the file; some 100 bytes are taken for each import of each version of each file."""

_Kept = dict[str, tuple[list[tuple[int, str, str | None, str | None]], list[str]]]
"""Imports and patterns by the digest of a file."""
_known: dict[str, ModuleSource] = {}
_new: dict[str, ModuleSource] = {}


def source_of(path: Path) -> ModuleSource:
    """Imports and file patterns of a Python file."""
    digest = files.contents(path).sha256
    _load(cache_folder() / NAME)
    if digest not in _known:
        found = imports.read_source(files.content(path).decode(), path.name)
        _known[digest] = _new[digest] = found
    return _known[digest]


def keep() -> None:
    """Write what was read anew; where that cannot be, it is read again the next time."""
    if not _new:
        return
    path = cache_folder() / NAME
    written = dict(_new)  # another thread may add to it meanwhile
    kept = {**_read(path), **{digest: astuple(one) for digest, one in written.items()}}
    for digest in written:
        _new.pop(digest, None)
    body = json.dumps(kept)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{NAME}.")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(f"{_seal(body)}\n{body}")
        Path(scratch).replace(path)
    except OSError:
        return


@cache
def _load(path: Path) -> None:
    for digest, (found, patterns) in _read(path).items():
        _known[digest] = ModuleSource(tuple(Import(*one) for one in found), tuple(patterns))


def _read(path: Path) -> _Kept:
    """What is kept, where it is whole and was made by this reader of imports."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return {}
        seal, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return {}
    kept: _Kept
    kept = json.loads(body) if seal == _seal(body) else {}
    return kept


@cache
def _reader() -> str:
    return files.contents(Path(imports.__file__)).sha256


def _seal(body: str) -> str:
    return sha256(f"{_reader()}\n{body}".encode()).hexdigest()

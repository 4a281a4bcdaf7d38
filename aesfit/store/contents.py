# SPDX-License-Identifier: MIT
"""Files cached by content: the name of an entry is a digest of all that it is made from.

An entry is a file and, written last, a note: facts, and one digest of file and facts.  Both appear
by renaming, so several processes may fill the cache at once; what is damaged or half there is made
again.  The note's time is that of the entry's last use (store/use.py).
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

from . import use

Facts = dict[str, Any]
BUILDS = "builds"
"""Folder of the entries, in the cache folder."""
_MOST_NOTE_BYTES = 16 << 20
"""Of a note; the longest hold figures of many bursts."""


class CacheError(RuntimeError):
    """The cache folder cannot be written."""


def cache_folder() -> Path:
    """The user's cache folder of aesfit; AESFIT_CACHE overrides it."""
    given = os.environ.get("AESFIT_CACHE")
    return Path(given).absolute() if given else platformdirs.user_cache_path("aesfit")


def make_folder(folder: Path) -> None:
    """Make a folder of the cache unless it is there; CacheError when it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CacheError(_unwritable(error)) from None


def _unwritable(error: OSError) -> str:
    return (
        f"the cache folder {cache_folder()} cannot be written ({error.strerror}); choose another: "
        "export AESFIT_CACHE=FOLDER"
    )


def key(*parts: object) -> str:
    """Digest of parts that print as JSON."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def cached(name: str, suffix: str, make: Callable[[Path], Facts]) -> tuple[Path, Facts]:
    """The file of that name and its facts; `make` writes the file and tells facts worth keeping."""
    path = _path(name, suffix)
    use.enter(cache_folder())
    facts = _sound(path)
    if facts is not None and use.renew(_note(path)):
        return path, facts
    with _scratch(path.parent) as scratch:
        made = Path(scratch) / f"new{suffix}"
        facts = make(made)
        try:
            with use.changing(path.parent):
                _keep(made, path, facts)
        except OSError as error:
            raise CacheError(_unwritable(error)) from None
    return path, facts


def kept(name: str, suffix: str) -> Facts | None:
    """The facts of an entry that is there; None where it has to be made first."""
    path = _path(name, suffix)
    facts = _sound(path)
    if facts is not None:
        use.renew(_note(path))
    return facts


def forget(name: str, suffix: str) -> None:
    """Have an entry made again when it is next asked for."""
    _note(_path(name, suffix)).unlink(missing_ok=True)


def _path(name: str, suffix: str) -> Path:
    return cache_folder() / BUILDS / name[:2] / f"{name}{suffix}"


def _keep(made: Path, path: Path, facts: Facts) -> None:
    note = made.with_name("note")
    text = json.dumps({"sha256": _digest(made, facts), "facts": facts})
    note.write_text(text, encoding="utf-8")
    made.replace(path)
    note.replace(_note(path))


def _scratch(folder: Path) -> "tempfile.TemporaryDirectory[str]":
    make_folder(folder)
    try:
        return tempfile.TemporaryDirectory(dir=folder)
    except OSError as error:
        raise CacheError(_unwritable(error)) from None


def _note(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _digest(path: Path, facts: Facts) -> str:
    """Of a file and its facts, as the note tells them."""
    told = json.dumps(facts).encode()
    return hashlib.sha256(hashlib.sha256(path.read_bytes()).digest() + told).hexdigest()


def _sound(path: Path) -> Facts | None:
    """Facts of an entry that is there and whole."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        note = _note(path)
        if note.stat().st_size > _MOST_NOTE_BYTES:
            return None
        told = json.loads(note.read_text(encoding="utf-8"))
        facts = told["facts"]
        if isinstance(facts, dict) and told["sha256"] == _digest(path, facts):
            return facts
    return None

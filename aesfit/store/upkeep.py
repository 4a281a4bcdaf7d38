# SPDX-License-Identifier: MIT
"""What lies in the cache folder, and how it is made smaller.

Nothing is removed but what has the shape of an entry, in a place where entries are put; symbolic
links are not followed.  While another process works with the folder, the files that it may hold
stay: those that were used on the last day.  Rows can be removed at any time.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import parsed, use
from .contents import BUILDS, cache_folder
from .rows import FILE, RowStore

DAY_SECONDS = 86400
KINDS = {
    "rows": "measured results",
    "o": "compiled objects",
    "elf": "linked images",
    "bin": "programs for this computer",
    "sim": "simulated processors",
    "v": "Verilog of processors with other caches",
    "vvp": "simulations by Icarus Verilog",
    "exe": "simulations by Verilator",
    "zip": "what all simulations by Verilator hold",
    "json": "coefficients, cycles and netlists",
    "fills": "simulated bursts",
    "gates": "circuits as gates",
    "energy": "energy of circuits",
    "delay": "delays of circuits",
    "report": "placed circuits",
    "so": "the tracer and QEMU's plugin",
    "unproved": "instructions that proofs did not run",
    "recipes": "what figures of the atlas depend on",
    "closure": "digests of what results depend on",
    "imports": "what source files import",
    "locks": "locks of builds",
    "leftovers": "what ended processes left behind",
    "damaged": "a store of results that was set aside",
    "unknown": "not aesfit's; never removed",
}
"""Entries by kind; an entry of builds/ is of the kind that its suffix says."""
_ENTRY = re.compile(r"([0-9a-f]{64})\.([a-z]+)")
_NOTE = re.compile(r"([0-9a-f]{64}\.[a-z]+)\.json")


@dataclass(frozen=True)
class KeptFiles:
    """What can be removed together."""

    kind: str
    paths: tuple[Path, ...]
    """The one whose time is that of the last use stands first."""
    bytes: int
    used: float


@dataclass(frozen=True)
class Kind:
    """All entries of one kind."""

    kind: str
    what: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Held:
    """What the cache folder holds."""

    folder: str
    bytes: int
    kinds: tuple[Kind, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values with stable keys."""
        return {**asdict(self), "kinds": [asdict(kind) for kind in self.kinds]}


@dataclass(frozen=True)
class Removed:
    """What was removed from the cache folder."""

    entries: int
    bytes: int
    others_at_work: bool
    """Another process works with the folder, so files that were used on the last day stay."""


def held() -> Held:
    """Entries and bytes by kind."""
    folder = cache_folder()
    numbers = {kind: [0, 0] for kind in KINDS}
    for entry in _entries(folder):
        one = numbers.setdefault(entry.kind, [0, 0])
        one[0] += 1
        one[1] += entry.bytes
    rows = folder / FILE
    if rows.is_file():
        numbers["rows"] = [RowStore().count(), _size([rows])]
    kinds = (Kind(name, KINDS.get(name, ""), *one) for name, one in numbers.items() if one[0])
    every = tuple(kinds)
    return Held(str(folder), sum(kind.bytes for kind in every), every)


def prune(days: int) -> Removed:
    """Remove what was not used for so many days, at least one."""
    if days < 1:
        raise ValueError("what was used on the last day may be in use: prune 1 day or more")
    return _remove(time.time() - days * DAY_SECONDS)


def clear() -> Removed:
    """Remove everything, but what other processes that are at work may hold."""
    return _remove(float("inf"))


def _remove(before: float) -> Removed:
    folder = cache_folder()
    if not folder.is_dir():
        return Removed(0, 0, others_at_work=False)
    size = _size(_below(folder))
    rows = RowStore().prune(before) if (folder / FILE).is_file() else 0
    with use.alone(folder) as alone:
        if not alone:
            before = min(before, time.time() - DAY_SECONDS)
        gone = [one for one in _entries(folder) if _may_go(one, before, alone=alone)]
        removed = sum(_unlink(entry) for entry in gone)
    return Removed(rows + removed, max(0, size - _size(_below(folder))), not alone)


def _may_go(entry: KeptFiles, before: float, *, alone: bool) -> bool:
    known = entry.kind != "unknown"
    return known and entry.used < before and (alone or entry.kind != "locks")


def _unlink(entry: KeptFiles) -> bool:
    """Remove an entry, unless it was used since it was listed."""
    first = entry.paths[0]
    with use.removing(first.parent):
        try:
            if first.lstat().st_mtime > entry.used:
                return False
            for path in entry.paths:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
        except FileNotFoundError:  # another process prunes too
            return False
    return True


def _entries(folder: Path) -> Iterator[KeptFiles]:
    """All that lies in the cache folder but the rows and the lock."""
    for path in _children(folder):
        if path.name in (FILE, f"{FILE}-journal", use.LOCK):
            continue
        if path.name == BUILDS and _is_folder(path):
            for part in _children(path):
                yield from _builds(part)
        elif path.name == "locks" and _is_folder(path):
            yield from (_single(_kind_of_lock(one), one) for one in _children(path))
        else:
            yield _single(_kind_at_top(path), path)


def _builds(folder: Path) -> Iterator[KeptFiles]:
    """Entries of one folder of builds/: files with their notes, and scratch folders."""
    if not (_is_folder(folder) and re.fullmatch("[0-9a-f]{2}", folder.name)):
        yield _single("unknown", folder)
        return
    children = {path.name: path for path in _children(folder)}
    for name, path in children.items():
        entry, note = _ENTRY.fullmatch(name), _NOTE.fullmatch(name)
        if entry and entry[1].startswith(folder.name) and _is_file(path):
            beside = children.get(f"{name}.json")
            yield _entry(entry[2], *([beside, path] if beside else [path]))
        elif note and _is_file(path):
            if note[1] not in children:
                yield _single("leftovers", path)
        else:
            scratch = _is_folder(path) and name.startswith("tmp")
            yield _single("leftovers" if scratch else "unknown", path)


def _kind_of_lock(path: Path) -> str:
    return "locks" if re.fullmatch("[0-9a-f]{64}", path.name) else "unknown"


def _kind_at_top(path: Path) -> str:
    if not _is_file(path):
        return "unknown"
    if path.name == parsed.NAME:
        return "imports"
    if path.name.startswith(f".{parsed.NAME}."):
        return "leftovers"
    return "damaged" if path.name == Path(FILE).with_suffix(".damaged").name else "unknown"


def _single(kind: str, path: Path) -> KeptFiles:
    return _entry("unknown" if path.is_symlink() else kind, path)


def _entry(kind: str, *paths: Path) -> KeptFiles:
    try:
        used = paths[0].lstat().st_mtime
    except FileNotFoundError:
        used = float("inf")
    whole = (other for path in paths for other in (_below(path) if _is_folder(path) else [path]))
    return KeptFiles(kind, paths, _size(whole), used)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []


def _below(folder: Path) -> Iterator[Path]:
    """Files in a folder, links themselves among them."""
    for parent, _, names in os.walk(folder):
        yield from (Path(parent) / name for name in names)


def _size(paths: Iterator[Path] | list[Path]) -> int:
    """Bytes; what another process removed meanwhile has none."""
    total = 0
    for path in paths:
        try:
            total += path.lstat().st_size
        except FileNotFoundError:
            continue
    return total

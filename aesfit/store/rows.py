# SPDX-License-Identifier: MIT
"""The store of measurements: one SQLite file in the user's cache folder, keyed by content.

A key is the digest of all that a result depends on (Rig.key), so an entry never grows stale.  A row
stands beside a digest of key and row; one that differs, or cannot be read, is told of and measured
again.  A damaged file is set aside with a message and begun anew: it holds nothing that cannot be
measured again.
"""

import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from ..jobs.job import Provenance, Row
from . import use
from .contents import cache_folder, make_folder

FILE = "results.sqlite"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS row_2 (key TEXT PRIMARY KEY, row TEXT NOT NULL, "
    "sha256 TEXT NOT NULL, used INTEGER NOT NULL) STRICT"
)
"""`used`: seconds since 1970 of the last use, up to use.RENEWED_SECONDS too early."""
_OLD = ("row_1",)
"""Tables of versions before, whose keys missed what rows depend on."""
_MOST_BYTES = 1 << 16
"""Of a row; the longest are some 2 KiB."""
_PATIENCE_SECONDS = 20.0
Warn = Callable[[str], None]
T = TypeVar("T")


class DamagedRowError(ValueError):
    """A stored row is not the one that was put."""


def _warn(sentence: str) -> None:
    print(f"aesfit: {sentence}", file=sys.stderr)


def _out_of_reach(error: sqlite3.OperationalError) -> bool:
    """The file is locked, full, read-only ...; not that a table or column of it is missing."""
    return error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def row_to_json(row: Row) -> str:
    """All of a row."""
    return json.dumps(asdict(row))


def row_from_json(text: str) -> Row:
    """Read back what row_to_json() gave; DamagedRowError for anything else."""
    try:
        raw = json.loads(text)
        return Row(**{**raw, "provenance": Provenance(**raw["provenance"])})
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedRowError(str(error)) from None


def _decoded(text: bytes) -> str:
    """Text that may have been damaged; its digest tells."""
    return text.decode(errors="replace")


def _seal(key: str, text: str) -> str:
    """Digest that a row carries: it holds for this key alone."""
    return sha256(f"{key}\n{text}".encode()).hexdigest()


class RowStore:
    """Rows by key."""

    def __init__(self, path: Path | None = None, warn: Warn = _warn) -> None:
        """Open the store at `path`, or in the user's cache folder."""
        self.path = path or cache_folder() / FILE
        self._warn = warn
        self._usable = True
        make_folder(self.path.parent)

    def find(self, keys: Sequence[str]) -> dict[str, Row]:
        """Those of the keys that are stored, with their rows."""
        return self._sound(lambda base: self._find(base, keys), {})

    def put(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Store rows; equal keys are replaced."""
        now = int(time.time())
        texts = [(key, row_to_json(row)) for key, row in rows]
        entries = [(key, text, _seal(key, text), now) for key, text in texts]
        self._sound(lambda base: self._put(base, entries), None)

    def count(self) -> int:
        """Rows that are stored."""
        select = "SELECT count(*) FROM row_2"
        return self._sound(lambda base: int(base.execute(select).fetchone()[0]), 0)

    def prune(self, before: float) -> int:
        """Remove rows that were last used before a time in seconds; how many there were."""
        return self._sound(lambda base: self._prune(base, before), 0)

    def _find(self, base: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Row]:
        found: dict[str, Row] = {}
        damaged, due, now = 0, [], int(time.time())
        for key in keys:
            try:
                entry = _entry(base, key)
            except DamagedRowError:
                damaged += 1
                continue
            if entry:
                found[key], used = entry
                due += [(now, key)] if use.is_due(used, now) else []
        if damaged:
            rows = "1 row that was" if damaged == 1 else f"{damaged} rows that were"
            self._warn(f"the store {self.path} held {rows} changed or damaged, so measured again")
        _renew(base, due)
        return found

    def _put(self, base: sqlite3.Connection, entries: Sequence[tuple[str, str, str, int]]) -> None:
        with base:
            base.executemany("INSERT OR REPLACE INTO row_2 VALUES (?, ?, ?, ?)", entries)

    def _prune(self, base: sqlite3.Connection, before: float) -> int:
        with base:
            removed = base.execute("DELETE FROM row_2 WHERE used < ?", (before,)).rowcount
        with suppress(sqlite3.DatabaseError):  # others read: the room is taken by later rows
            base.execute("VACUUM")
        return removed

    def _sound(self, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What `act` makes of the store; `otherwise` where it cannot be used, told of once."""
        try:
            return self._mended(act) if self._usable else otherwise
        except (sqlite3.OperationalError, OSError) as error:
            self._usable = False
            self._warn(
                f"the store of results {self.path} cannot be used ({error}), so nothing is kept; "
                "choose another folder: export AESFIT_CACHE=FOLDER"
            )
            return otherwise

    def _mended(self, act: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._with_base(act)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and _out_of_reach(error):
                raise
            self._set_aside(error)
            return self._with_base(act)

    def _with_base(self, act: Callable[[sqlite3.Connection], T]) -> T:
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS)) as base:
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
            base.text_factory = _decoded
            base.execute(_SCHEMA)
            for table in _OLD:
                base.execute(f"DROP TABLE IF EXISTS {table}")
            return act(base)

    def _set_aside(self, error: Exception) -> None:
        aside = self.path.with_suffix(".damaged")
        self.path.replace(aside)
        self._warn(
            f"the store of results was damaged ({error}); it is now {aside}, a new one begun"
        )


def _entry(base: sqlite3.Connection, key: str) -> tuple[Row, int] | None:
    """A row and its last use; DamagedRowError where it is not what was put."""
    try:
        select = "SELECT row, sha256, used FROM row_2 WHERE key = ?"
        entry = base.execute(select, (key,)).fetchone()
    except sqlite3.DataError as error:  # longer than any row: SQLite does not even load it
        raise DamagedRowError(str(error)) from None
    if entry is None:
        return None
    text, seal, used = entry
    if seal != _seal(key, text):
        raise DamagedRowError("it is not the row that was put")
    return row_from_json(text), used


def _renew(base: sqlite3.Connection, due: Sequence[tuple[int, str]]) -> None:
    """Record uses; where another process writes or nobody may, they are recorded the next time."""
    if not due:
        return
    with suppress(sqlite3.OperationalError):
        base.execute("PRAGMA busy_timeout = 0")
        with base:
            base.executemany("UPDATE row_2 SET used = ? WHERE key = ?", due)

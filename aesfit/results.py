# SPDX-License-Identifier: MIT
"""The store of measurements: one SQLite file in the user's cache folder, keyed by content.

A key is the digest of all that a result hangs on (Rig.key), so an entry never grows stale; what is
no longer asked for just stays.  A damaged file is set aside with a message and begun anew: it holds
nothing that cannot be measured again.
"""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from .cache import cache_folder, make_folder
from .rigs.rig import Provenance, Row

_SCHEMA = "CREATE TABLE IF NOT EXISTS row_1 (key TEXT PRIMARY KEY, row TEXT NOT NULL) STRICT"
_PATIENCE_SECONDS = 20.0
Warn = Callable[[str], None]
T = TypeVar("T")


def _warn(sentence: str) -> None:
    print(f"aesfit: {sentence}", file=sys.stderr)


def _out_of_reach(error: sqlite3.OperationalError) -> bool:
    """The file is locked, full, read-only ...; not that a table or column of it is missing."""
    return error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def row_to_json(row: Row) -> str:
    """All of a row."""
    return json.dumps(asdict(row))


def row_from_json(text: str) -> Row:
    """Read back what row_to_json() gave."""
    raw = json.loads(text)
    return Row(**{**raw, "provenance": Provenance(**raw["provenance"])})


class Store:
    """Rows by key."""

    def __init__(self, path: Path | None = None, warn: Warn = _warn) -> None:
        """Open the store at `path`, or in the user's cache folder."""
        self.path = path or cache_folder() / "results.sqlite"
        self._warn = warn
        self._usable = True
        make_folder(self.path.parent)

    def find(self, keys: Sequence[str]) -> dict[str, Row]:
        """Those of the keys that are stored, with their rows."""
        return self._sound(lambda base: self._find(base, keys), {})

    def put(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Store rows; equal keys are replaced."""
        entries = [(key, row_to_json(row)) for key, row in rows]
        self._sound(lambda base: self._put(base, entries), None)

    def _find(self, base: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Row]:
        select = "SELECT row FROM row_1 WHERE key = ?"
        found = ((key, base.execute(select, (key,)).fetchone()) for key in keys)
        return {key: row_from_json(entry[0]) for key, entry in found if entry}

    def _put(self, base: sqlite3.Connection, entries: Sequence[tuple[str, str]]) -> None:
        with base:
            base.executemany("INSERT OR REPLACE INTO row_1 VALUES (?, ?)", entries)

    def _sound(self, use: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What `use` makes of the store; `otherwise` where it cannot be used, told of once."""
        try:
            return self._mended(use) if self._usable else otherwise
        except (sqlite3.OperationalError, OSError) as error:
            self._usable = False
            self._warn(
                f"the store of results {self.path} cannot be used ({error}), so nothing is kept; "
                "choose another folder: export AESFIT_CACHE=FOLDER"
            )
            return otherwise

    def _mended(self, use: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._with_base(use)
        except (sqlite3.DatabaseError, ValueError, TypeError, KeyError) as error:
            if isinstance(error, sqlite3.OperationalError) and _out_of_reach(error):
                raise
            self._set_aside(error)
            return self._with_base(use)

    def _with_base(self, use: Callable[[sqlite3.Connection], T]) -> T:
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS)) as base:
            base.execute(_SCHEMA)
            return use(base)

    def _set_aside(self, error: Exception) -> None:
        aside = self.path.with_suffix(".damaged")
        self.path.replace(aside)
        self._warn(
            f"the store of results was damaged ({error}); it is now {aside}, a new one begun"
        )

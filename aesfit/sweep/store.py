# SPDX-License-Identifier: MIT
"""Stores the rows of a sweep in small files beside the output, joined into it at the end.

Every file appears whole, by renaming, so that a sweep may be killed at any moment.  A row is used
if its design is asked for and its inputs are current; of duplicate rows only one is used.
"""

import fcntl
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from .table import Arrow, TableError, joined, read, table_of, write


class SweepStore:
    """The rows of one output file, finished or not."""

    def __init__(self, output: Path) -> None:
        """Begin or continue `output`."""
        self.output = output
        self.parts = output.with_name(output.name + ".parts")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the output against other sweeps; the lock ends with its process."""
        self.parts.mkdir(exist_ok=True)
        lock = self.parts / "lock"
        with lock.open("w") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OSError(
                    f"another sweep is writing '{self.output}'; wait for it, or choose another -o"
                ) from None
            try:
                yield
            finally:
                if {path.name for path in self.parts.iterdir()} == {"lock"}:
                    shutil.rmtree(self.parts)

    def forget(self) -> None:
        """Remove all rows."""
        self.output.unlink(missing_ok=True)
        for path in self._files():
            path.unlink()

    def rows(self) -> Arrow:
        """All stored rows; damaged parts are removed, since they can be made again."""
        for scrap in self.parts.glob(".*"):  # left by a killed sweep
            scrap.unlink()
        tables = [read(self.output)] if self.output.exists() else []
        for path in self._files():
            try:
                tables.append(read(path))
            except TableError:
                path.unlink()
        return joined(tables)

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Keep rows; the same rows again make the same file again."""
        names = "".join(f"{row['key']} {row['inputs_sha256']}\n" for row in rows)
        name = sha256(names.encode()).hexdigest()[:32]
        write(table_of(rows), self.parts / f"{name}.parquet")

    def finish(self, wanted: Mapping[str, str]) -> Arrow:
        """Join all into the output: one row for each design of `wanted`, in its order."""
        rows = self.rows()
        at = sound(rows, wanted)
        table = rows.take([at[key] for key in wanted])
        write(table, self.output)
        for path in self._files():
            path.unlink()
        return table

    def _files(self) -> list[Path]:
        return sorted(self.parts.glob("*.parquet"))


def sound(rows: Arrow, wanted: Mapping[str, str], *, failed: bool = True) -> dict[str, int]:
    """Positions of wanted designs whose row was made from current inputs.

    `failed` says whether rows with an error count.  `wanted` has inputs by the keys of designs.
    """
    names = ("key", "inputs_sha256", "error")
    columns = [rows.column(name).to_pylist() for name in names]
    found: dict[str, int] = {}
    for at, (key, inputs, error) in enumerate(zip(*columns, strict=True)):
        if wanted.get(key) == inputs and (failed or error is None):
            found[key] = at  # later rows replace earlier ones
    return found

# SPDX-License-Identifier: MIT
"""Tables of sweeps as Parquet files; the only place that knows pyarrow."""

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from ..extras import PARQUET, missing
from .columns import COLUMNS, NAMES

Arrow: TypeAlias = Any
"""pyarrow ships no type annotations."""


class TableError(ValueError):
    """A file is not a table of a sweep."""


def check_available() -> None:
    """Refuse to go on without pyarrow; OSError with the command that installs it."""
    reason = missing("a sweep's table", PARQUET)
    if reason:
        raise OSError(reason)


@cache
def schema() -> Arrow:
    """The columns as a pyarrow schema."""
    import pyarrow as pa  # type: ignore[import-untyped]

    kinds = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "flag": pa.bool_()}
    return pa.schema([(column.name, kinds[column.kind]) for column in COLUMNS])


def table_of(rows: Sequence[Mapping[str, Any]]) -> Arrow:
    """A table with all columns; a value that a row lacks is null."""
    import pyarrow as pa

    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema())


def read(path: Path) -> Arrow:
    """Read a whole table; TableError if the file is damaged or not a sweep's table."""
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    try:
        table = pq.read_table(path, memory_map=False)
    except FileNotFoundError:
        raise TableError(f"there is no file '{path}'; make it with: aesfit sweep") from None
    except (pa.ArrowInvalid, OSError) as error:
        what = str(error).splitlines()[0].rstrip(".")
        raise TableError(f"'{path}' is not a readable Parquet file: {what}") from None
    if "key" not in table.column_names or "error" not in table.column_names:
        raise TableError(f"'{path}' is not a table of aesfit sweep: it lacks the column 'key'")
    return table


def write(table: Arrow, path: Path) -> None:
    """Write a file whole or not at all, even if the power fails, by renaming a synced copy."""
    import pyarrow.parquet as pq

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            pq.write_table(table, stream, compression="zstd")
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def joined(tables: Iterable[Arrow]) -> Arrow:
    """Rows of all tables with the current columns; those that a table lacks are null."""
    import pyarrow as pa

    return pa.concat_tables([schema().empty_table(), *map(_today, tables)])


def _today(table: Arrow) -> Arrow:
    import pyarrow as pa

    def column(name: str) -> Arrow:
        kind = schema().field(name).type
        if name in table.column_names:
            return table.column(name).cast(kind)
        return pa.nulls(table.num_rows, kind)

    return pa.table({name: column(name) for name in NAMES}, schema=schema())

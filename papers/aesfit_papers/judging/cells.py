# SPDX-License-Identifier: MIT
"""Rows by their names, and cells that must hold numbers."""

from collections.abc import Callable, Sequence

from .contract import Row, Value


def figure(value: Value) -> float:
    """A cell that must hold a number."""
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def found(rows: Sequence[Row], *names: str) -> Callable[..., Row]:
    """A row by the values of those columns."""
    by_key = {tuple(row[name] for name in names): row for row in rows}
    return lambda *key: by_key[key]

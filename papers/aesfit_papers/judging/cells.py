# SPDX-License-Identifier: MIT
"""Rows by their names, and cells that must hold numbers."""

from collections.abc import Callable, Mapping, Sequence

from .contract import Pair, Row, Value
from .place import ClaimPlace, in_row

PLACE = ("platform", "flags")
"""The columns of most places."""
_Cell = Value | tuple[Value, Value]


def figure(value: Value) -> float:
    """A cell that must hold a number."""
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def found(rows: Sequence[Row], *names: str) -> Callable[..., Row]:
    """A row by the values of those columns."""
    by_key = {tuple(row[name] for name in names): row for row in rows}
    return lambda *key: by_key[key]


def placed(rows: Sequence[Row], *names: str) -> dict[ClaimPlace, list[Row]]:
    """Rows by the place that these columns make."""
    made: dict[ClaimPlace, list[Row]] = {}
    for row in rows:
        made.setdefault(in_row(row, *names), []).append(row)
    return made


def figures(
    rows: Sequence[Row], column: str, by: Sequence[str] = PLACE, **cells: Value
) -> dict[ClaimPlace, float]:
    """A column of the rows with those cells, by the place that the columns `by` make.

    ValueError if several rows have one place.
    """
    return {place.of(**cells): one for place, one in _figures(rows, column, by, cells).items()}


def pairs(
    rows: Sequence[Row], a: str, b: str = "", by: Sequence[str] = PLACE, **cells: _Cell
) -> dict[ClaimPlace, Pair]:
    """One column against another, or against itself in another row, by place.

    Of a cell that is given two values, the row of `a` has the first and that of `b` the second.
    """
    one, two = (
        _figures(rows, column, by, {name: _either(cell, at) for name, cell in cells.items()})
        for at, column in enumerate((a, b or a))
    )
    return {place.of(**cells): Pair(taken, two[place]) for place, taken in one.items()}


def _either(cell: _Cell, at: int) -> Value:
    return cell[at] if isinstance(cell, tuple) else cell


def _figures(
    rows: Sequence[Row], column: str, by: Sequence[str], cells: Mapping[str, Value]
) -> dict[ClaimPlace, float]:
    some = [row for row in rows if all(row[name] == cell for name, cell in cells.items())]
    found = {in_row(row, *by): figure(row[column]) for row in some}
    if len(found) < len(some):
        raise ValueError(f"several rows with {cells} have the same {' and '.join(by)}")
    return found

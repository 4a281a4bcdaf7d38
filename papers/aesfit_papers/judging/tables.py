# SPDX-License-Identifier: MIT
"""Tables of experiments: how figures are written, and ours beside what was published."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeGuard

from aesfit.units import count

from .contract import ResultTable, Row, Value

NOTHING = "\N{EN DASH}"
"""Text of a missing figure."""
Write = Callable[[Value], str]


def number(value: Value) -> str:
    """Format a cell: separated thousands, or three digits if small; text is unchanged."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if value < 0:
        return f"\N{MINUS SIGN}{number(-value)}"
    if value >= 100 or value == int(value):
        return count(value)
    return f"{value:.3g}"


def ratio(ours: Value, theirs: Value) -> str:
    """Our figure over theirs: "1.08"."""
    if not numeric(ours) or not numeric(theirs) or not theirs:
        return NOTHING
    return f"{ours / theirs:.2f}"


def percent(share: Value) -> str:
    """A share of one: 0.125 gives "12.5 %"."""
    return f"{100 * share:.1f} %" if numeric(share) else NOTHING


def numeric(value: Value) -> TypeGuard[int | float]:
    """Whether it is a number; truth values are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def figures(cells: Iterable[str]) -> bool:
    """Whether a column of cells holds figures, which are right-aligned."""
    told = [cell for cell in cells if cell not in ("", NOTHING)]
    return bool(told) and all(re.match(r"[-+~\N{MINUS SIGN}]?[\d.]", cell) for cell in told)


def table(
    title: str,
    rows: Sequence[Row],
    columns: Sequence[tuple[str, str]],
    *,
    note: str = "",
    write: Write = number,
) -> ResultTable:
    """Columns of rows, each by its heading and its name."""
    head = tuple(heading for heading, _ in columns)
    cells = tuple(tuple(write(row[name]) for _, name in columns) for row in rows)
    return ResultTable(title, head, cells, note)


def beside(
    title: str,
    rows: Sequence[Row],
    names: Sequence[tuple[str, str]],
    pairs: Sequence[tuple[str, str, str]],
    *,
    note: str = "",
    write: Write = number,
) -> ResultTable:
    """Ours, the paper's and their ratio for each pair of columns (heading, ours, published)."""
    head = [heading for heading, _ in names]
    for heading, _, _ in pairs:
        head += [f"{heading}: ours", "published", "ratio"]
    cells = tuple(
        (
            *(write(row[name]) for _, name in names),
            *(
                cell
                for _, ours, theirs in pairs
                for cell in (write(row[ours]), write(row[theirs]), ratio(row[ours], row[theirs]))
            ),
        )
        for row in rows
    )
    return ResultTable(title, tuple(head), cells, note)

# SPDX-License-Identifier: MIT
"""The rows that a claim is judged on: those that name one of its places, and move its figure there.

A part of a place names a cell by its text ("-O2"), by the name of its column and a number ("12 wait
states" in wait_states), or by words of it ("logo 200").  A part that names no cell leaves nothing
out, and rows of another place, with which its own are compared, are not looked for.

Of these rows, those are left out whose figures may be made eight times as large, or as small,
without moving what the claim finds in that place; if no figure moves it, as where rows are only
counted, all of them remain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random

from .axes import number
from .contract import Claim, Pair, Row, Value

_Named = frozenset[tuple[str, Value]]
"""Columns and their values; a row is meant if it has any of them."""
_Claims = Callable[[Sequence[Row]], Sequence[Claim]]
_SHORT = 3
"""Letters of a word that may name a cell."""
_SCALES = {"KiB": 1 << 10, "M": 1 << 20}
_FACTOR = 8
_SHARES = (0.5, 0.25, 0.1) * 16
"""Of the rows that are moved at once: each draw tells of every place whether they matter there."""


def rows_of(
    rows: Sequence[Row], claims: _Claims, places: Mapping[int, Sequence[str]]
) -> dict[int, dict[str, list[int]]]:
    """Numbers of rows, from 0, for those places of each claim, which is named by its index."""
    cells = {(name, one[name]) for one in rows for name in one if not _published(name)}
    named = {
        (at, place): _naming(rows, frozenset(cells), place)
        for at, some in places.items()
        for place in some
    }
    left = _moving(rows, partial(_found, claims), named)
    return {
        at: {place: sorted(left[at, place] or named[at, place]) for place in some}
        for at, some in places.items()
    }


def _published(column: str) -> bool:
    return column.startswith("published")


def _naming(rows: Sequence[Row], cells: _Named, place: str) -> set[int]:
    """Rows with cells that all of its parts name; with any of them if no row has all."""
    conditions = list(_conditions(cells, place))
    met = [
        [any(row[name] == value for name, value in named) for named in conditions] for row in rows
    ]
    every = {at for at, each in enumerate(met) if all(each)}
    return every or {at for at, each in enumerate(met) if any(each)}


def _conditions(cells: _Named, place: str) -> Iterator[_Named]:
    """What the parts of a place say of a row's cells; "hexagon, -O2" may be one cell."""
    parts = set(place.split(", "))
    texts = {value for _, value in cells if isinstance(value, str)}
    for text in sorted(texts, key=len, reverse=True):
        several = set(text.split(", "))
        if len(several) > 1 and several <= parts:
            yield _cells(cells, text)
            parts -= several
    for part in sorted(parts):
        if whole := _cells(cells, part) or _numbered(cells, part):
            yield whole
        else:
            words = (one for one in part.split() if len(one) >= _SHORT)
            yield from filter(None, (_cells(cells, one) for one in words))


def _cells(cells: _Named, text: str) -> _Named:
    """The cells with that text."""
    return frozenset(one for one in cells if isinstance(one[1], str) and one[1] == text)


def _numbered(cells: _Named, part: str) -> _Named:
    """The cells with its number, or the bytes that it means, in a column that it names."""
    value = number(part)
    if value is None:
        return frozenset()
    scale = next((many for unit, many in _SCALES.items() if part.endswith(unit)), 1)
    return frozenset(
        (name, cell)
        for name, cell in cells
        if _counts(cell)
        and ((scale > 1 and cell == value * scale) or (cell == value and _names(name, part)))
    )


def _counts(cell: Value) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool)


def _names(column: str, part: str) -> bool:
    """Whether all words of a column's name are in the part: wait_states in "1 wait state"."""
    words = {word.removesuffix("s") for word in part.replace("-", " ").split()}
    return all(word.removesuffix("s") in words for word in column.split("_"))


_Found = Sequence[Mapping[str, Pair | float]]
_Finding = Callable[[Sequence[Row]], _Found]
_Place = tuple[int, str]
"""Of a claim with that index."""


def _found(claims: _Claims, rows: Sequence[Row]) -> _Found:
    """What each claim finds by place; nothing if such rows have no claims."""
    try:
        return [one.found for one in claims(rows)]
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return []


def _moving(
    rows: Sequence[Row], found: _Finding, named: Mapping[_Place, set[int]]
) -> dict[_Place, set[int]]:
    """Of the rows of each place, those that no draw shows to leave its figure as it is."""
    left = {place: set(some) for place, some in named.items()}
    draw = Random(1)  # noqa: S311 - the same rows each time
    now, columns = found(rows), _movable(rows, found)
    every = sorted(set().union(*named.values()))
    for share in _SHARES:
        some = {at for at in every if draw.random() < share}
        both = [found(_scaled(rows, some, columns, up)) for up in (True, False)]
        for (at, place), remaining in left.items():
            if all(len(one) == len(now) and one[at].get(place) == now[at][place] for one in both):
                remaining -= some
    return left


def _movable(rows: Sequence[Row], found: _Finding) -> frozenset[str]:
    """Columns of figures: without the same places after a change, a column names rows."""
    now, every = [list(one) for one in found(rows)], set(range(len(rows)))
    return frozenset(
        name
        for name in rows[0]
        if not _published(name)
        and all(
            [list(one) for one in found(_scaled(rows, every, frozenset((name,)), up))] == now
            for up in (True, False)
        )
    )


def _scaled(rows: Sequence[Row], some: set[int], columns: frozenset[str], up: bool) -> list[Row]:
    """Rows with the figures of some made larger or smaller."""
    return [
        {name: _times(cell, up) if name in columns else cell for name, cell in row.items()}
        if at in some
        else row
        for at, row in enumerate(rows)
    ]


def _times(cell: Value, up: bool) -> Value:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return cell
    if isinstance(cell, int):
        return cell * _FACTOR + 1 if up else cell // _FACTOR
    return cell * _FACTOR if up else cell / _FACTOR

# SPDX-License-Identifier: MIT
"""The lines of a group as CSV, with the fields of another group left out (repeats.py)."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from .repeats import Cells, completed, differing, placed_fields

About = tuple[str, str, str, str]
"""Core, mode, GHASH and directions: what a line is about, apart from its platform."""
Rows = Mapping[About, tuple[str, Cells]]
"""The key of each line, and its folded cells."""
Fields = frozenset[tuple[About, tuple[int, int, str]]]
"""Of a group, each with its line and its place there."""
OWN = ("core", "mode", "ghash", "directions", "key")
"""Columns before the cells."""
NONE = "-"
"""In the place of the group whose fields are left out."""
_USUAL = "both"
"""Directions that are not written."""
_PART = 4
"""Another group must save this part of the fields, a quarter: else damage to it costs more."""


def body_of(rows: Rows, other: Rows) -> str:
    """The lines as text, without fields of the other group's; a core is written once."""
    text, last = io.StringIO(), ""
    writer = csv.writer(text, lineterminator="\n")
    for about in sorted(rows):
        core, mode, ghash, directions = about
        key, cells = rows[about]
        left = differing(cells, other[about][1]) if about in other else cells
        told = "" if directions == _USUAL else directions
        writer.writerow(("" if core == last else core, mode, ghash, told, key, *left))
        last = core
    return text.getvalue()


def rows_of(body: str, other: Rows) -> Rows:
    """The lines that body_of() wrote."""
    found, last = {}, ""
    for core, mode, ghash, directions, key, *cells in csv.reader(io.StringIO(body)):
        last = core or last
        found[last, mode, ghash, directions or _USUAL] = key, tuple(cells)
    return _Completed(found, other)


class _Completed(Rows):
    """Lines with the fields of another group, put in when a line is asked for."""

    def __init__(self, written: Rows, other: Rows) -> None:
        self._written, self._other = written, other

    def __getitem__(self, about: About) -> tuple[str, Cells]:
        key, left = self._written[about]
        other = self._other.get(about)
        return key, left if other is None else completed(left, other[1])

    def __iter__(self) -> Iterator[About]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)


def fields_of(rows: Rows) -> Fields:
    """The fields of a group."""
    each = rows.items()
    return frozenset((about, one) for about, (_, cells) in each for one in placed_fields(cells))


def most_alike(fields: Fields, others: Mapping[str, Fields]) -> str:
    """The name of the group that saves most; NONE if no group saves enough."""
    saved = {name: _length(fields & theirs) for name, theirs in others.items()}
    best = max(saved, key=lambda name: saved[name], default=NONE)
    return best if saved.get(best, 0) * _PART > _length(fields) else NONE


def _length(fields: Iterable[tuple[About, tuple[int, int, str]]]) -> int:
    """Of the text, with separators."""
    return sum(len(text) + 1 for _, (_, _, text) in fields)

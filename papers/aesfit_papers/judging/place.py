# SPDX-License-Identifier: MIT
"""The place that a claim is tried in: its parts, as they are told, and the rows that it is of.

An experiment makes it of the values by which it selects rows: `at(platform="rv32i", flags="-O2")`
is told as "rv32i, -O2", and is of the rows with both.  What is not told, such as the two cores that
a claim compares there, `of` adds; words that are no cell of a row are added by `+`.  A place that
names no cell, such as that of a figure which the paper prints, is of all rows.

Rows with which those of a place are compared, and which its columns do not select, are given by
`beside`: the program that takes the least energy (platforms_energy, platforms_connection), the code
without a step (mobile_single_steps), and the cache that holds everything (cache_small_caches).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Value = str | int | float | bool | None
Row = Mapping[str, Value]
Axis = Literal["level", "compiler", "memory", "size", "processor", "other"]
AXES: tuple[Axis, ...] = get_args(Axis)
"""All kinds of parts; a change of an earlier one is the smaller."""
SIZED: tuple[Axis, ...] = ("memory", "size")
"""Kinds whose changes have an amount that architects ask for."""
_COLUMNS: Mapping[str, tuple[Axis, str]] = {
    "platform": ("processor", "#"),
    "family": ("processor", "#"),
    "flags": ("level", "#"),
    "cache": ("memory", "#"),
    "condition": ("memory", "#"),
    "wait_states": ("memory", "# wait states"),
    "size": ("memory", "# KiB"),
    "bytes": ("size", "#"),
    "ways": ("memory", "# ways"),
    "line": ("memory", "#-byte lines"),
    "calls": ("size", "# calls"),
    "key_bits": ("size", "# bits"),
    "mac_bytes": ("size", "MAC of # bytes"),
    "width": ("other", "# issues"),
    "load_latency": ("other", "load latency #"),
    "doubts": ("other", "doubts #"),
    "rounds": ("other", "# rounds"),
    "block": ("other", "block #"),
    "program": ("other", "program #"),
}
"""The kind of a column, and how its values are told; all others are told as they are."""
_PLAIN = (("", 1),)
_UNITS: Mapping[str, Sequence[tuple[str, int]]] = {
    "size": (("", 1 << 10),),
    "bytes": (("M", 1 << 20), ("K", 1 << 10), *_PLAIN),
}
"""Of columns whose values are told in the first unit that divides them."""


@dataclass(frozen=True)
class PlacePart:
    """A part of a place: "-O2", "12 wait states"."""

    axis: Axis
    form: str
    """Its text, with # for its number: "# wait states", of one as of many."""
    number: float | None = None
    amount: str = ""
    """The number as it is told, which may be in another unit."""

    @property
    def text(self) -> str:
        """As it is told."""
        text = self.form.replace("#", self.amount) if self.amount else self.form
        return text.removesuffix("s") if self.amount == "1" else text

    def ranged(self, last: "PlacePart") -> "PlacePart":
        """From this to the last of the same form: "8 to 14 wait states"."""
        return replace(self, amount=f"{self.amount} to {last.amount}")


_Cells = tuple[tuple[str, tuple[Value, ...]], ...]
"""Columns, and values of which rows have one."""


@dataclass(frozen=True)
class ClaimPlace:
    """A place; two with the same parts are the same."""

    parts: tuple[PlacePart, ...]
    cells: _Cells = field(default=(), compare=False)
    """Of its rows."""
    others: tuple[_Cells, ...] = field(default=(), compare=False)
    """Of rows with which its own are compared, if they have other cells."""

    def __str__(self) -> str:
        """As it is told and stored."""
        return ", ".join(part.text for part in self.parts)

    def __add__(self, other: "ClaimPlace | str") -> "ClaimPlace":
        """With further parts; an empty text adds none."""
        more = told(other) if isinstance(other, str) else other
        cells = (*self.cells, *more.cells)
        return ClaimPlace((*self.parts, *more.parts), cells, (*self.others, *more.others))

    def __radd__(self, text: str) -> "ClaimPlace":
        """With the text as its first part."""
        return told(text) + self

    def __contains__(self, text: str) -> bool:
        """Whether it has such a part."""
        return any(part.text == text for part in self.parts)

    def of(self, **cells: Value | tuple[Value, ...]) -> "ClaimPlace":
        """With cells that are not told; of several values rows have any, and later ones count."""
        more = {name: one if isinstance(one, tuple) else (one,) for name, one in cells.items()}
        return replace(self, cells=tuple((dict(self.cells) | more).items()))

    def beside(self, row: Row, *names: str) -> "ClaimPlace":
        """Of that row too, which those columns name."""
        return replace(self, others=(*self.others, tuple((name, (row[name],)) for name in names)))

    def named(self, axis: Axis) -> str:
        """Its parts of that kind."""
        return ", ".join(part.text for part in self.parts if part.axis == axis)

    def without(self, *texts: str) -> "ClaimPlace":
        """Without those parts."""
        return replace(self, parts=tuple(one for one in self.parts if one.text not in texts))

    def rows_of(self, rows: Sequence[Row]) -> list[int]:
        """Numbers of its rows, from 0."""
        return [
            number
            for number, row in enumerate(rows)
            if any(
                all(row[name] in values for name, values in cells)
                for cells in (self.cells, *self.others)
            )
        ]


def told(text: str, axis: Axis = "other", number: int | None = None) -> ClaimPlace:
    """A place of one part that names no cell; # stands for its number.  An empty text is none."""
    amount = "" if number is None else f"{number:,}"
    return ClaimPlace((PlacePart(axis, text, number, amount),) if text else ())


def at(**cells: Value) -> ClaimPlace:
    """The place of rows with these cells; an empty one is not told."""
    known = ((name, one) for name, one in cells.items() if one is not None)
    return ClaimPlace(tuple(part for one in known for part in _parts(*one))).of(**cells)


def in_row(row: Row, *names: str) -> ClaimPlace:
    """The place that these columns of a row make."""
    return at(**{name: row[name] for name in names})


def between(first: ClaimPlace, last: ClaimPlace) -> ClaimPlace:
    """The place of a range: "1 to 1,024 calls"."""
    return ClaimPlace((first.parts[0].ranged(last.parts[0]),))


def _parts(column: str, value: Value) -> Iterator[PlacePart]:
    """One; two of the column "place", whose cells hold a processor and a level."""
    axis, form = _COLUMNS.get(column, ("other", "#"))
    if column == "place":
        name, _, level = str(value).partition(", ")
        yield PlacePart("processor", name)
        if level:
            yield PlacePart("level", level)
    elif isinstance(value, int):
        unit, scale = next(one for one in _UNITS.get(column, _PLAIN) if value % one[1] == 0)
        yield PlacePart(axis, form, value, f"{value // scale:,}{unit}")
    else:
        yield PlacePart(axis, form.replace("#", str(value)))

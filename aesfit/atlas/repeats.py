# SPDX-License-Identifier: MIT
"""Cells of the atlas without the fields that they repeat, and back.

Fields of a cell are separated by `:`.  An empty field repeats the same field of another cell, and a
cell that is empty repeats all of them.  A mark stands for a field that is empty where the other's
is not.  Fields are left out twice: first those of the cell before in the same line, then, in what
is left, those of the same line of another group.  A reason (`!`) has no fields.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

Cells = tuple[str, ...]
"""Of a line, in the order of the columns: three images, then three runs by payload."""
REFUSED = "!"
WIDTH = 3
"""Images, and runs of a payload."""
_IN_LINE, _IN_GROUP = "-", "="
"""Marks of the two repeats: what the first one leaves may contain its mark."""


def folded(cells: Sequence[str]) -> Cells:
    """The cells of a line without fields of the cell before.

    An empty cell is as the one before: that to the left of an image, and of a run that of the
    payload before.
    """
    full: list[str] = []
    found = []
    for at, cell in enumerate(cells):
        other = _before(at, full)
        full.append(cell or other)
        found.append(without(full[-1], other, _IN_LINE))
    return tuple(found)


def unfolded(texts: Cells) -> Cells:
    """The cells that folded() got; those that are as the cell before are empty."""
    full: list[str] = []
    for at, text in enumerate(texts):
        other = _before(at, full)
        full.append(restored(text, other, _IN_LINE) if text else other)
    return tuple(cell if text else "" for cell, text in zip(full, texts, strict=True))


def _before(at: int, full: Sequence[str]) -> str:
    if at < WIDTH:
        return full[at - 1] if at else ""
    return full[at - WIDTH] if at >= 2 * WIDTH else ""


def differing(texts: Cells, other: Cells) -> Cells:
    """Folded cells without fields of the same line of another group."""
    return tuple(without(*both, _IN_GROUP) for both in zip(texts, other, strict=True))


def completed(texts: Cells, other: Cells) -> Cells:
    """The folded cells that differing() got."""
    both = zip(texts, other, strict=True)
    return tuple(restored(text, old, _IN_GROUP) if text else old for text, old in both)


def without(cell: str, other: str, mark: str) -> str:
    """The cell without the fields of the other one."""
    if cell == other:
        return ""
    if cell.startswith(REFUSED):
        return cell
    pairs = zip_longest(cell.split(":"), fields(other), fillvalue="")
    return ":".join("" if new == old else new or mark for new, old in pairs).rstrip(":")


def restored(text: str, other: str, mark: str) -> str:
    """The cell that without() got."""
    if not text:
        return other
    if text.startswith(REFUSED):
        return text
    pairs = zip_longest(text.split(":"), fields(other), fillvalue="")
    return ":".join("" if new == mark else new or old for new, old in pairs).rstrip(":")


def fields(cell: str) -> list[str]:
    """The fields of a cell; a reason is one field."""
    return [cell] if cell.startswith(REFUSED) else cell.split(":")


def placed_fields(texts: Cells) -> Iterator[tuple[int, int, str]]:
    """The fields that are not empty, with the numbers of their cell and of their place in it."""
    for column, text in enumerate(texts):
        if text:
            yield from ((column, at, one) for at, one in enumerate(fields(text)) if one)

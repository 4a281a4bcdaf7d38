# SPDX-License-Identifier: MIT
"""Entries that are kept as text: comments that belong to them, conditions around them."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile

from .entries import Branch, Entry

_WIDTH = 100
_GIVEN = {
    "string.h": frozenset({"memcpy", "memset"}),
    "stddef.h": frozenset(),
    "stdint.h": frozenset(),
}
"""Why a header of C's is included, where it is not for all that a file does: its functions; none
where the public header has it already."""


def kept_with(found: Sequence[Entry], code: Collection[Entry]) -> list[Entry]:
    """`code` and the comments, includes and #undefs that go with it, in order."""
    used = frozenset[str]().union(*(entry.uses for entry in code))
    named = frozenset[str]().union(*(entry.names for entry in code))
    paragraphs = {(entry.file, entry.paragraph) for entry in code}
    whole = {file for file, _ in paragraphs}

    def stays(entry: Entry) -> bool:
        match entry.kind:
            case "code":
                return entry in code
            case "undef":
                return bool(entry.uses & named)
            case "include":
                name = entry.text.partition("<")[2].partition(">")[0]
                return bool(_GIVEN[name] & used) if name in _GIVEN else entry.file in whole
            case "head":
                return entry.file in whole
        return any((entry.file, n) in paragraphs for n in range(entry.paragraph, entry.until))

    return [entry for entry in found if stays(entry)]


def written(kept: Iterable[Entry], without_heads: Collection[str], headings: bool) -> str:
    """The text; files' names as headings, heads but those of some files."""
    page = _Page()
    heads: dict[str, Entry] = {}
    for entry in kept:
        if entry.kind == "head":
            heads[entry.file] = entry
            continue
        if headings and entry.file != page.file and entry.file:
            page.heading(entry.file)
        if (head := heads.pop(entry.file, None)) and entry.file not in without_heads:
            page.put(head)
        page.put(entry)
    return page.text()


class _Page:
    def __init__(self) -> None:
        self.file = ""
        self._lines: list[str] = []
        self._path: tuple[Branch, ...] = ()
        self._at: tuple[str, int] = ("", 0)

    def heading(self, file: str) -> None:
        self.file = file
        self._move(())
        rule = "-" * (_WIDTH - len(file) - 8)
        self._lines += ["", f"/* {rule} {file} */"]

    def put(self, entry: Entry) -> None:
        at = (entry.file, entry.paragraph)
        apart = at != self._at or entry.kind == "rule"
        self._at = at
        self._move(entry.path, blank=apart)
        self._lines.append(entry.text)
        if entry.kind == "head":
            self._at = ("", 0)

    def _move(self, path: tuple[Branch, ...], blank: bool = True) -> None:
        """Closes groups that end, opens those that begin."""
        pairs = list(zip(self._path, path, strict=False))
        same = len(list(takewhile(lambda pair: pair[0].group == pair[1].group, pairs)))
        common = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        self._lines += ["#endif"] * (len(self._path) - same)
        if same > common:  # another branch of a group that is open
            self._lines += ["#endif"] * 0
            done = len(self._path[common].directives)
            self._lines += path[common].directives[done:]
            common += 1
        elif blank:
            self._lines.append("")
        for branch in path[common:]:
            self._lines += branch.directives
        self._path = path

    def text(self) -> str:
        self._move((), blank=False)
        text = "\n".join(self._lines) + "\n"
        return re.sub(r"\n{3,}", "\n\n", text)

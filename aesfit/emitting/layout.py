# SPDX-License-Identifier: MIT
"""Selected entries as text, with the comments and conditions that belong to them."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile

from .entries import Branch, Entry

_WIDTH = 100
_GIVEN = {
    "string.h": frozenset({"memcpy", "memset"}),
    "stddef.h": frozenset[str](),
    "stdint.h": frozenset[str](),
}
"""C's own headers that are included for these functions only; for none if the public header"""


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


def written(kept: Iterable[Entry], *, headings: bool) -> str:
    """The text; with files' names as headings."""
    page = _Page()
    heads: dict[str, Entry] = {}
    for entry in kept:
        if entry.kind == "head":
            heads[entry.file] = entry  # it comes before what its file includes
            continue
        if headings:
            page.heading(entry)
        if head := heads.pop(entry.file, None):
            page.put(head, path=page.common(entry.path))
        page.put(entry)
    return page.text()


class _Page:
    """The lines written so far, and the #if groups that are open."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._path: tuple[Branch, ...] = ()
        self._file = ""
        self._block = ("", 0)

    def common(self, path: tuple[Branch, ...]) -> tuple[Branch, ...]:
        """The open groups that stay open on `path`."""
        pairs = zip(self._path, path, strict=False)
        return tuple(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def heading(self, entry: Entry) -> None:
        if entry.file != self._file:
            self._move(self.common(entry.path))
            rule = "-" * (_WIDTH - len(entry.file) - 8)
            self._lines += ["", f"/* {rule} {entry.file} */"]
        self._file = entry.file

    def put(self, entry: Entry, path: tuple[Branch, ...] | None = None) -> None:
        apart = (entry.file, entry.block) != self._block
        self._block = (entry.file, entry.block)
        self._move(entry.path if path is None else path, apart=apart)
        self._lines.append(entry.text)

    def _move(self, path: tuple[Branch, ...], *, apart: bool = False) -> None:
        """Close the groups that end, and open those that begin."""
        common = len(self.common(path))
        ending, beginning = self._path[common:], path[common:]
        if ending and beginning and ending[0].group == beginning[0].group:
            self._lines += ["#endif"] * (len(ending) - 1)
            self._lines += beginning[0].directives[len(ending[0].directives) :]
            beginning = beginning[1:]
        else:
            self._lines += ["#endif"] * len(ending)
            self._lines += [""] * apart
        for branch in beginning:
            self._lines += branch.directives
        self._path = path

    def text(self) -> str:
        self._move(())
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)) + "\n"


def realigned(old: str, new: str) -> str:
    """`new`, which is `old` with other names, with continuation lines aligned to brackets again."""
    made: list[str] = []
    before: list[int] = []
    after: list[int] = []
    for was, line in zip(old.split("\n"), new.split("\n"), strict=True):
        indent = len(was) - len(was.lstrip())
        if before and indent == before[-1] + 1:
            line = " " * (after[-1] + 1) + line.lstrip()
        if line.endswith("\\") and len(was) == _WIDTH:
            line = line[:-1].rstrip().ljust(_WIDTH - 1) + "\\"
        made.append(line)
        _brackets(was, before)
        _brackets(line, after)
    return "\n".join(made)


def _brackets(line: str, open_at: list[int]) -> None:
    """Columns of the brackets that are open after this line."""
    for column, sign in enumerate(re.sub(r"/\*.*?\*/", lambda m: " " * len(m[0]), line)):
        if sign in "([":
            open_at.append(column)
        elif sign in ")]" and open_at:
            open_at.pop()

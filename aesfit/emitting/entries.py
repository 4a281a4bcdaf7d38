# SPDX-License-Identifier: MIT
"""Splits C into entries: comments, declarations, macros, each with the #if around it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from .flatten import SourceLine

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TEXT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_DIRECTIVE = re.compile(r"^\s*#(?:.*\\\n)*.*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
_SPDX = "/* SPDX-License-Identifier: MIT */"


@dataclass(frozen=True)
class Branch:
    """One branch of an #if that the compiler decides."""

    group: int
    directives: tuple[str, ...]
    """Directives from the group's #if to the one that opens this branch."""


@dataclass(frozen=True)
class Entry:
    """A comment, declaration, definition or directive."""

    kind: str
    """"head": what a file is; "rule": a heading; "comment"; "code"; "undef"; "include"."""
    text: str
    file: str
    path: tuple[Branch, ...]
    block: int
    """Number of its block: lines without a blank line between them."""
    paragraph: int
    """Number of its lines without a blank line or comment between; a comment begins new ones."""
    names: frozenset[str] = frozenset()
    """Names that it declares or defines."""
    uses: frozenset[str] = frozenset()
    until: int = 0
    """For comments: one past the last paragraph that they describe."""


def code_of(text: str) -> str:
    """`text` without comments and strings."""
    return _TEXT.sub('""', _COMMENT.sub(" ", text))


@cache
def identifiers(text: str) -> frozenset[str]:
    """Identifiers in the code of a text."""
    return frozenset(re.findall(r"\b[A-Za-z_]\w*", code_of(text)))


def entries(lines: Iterable[SourceLine]) -> list[Entry]:
    """Entries in order, with the extent of each comment."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    return [_reaching(entry, reader.found[at + 1 :]) for at, entry in enumerate(reader.found)]


class _Reader:
    """Builds entries from lines, one by one."""

    def __init__(self) -> None:
        self.found: list[Entry] = []
        self._begun: set[str] = set()
        self._path: tuple[Branch, ...] = ()
        self._groups = 0
        self._block = 0
        self._paragraph = 0
        self._held = ""
        self._file = ""

    def take(self, line: SourceLine) -> None:
        if self._held:
            self._held += "\n" + line.text
            self._complete()
            return
        stripped = line.text.strip()
        if line.file != self._file or not stripped:
            self._block += 1
            self._paragraph += 1
        self._file = line.file
        if stripped.startswith("#"):
            self._directive(line.text, stripped)
        elif stripped:
            self._held = line.text
            self._complete()

    def _complete(self) -> None:
        """Close the entry if its lines form a whole comment, declaration or definition."""
        text = self._held
        if text.startswith("/*"):
            if "*/" in text:
                self._comment(text)
                self._held = ""
            return
        if text.rstrip().endswith((";", "}", "*/")) and (bare := _whole(text)):
            self._add("code", text, _declared(bare), identifiers(text))
            self._held = ""

    def _comment(self, text: str) -> None:
        if text.strip() == _SPDX:
            return
        first = self._file not in self._begun
        self._paragraph += 1
        self._add("rule" if text.startswith("/* ---") else "head" if first else "comment", text)

    def _directive(self, text: str, stripped: str) -> None:
        word, rest = re.findall(r"^#\s*(\w+)\s*(.*)", stripped, re.DOTALL)[0]
        if word in ("if", "ifdef", "ifndef"):
            self._groups += 1
            self._path = (*self._path, Branch(self._groups, (text,)))
        elif word in ("elif", "else"):
            last = self._path[-1]
            branch = replace(last, directives=(*last.directives, text))
            self._path = (*self._path[:-1], branch)
        elif word == "endif":
            self._path = self._path[:-1]
        elif word == "define":
            self._add("code", text, frozenset(re.findall(r"^\w+", rest)), identifiers(rest))
        elif word in ("undef", "include"):
            self._add(word, text, uses=identifiers(rest))

    def _add(
        self,
        kind: str,
        text: str,
        names: frozenset[str] = frozenset(),
        uses: frozenset[str] = frozenset(),
    ) -> None:
        place = (self._file, self._path, self._block, self._paragraph)
        self._begun.add(self._file)
        self.found.append(Entry(kind, text, *place, names, uses))


@cache
def _whole(text: str) -> str:
    """The bare code of a declaration or definition; empty if it is incomplete."""
    bare = _DIRECTIVE.sub("", code_of(text)).rstrip()
    depth = sum(map(bare.count, "({[")) - sum(map(bare.count, ")}]"))
    return bare if depth == 0 and bare.endswith((";", "}")) else ""


@cache
def _declared(code: str) -> frozenset[str]:
    """Names that a declaration or definition introduces."""
    code = _ATTRIBUTE.sub(" ", code).strip()
    if re.match(r"struct\s+\w+\s*\{", code):
        return frozenset({"struct " + code.split()[1]})  # never used by that name here
    enum = re.match(r"(?:typedef\s+)?enum\b[^{]*\{(.*?)\}", code, re.DOTALL)
    found = set(re.findall(r"(?:^|,)\s*(\w+)", enum[1])) if enum else set()
    if code.startswith("typedef"):
        tail = code.rpartition("}")[2] if "}" in code else code.partition("(")[0]
        found |= set(re.findall(r"\w+", tail)[-1:])
    elif not enum:
        found |= set(re.findall(r"\w+", re.split(r"[({\[=;]", code, maxsplit=1)[0])[-1:])
    return frozenset(found)


def _reaching(entry: Entry, later: list[Entry]) -> Entry:
    """Set how far comments reach: to the next heading, or over the code that follows."""
    if entry.kind not in ("rule", "comment"):
        return entry
    rest = (other for other in later if other.file == entry.file)
    if entry.kind == "comment":
        end = next((other.paragraph for other in rest if other.kind == "code"), 0) + 1
    else:
        end = 0
        for other in rest:
            if other.kind == "rule":
                end = other.paragraph
                break
            end = other.paragraph + 1
    return replace(entry, until=end)

# SPDX-License-Identifier: MIT
"""Lines of C as entries: comments, declarations, macros, each with the conditions around it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .flatten import Line

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TEXT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
_SPDX = "/* SPDX-License-Identifier: MIT */"


@dataclass(frozen=True)
class Branch:
    """One branch of an #if that the compiler decides."""

    group: int
    directives: tuple[str, ...]
    """From the group's #if to the branch's own."""


@dataclass(frozen=True)
class Entry:
    """A comment, declaration, definition or directive."""

    kind: str
    """"head": what a file is; "rule": a heading; "comment"; "code"; "undef"; "include"."""
    text: str
    file: str
    path: tuple[Branch, ...]
    paragraph: int
    """Lines without a blank one between them."""
    names: frozenset[str] = frozenset()
    """What it declares or defines."""
    uses: frozenset[str] = frozenset()
    until: int = 0
    """Comments: the paragraph after the last one that they belong to."""


def code_of(text: str) -> str:
    """`text` without comments and strings."""
    return _TEXT.sub('""', _COMMENT.sub(" ", text))


def identifiers(code: str) -> frozenset[str]:
    """Identifiers in code_of() a text."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", code))


def entries(lines: Iterable[Line]) -> list[Entry]:
    """Entries in order, comments knowing what they belong to."""
    reader = _Reader()
    for line in lines:
        reader.take(line)
    return _extents(reader.found)


class _Reader:
    def __init__(self) -> None:
        self.found: list[Entry] = []
        self._path: tuple[Branch, ...] = ()
        self._groups = 0
        self._paragraph = 0
        self._held: list[str] = []
        self._file = ""

    def take(self, line: Line) -> None:
        if self._held:
            self._held.append(line.text)
            self._complete()
            return
        if line.file != self._file:
            self._paragraph += 1
        self._file = line.file
        stripped = line.text.strip()
        if not stripped:
            self._paragraph += 1
        elif stripped.startswith("#"):
            self._directive(line.text, stripped)
        else:
            self._held = [line.text]
            self._complete()

    def _complete(self) -> None:
        """Ends what is held when it is a whole comment, declaration or definition."""
        text = "\n".join(self._held)
        if text.startswith("/*"):
            if "*/" in text:
                self._comment(text)
                self._held = []
            return
        bare = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", code_of(text), flags=re.MULTILINE).rstrip()
        depth = sum(bare.count(c) for c in "({[") - sum(bare.count(c) for c in ")}]")
        if depth == 0 and bare.endswith((";", "}")):
            self._add("code", text, _declared(bare), identifiers(code_of(text)))
            self._held = []

    def _add(
        self,
        kind: str,
        text: str,
        names: frozenset[str] = frozenset(),
        uses: frozenset[str] = frozenset(),
    ) -> None:
        entry = Entry(kind, text, self._file, self._path, self._paragraph, names, uses)
        self.found.append(entry)

    def _comment(self, text: str) -> None:
        if text.strip() == _SPDX:
            return
        first = not any(e.file == self._file for e in self.found)
        self._paragraph += 1
        rule = text.startswith("/* ---")
        self._add("rule" if rule else "head" if first else "comment", text)

    def _directive(self, text: str, stripped: str) -> None:
        word, rest = re.match(r"#\s*(\w+)\s*(.*)", stripped, re.DOTALL).groups()  # type: ignore[union-attr]
        code = code_of(stripped)
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
            name = re.match(r"\w+", rest)[0]  # type: ignore[index]
            self._add("code", text, frozenset({name}), identifiers(code) - {"define"})
        elif word == "undef":
            self._add("undef", text, uses=frozenset({rest}))
        elif word == "include":
            self._add("include", text)


def _declared(code: str) -> frozenset[str]:
    """Names that a declaration or definition brings."""
    code = _ATTRIBUTE.sub(" ", code).strip()
    if re.match(r"struct\s+\w+\s*\{", code):
        return frozenset({"struct " + code.split()[1]})
    found = set()
    body = re.match(r"(?:typedef\s+)?enum\b[^{]*\{(.*?)\}", code, re.DOTALL)
    if body:
        found |= set(re.findall(r"(?:^|,)\s*(\w+)", body[1]))
    if code.startswith("typedef"):
        tail = code.rpartition("}")[2] if "}" in code else code.partition("(")[0]
        found |= set(re.findall(r"\w+", tail)[-1:])
    elif not body:
        found |= set(re.findall(r"\w+", re.split(r"[({\[=;]", code, maxsplit=1)[0])[-1:])
    return frozenset(found)


def _extents(found: list[Entry]) -> list[Entry]:
    """Tell comments how far they reach: a file, the next heading, a paragraph."""
    made = []
    for at, entry in enumerate(found):
        if entry.kind in ("head", "rule", "comment"):
            rest = [later for later in found[at + 1 :] if later.file == entry.file]
            if entry.kind == "head":
                stop = None
            elif entry.kind == "rule":
                stop = next((e.paragraph for e in rest if e.kind == "rule"), None)
            else:
                code = next((e.paragraph for e in rest if e.kind == "code"), entry.paragraph)
                stop = code + 1
            end = stop if stop is not None else (rest[-1].paragraph + 1 if rest else 0)
            entry = replace(entry, until=end)
        made.append(entry)
    return made

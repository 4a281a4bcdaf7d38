# SPDX-License-Identifier: MIT
"""A translation unit as one text: includes followed, decided conditions removed.

`#include <...>` and conditions that depend on the compiler stay.  Macros named AESFIT_* are
decided, unless they are defined under such a condition.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..building.sources import include_folders
from .conditions import evaluate

_OURS = re.compile(r"\bAESFIT_\w+")
_SWITCHES = ("AESFIT_CLEAR", "AESFIT_CLEAR_BYTES")
"""Macros that the user may define when compiling the drop-in."""


@dataclass(frozen=True)
class SourceLine:
    """One line of source, or a directive with the lines that continue it."""

    file: str
    """Path in the library, such as "modes/ccm.c"; empty for the unit's own lines."""
    text: str


def given(unit: str) -> dict[str, str]:
    """The macros that a unit (aesfit.building.sources.unit) defines itself."""
    return dict(re.findall(r"^#define (\w+) ?(.*)$", unit, re.MULTILINE))


def flatten(unit: str) -> list[SourceLine]:
    """Lines of the library's files in the order in which a compiler sees them.

    If a file has a default for a macro that the unit defines, the unit's value is kept.
    """
    return [line for line in _Preprocessor(given(unit)).lines(unit, "", None) if line.file]


_PARTS = ("aesfit_config.h", "aesfit_seal.h", "aesfit_messages.h")
"""Of the public header."""


@dataclass
class _Group:
    """An #if that is open."""

    live: bool = True
    """The current branch is compiled, as far as known."""
    over: bool = False
    """An earlier branch is certainly taken: the rest is dropped."""
    stays: bool = False
    """A branch is left to the compiler: the #endif stays."""
    default: str = ""
    """A macro that the unit defines, whose default is in the dropped branch."""


@dataclass
class _Preprocessor:
    given: dict[str, str]
    macros: dict[str, str | None] = field(default_factory=dict)
    undecided: set[str] = field(default_factory=lambda: set(_SWITCHES))
    groups: list[_Group] = field(default_factory=list)

    def lines(self, text: str, name: str, folder: Path | None) -> Iterator[SourceLine]:
        live = self._is_live()
        for word, rest, line in _read(text, name):
            if not word:
                if live:
                    yield line
            elif word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
                if kept := self._condition(word, rest, line.text):
                    yield SourceLine(name, kept)
                live = self._is_live()
            elif not live:
                default = self.groups[-1].default
                if word == "define" and rest.split()[0] == default:
                    yield SourceLine(name, f"#define {default} {self.given[default]}")
            elif word == "include" and rest.startswith('"'):
                yield from self._included(rest.strip('"'), folder)
            else:
                self._remember(word, rest)
                yield line

    def _is_live(self) -> bool:
        return all(group.live for group in self.groups)

    def _included(self, quoted: str, folder: Path | None) -> Iterator[SourceLine]:
        path, name = _found(quoted, folder)
        if name in _PARTS:
            name = "aesfit.h"
        elif name == "aesfit.h":  # the drop-in's header brings its own extern "C"
            self.macros["__cplusplus"] = None
        yield from self.lines(path.read_text(encoding="utf-8"), name, path.parent)
        if path.name == "aesfit.h":
            self.macros.pop("__cplusplus", None)

    def _remember(self, word: str, rest: str) -> None:
        """Note a macro of the library that is defined or undefined."""
        found = _OURS.match(rest)
        if found is None or word not in ("define", "undef"):
            return
        if any(group.stays for group in self.groups):
            self.undecided.add(found[0])
        self.macros[found[0]] = rest[found.end() :].strip() if word == "define" else None

    def _value(self, condition: str) -> int | str:
        for name in _OURS.findall(condition):
            self.macros.setdefault(name, None)
        return evaluate(
            condition, {n: v for n, v in self.macros.items() if n not in self.undecided}
        )

    def _condition(self, word: str, rest: str, line: str) -> str:
        """The directive to keep; empty if there is none."""
        if word == "endif":
            return "#endif" if self.groups.pop().stays else ""
        if word in ("if", "ifdef", "ifndef"):
            self.groups.append(_Group(over=not all(group.live for group in self.groups)))
        group = self.groups[-1]
        group.live = not group.over
        if group.over:
            return ""
        condition = {
            "ifdef": f"defined({rest})",
            "ifndef": f"!defined({rest})",
            "else": "1",
        }.get(word, rest)
        value, first = self._value(condition), not group.stays
        if isinstance(value, int):
            group.live = group.over = bool(value)
            if word == "ifndef" and rest in self.given:
                group.default = rest
            return "#else" if value and not first else ""
        group.stays = True
        if value == condition and first == (word != "elif"):
            return line
        return f"#{'if' if first else 'elif'} {value}"


@cache
def _found(quoted: str, folder: Path | None) -> tuple[Path, str]:
    """The file that an include in a folder names, and its path in the library."""
    places = [*([folder] if folder else []), *include_folders()]
    path = next(place / quoted for place in places if (place / quoted).is_file()).resolve()
    home = next(place for place in include_folders() if path.is_relative_to(place))
    return path, path.relative_to(home).as_posix()


@cache
def _read(text: str, name: str) -> list[tuple[str, str, SourceLine]]:
    """Each line of a file, with the word of its directive and what follows the word."""
    return [(*_directive(line), SourceLine(name, line)) for line in _logical(text)]


@cache
def _logical(text: str) -> tuple[str, ...]:
    """Lines, each directive joined with its continuation lines."""
    made, held = [], ""
    for line in text.splitlines():
        held = f"{held}\n{line}" if held else line
        if held.lstrip().startswith("#") and line.endswith("\\"):
            continue
        made.append(held)
        held = ""
    return tuple(made)


@cache
def _directive(line: str) -> tuple[str, str]:
    """The word of a directive, empty for other lines, and what follows it on one line."""
    found = re.match(r"\s*#\s*(\w+)\s*(.*)", line, re.DOTALL)
    if found is None:
        return "", ""
    return found[1], re.sub(r"/\*.*?\*/|\\\n", "", found[2]).strip()

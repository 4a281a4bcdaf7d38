# SPDX-License-Identifier: MIT
"""A translation unit as one text: includes followed, decided conditions gone.

What the compiler decides, and `#include <...>`, stays.  Macros named AESFIT_* are decided, unless
they are defined where the compiler decides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..sources import include_folders
from .conditions import evaluate

_OURS = re.compile(r"\bAESFIT_\w+")


@dataclass(frozen=True)
class Line:
    """One line of source, or a directive with the lines that continue it."""

    file: str
    """As it is called in the library, such as "modes/ccm.c"; empty for the unit's own lines."""
    text: str


@dataclass
class _Group:
    """An #if that is open."""

    live: bool
    """Its present branch counts."""
    over: bool
    """A branch before was taken for certain: what follows is dropped."""
    open: bool = False
    """A branch was left to the compiler: its #endif stays."""


@dataclass
class _State:
    macros: dict[str, str | None]
    groups: list[_Group] = field(default_factory=list)

    @property
    def live(self) -> bool:
        return all(group.live for group in self.groups)

    @property
    def undecided(self) -> bool:
        return any(group.open for group in self.groups)

    def value(self, condition: str) -> int | str:
        for name in _OURS.findall(condition):
            self.macros.setdefault(name, None)
        known = {name: value for name, value in self.macros.items() if value != _UNKNOWN}
        return evaluate(condition, known)


_UNKNOWN = "?"


def flatten(unit: str) -> list[Line]:
    """Lines of a unit (aesfit.sources.unit) in the order in which a compiler sees them."""
    # The public header's extern "C" comes back as the generator's own.
    state = _State({"__cplusplus": None})
    return list(_lines(unit, "", None, state))


def _logical(text: str) -> Iterator[str]:
    """Lines; directives with those that continue them."""
    held = ""
    for line in text.splitlines():
        held = f"{held}\n{line}" if held else line
        if held.lstrip().startswith("#") and line.endswith("\\"):
            continue
        yield held
        held = ""


def _lines(text: str, name: str, folder: Path | None, state: _State) -> Iterator[Line]:
    for line in _logical(text):
        found = re.match(r"\s*#\s*(\w+)\s*(.*)", line, re.DOTALL)
        if found is None:
            if state.live:
                yield Line(name, line)
            continue
        word, rest = found[1], re.sub(r"/\*.*?\*/", "", found[2]).strip()
        if word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            kept = _condition(word, re.sub(r"\\\n\s*", "", rest), line, state)
            if kept is not None:
                yield Line(name, kept)
        elif state.live and word == "include" and rest.startswith('"'):
            yield from _included(rest.strip('"'), folder, state)
        elif state.live:
            _remember(word, rest, state)
            yield Line(name, line)


def _included(quoted: str, folder: Path | None, state: _State) -> Iterator[Line]:
    places = [*([folder] if folder else []), *include_folders()]
    path = next(place / quoted for place in places if (place / quoted).is_file()).resolve()
    home = next(place for place in include_folders() if path.is_relative_to(place))
    name = path.relative_to(home).as_posix()
    yield from _lines(path.read_text(encoding="utf-8"), name, path.parent, state)


def _remember(word: str, rest: str, state: _State) -> None:
    """A macro of the library's that is defined or undefined."""
    found = _OURS.match(rest)
    if found is None or word not in ("define", "undef"):
        return
    value = rest[found.end() :].strip() if word == "define" else None
    state.macros[found[0]] = _UNKNOWN if state.undecided else value


def _condition(word: str, rest: str, line: str, state: _State) -> str | None:
    """The directive that stays, if one does."""
    if word == "endif":
        group = state.groups.pop()
        return "#endif" if group.open else None
    if word in ("if", "ifdef", "ifndef"):
        if not state.live:
            state.groups.append(_Group(live=False, over=True))
            return None
        state.groups.append(_Group(live=True, over=False))
    group = state.groups[-1]
    if group.over:
        group.live = False
        return None
    group.live = True  # so that only the groups around count
    if not state.live:
        group.live = False
        return None
    condition = {"ifdef": f"defined({rest})", "ifndef": f"!defined({rest})", "else": "1"}.get(
        word, rest
    )
    value = state.value(condition)
    if isinstance(value, int):
        group.live, group.over = bool(value), bool(value)
        return "#else" if value and group.open else None
    first, group.open = not group.open, True
    if value == condition and first != (word == "elif"):
        return line
    return f"#if {value}" if first else f"#elif {value}"

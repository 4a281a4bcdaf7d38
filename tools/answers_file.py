# SPDX-License-Identifier: MIT
"""The questions and the stored answers of `make answers`: which there are, read and written."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesfit.errors import unknown

_SECTION = re.compile(r"^\[(\S+)\] (.*)$")
_HEAD = (
    "# SPDX-License-Identifier: MIT\n"
    "# Answers to the questions beside this file, written by: make answers ARGS=--write\n"
)
_COMPILER = "# compiler: "


@dataclass(frozen=True)
class Question:
    """A command line that is asked."""

    name: str
    """Group and name, with a dot between them."""
    command: str
    slow: bool = False
    """Whether it takes many seconds when nothing is stored."""

    @property
    def group(self) -> str:
        """The first part of the name."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Answer:
    """What a command printed, as lines."""

    command: str
    lines: tuple[str, ...]


def questions(path: Path) -> list[Question]:
    """The questions of a file, in its order."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    slow = told.pop("slow", [])
    return [
        Question(f"{group}.{name}", command, f"{group}.{name}" in slow)
        for group, some in told.items()
        for name, command in some.items()
    ]


def chosen(every: Sequence[Question], names: Sequence[str], *, quick: bool) -> list[Question]:
    """The questions of these names or groups, all without any; ValueError for another name."""
    known = {one.name for one in every} | {one.group for one in every}
    for name in names:
        if name not in known:
            raise unknown("question", name, sorted(known))
    return [
        one
        for one in every
        if (not names or {one.name, one.group} & {*names}) and not (quick and one.slow)
    ]


def read(path: Path) -> dict[str, Answer]:
    """The stored answers by the names of their questions; none where there is no file."""
    found: dict[str, tuple[str, list[str]]] = {}
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if section := _SECTION.match(line):
            lines = []
            found[section[1]] = section[2], lines
        elif line:
            lines.append(line)
    return {name: Answer(command, tuple(some)) for name, (command, some) in found.items()}


def compilers_of(path: Path) -> set[str]:
    """The compilers that the stored answers were made with."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {line.removeprefix(_COMPILER) for line in lines if line.startswith(_COMPILER)}


def text(answers: Mapping[str, Answer], compilers: Collection[str]) -> str:
    """The file of these answers."""
    head = _HEAD + "".join(f"{_COMPILER}{one}\n" for one in sorted(compilers))
    sections = (
        "\n".join((f"\n[{name}] {one.command}", *one.lines, "")) for name, one in answers.items()
    )
    return head + "".join(sections)


def renewed(
    every: Sequence[Question], before: Mapping[str, Answer], now: Mapping[str, Answer]
) -> dict[str, Answer]:
    """All answers in the order of the questions; without those that are asked no longer."""
    both = {**before, **now}
    return {one.name: both[one.name] for one in every if one.name in both}

# SPDX-License-Identifier: MIT
"""Executed instructions beside their lines of C, with executions and cycles: plain text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from ..building.sources import library_folder
from ..counting.spending import Spending, Spent
from ..proving.compiled import MAPPED
from ..proving.image import ProofImage

_HEAD = " executed    cycles     %  address   instruction"
_INDENT = " " * 4


@dataclass
class _Sources:
    """Lines of source files, each file read once."""

    texts: dict[str, list[str]] = field(default_factory=dict)

    def line(self, name: str, number: int) -> str:
        """A line of a file; empty if there is no such file or line."""
        if name not in self.texts:
            path = _path(name)
            there = path.is_file()
            self.texts[name] = (
                path.read_text(encoding="utf-8", errors="replace").splitlines() if there else []
            )
        lines = self.texts[name]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _path(name: str) -> Path:
    """Path of a source file; in images that we link, MAPPED stands for the library's folder."""
    path = Path(name)
    if path.parts[:1] == (MAPPED,):
        return library_folder().joinpath(*path.parts[1:])
    return path


def listing(image: ProofImage, found: Spending) -> Iterator[str]:
    """Functions by descending cycles, each with its instructions by address."""
    sources = _Sources()
    whole = found.cycles
    functions = {
        name: list(mine)
        for name, mine in groupby(found.spent, lambda one: image.function(_at(one)))
    }
    for name, mine in sorted(functions.items(), key=lambda pair: -_cycles(pair[1])):
        yield f"{name or '(no symbol)'}: {_cycles(mine):,} cycles, {_share(mine, whole)} %"
        yield _HEAD
        yield from _function(image, sources, mine, whole)
        yield ""


def rows(image: ProofImage, found: Spending) -> list[dict[str, Any]]:
    """The same as data: a flat mapping for each instruction, by address."""
    told = []
    for one in found.spent:
        file, line = image.line(_at(one))
        told.append(
            {
                "address": _at(one),
                "function": image.function(_at(one)),
                "file": file if line else None,
                "line": line or None,
                "instruction": one.instruction.text,
                "class": one.kind,
                "executed": one.times,
                "cycles": one.cycles,
            }
        )
    return told


def _function(
    image: ProofImage, sources: _Sources, spent: Sequence[Spent], whole: int
) -> Iterator[str]:
    """List instructions; consecutive ones of the same source line are grouped under it."""
    for (name, number), mine in groupby(spent, lambda one: image.line(_at(one))):
        if number:
            told = f"{_INDENT}{Path(name).name}:{number}  {sources.line(name, number)}"
            yield told.rstrip()
        for one in mine:
            text = one.instruction.text.replace("\t", " ")
            share = 100 * one.cycles / whole if whole else 0.0
            yield f"{one.times:9,} {one.cycles:9,} {share:5.1f}  {_at(one):08x}  {text}"


def _at(one: Spent) -> int:
    return one.instruction.address


def _cycles(spent: Sequence[Spent]) -> int:
    return sum(one.cycles for one in spent)


def _share(spent: Sequence[Spent], whole: int) -> str:
    return f"{100 * _cycles(spent) / whole:.1f}" if whole else "0"

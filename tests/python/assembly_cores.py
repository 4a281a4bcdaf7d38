# SPDX-License-Identifier: MIT
"""Cores and GHASH multipliers in assembly, found by what their sources include."""

import re
from functools import cache
from pathlib import Path

import aesfit
from aesfit.building.sources import core_file, library_folder, registered
from aesfit.jobs.abilities import lacks
from aesfit.platforms.find import platforms
from aesfit.platforms.platform import Platform

_INCLUDED = re.compile(r'^#include "(?:\.\./)+(assembly/\w+\.h)"$', re.MULTILINE)
_FUNCTION = re.compile(r"^AESFIT_(?:ARM_)?ASSEMBLY [\w *]*?(\w+)\(", re.MULTILINE)
RUN_AS = {"ttable1_armv8m": "armv7-m"}
"""Cores for an instruction set without a machine in these tests, and one that has what they use."""


def source(core: str) -> str:
    """The text of a core's file."""
    return (library_folder() / "src" / core_file(core)).read_text(encoding="utf-8")


def headers(core: str) -> tuple[Path, ...]:
    """The headers of assembly that a core includes."""
    return _included(source(core))


def _included(text: str) -> tuple[Path, ...]:
    return tuple(library_folder() / "src" / name for name in _INCLUDED.findall(text))


def functions(core: str) -> frozenset[str]:
    """The functions of a core whose bodies are assembly."""
    return frozenset(name for path in headers(core) for name in bodies(path))


def bodies(header: Path) -> list[str]:
    """The functions of a header."""
    return _FUNCTION.findall(header.read_text(encoding="utf-8"))


@cache
def multiplier_headers() -> tuple[tuple[str, Path], ...]:
    """GHASH multipliers, each with a header of assembly that it includes."""
    folder = library_folder() / "src" / "ghash"
    return tuple(
        (name, header)
        for name in registered("ghash")
        for header in _included((folder / f"{name}.c").read_text(encoding="utf-8"))
    )


@cache
def assembly_cores() -> tuple[str, ...]:
    """Their names, in the order of the register."""
    return tuple(core for core in registered("cores") if headers(core))


@cache
def made_for(core: str) -> tuple[Platform, ...]:
    """Processors with ideal memory that have what the core needs, on which rigs run images."""
    described = next(one for one in aesfit.cores() if one.name == core)
    return tuple(
        one for one in platforms()
        if one.chip is None and one.rig == "emulator" and not lacks(described, one)
    )  # fmt: skip

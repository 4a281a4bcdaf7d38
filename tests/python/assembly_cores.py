# SPDX-License-Identifier: MIT
"""Cores whose rounds are assembly, found by what their sources include, and their platforms."""

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


def source(core: str) -> str:
    """The text of a core's file."""
    return (library_folder() / "src" / core_file(core)).read_text(encoding="utf-8")


def headers(core: str) -> tuple[Path, ...]:
    """The headers of assembly that a core includes."""
    return tuple(library_folder() / "src" / name for name in _INCLUDED.findall(source(core)))


def functions(core: str) -> frozenset[str]:
    """The functions of a core whose bodies are assembly."""
    texts = (path.read_text(encoding="utf-8") for path in headers(core))
    return frozenset(name for text in texts for name in _FUNCTION.findall(text))


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

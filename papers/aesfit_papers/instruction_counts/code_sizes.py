# SPDX-License-Identifier: MIT
"""Code bytes of compiled functions, also for processors that are not emulated.

These are sizes of symbols in an object: with their own constants, but without tables, alignment and
called functions.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from aesfit.building import build
from aesfit.building.unit import unit_source
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

from .block_run import STEPS_APART
from .functions import FORMS, SYMBOLS

_SHARED = "rotate_rows"
"""Functions called by the plain forms of ShiftRows and its inverse if nothing is inlined."""


def pentium_4(level: str) -> Platform:
    """The compiler of 32-bit Pentium 4 code on this computer, used only for sizes."""
    return with_flags(platform_named("i686"), (level,), ("-m32", "-march=pentium4"))


def with_flags(
    platform: Platform, optimise: tuple[str, ...], target: tuple[str, ...] | None = None
) -> Platform:
    """The platform with other compiler flags."""
    compiler = replace(
        platform.compiler, optimise=optimise, target=target or platform.compiler.target
    )
    return replace(platform, compiler=compiler)


def symbol_sizes(path: Path) -> dict[str, int]:
    """Bytes of each function of an object."""
    with path.open("rb") as stream:
        tables = [s for s in ELFFile(stream).iter_sections() if isinstance(s, SymbolTableSection)]
        return {
            one.name.partition(".")[0]: int(one["st_size"])
            for table in tables
            for one in table.iter_symbols()
            if one["st_info"]["type"] == "STT_FUNC" and one["st_size"]
        }


def step_sizes(platform: Platform, core: str) -> Mapping[str, int]:
    """Code bytes by FIPS 197 name, for a core of the bytewise family with only one form."""
    compiler = platform.compiler
    apart = with_flags(platform, (*compiler.optimise, STEPS_APART))
    found: dict[str, int] = {}
    for op in ("encrypt-block", "decrypt-block"):
        found |= symbol_sizes(build.compile_object(apart, unit_source(Job(apart, core, 128, op))))
    form = next(one for one in reversed(FORMS) if f"{one}_add_round_key" in found)
    shared = found.get(f"{form}_{_SHARED}", 0)
    return {
        name: found[f"{form}_{symbol}"] + (shared if "ShiftRows" in name else 0)
        for symbol, name in SYMBOLS.items()
    }

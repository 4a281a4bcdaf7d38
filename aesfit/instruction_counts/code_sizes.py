# SPDX-License-Identifier: MIT
"""Code bytes of functions as a compiler makes them, also for processors that are not emulated.

They are those of the symbols of an object: constants of their own included, tables, alignment and
called functions left out.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ..building import build
from ..building.unit import unit_source
from ..jobs.job import Job
from ..platforms.find import platform_named
from ..platforms.platform import Platform
from .block_run import STEPS_APART
from .functions import FORMS, SYMBOLS

_SHARED = "rotate_rows"
"""What the plain forms of ShiftRows and its inverse call where nothing is inlined."""


def pentium_4(level: str) -> Platform:
    """The compiler of 32-bit code on this computer, asked for a Pentium 4: for sizes alone."""
    return with_flags(platform_named("i686"), (level,), ("-m32", "-march=pentium4"))


def with_flags(
    platform: Platform, optimise: tuple[str, ...], target: tuple[str, ...] | None = None
) -> Platform:
    """The platform with other flags of its compiler."""
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
    """Code bytes by name of FIPS 197 of a core of the bytewise family in one form alone."""
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

# SPDX-License-Identifier: MIT
"""Compile-time binding: one core and one mode in one translation unit, with direct calls only."""

import re
import subprocess
from itertools import cycle, product
from pathlib import Path

import pytest
from few import slow_but

from aesfit.building.sources import include_folders, registered, unit

PEDANTIC = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]
DIALECTS = {
    "C99": ["gcc", "-x", "c", "-std=c99"],
    "C11": ["gcc", "-x", "c", "-std=c11"],
    "C++17": ["g++", "-x", "c++", "-std=c++17"],
}
# A call or jump through a register or through memory, in the disassembly of objdump.
INDIRECT = re.compile(r"\s(?:notrack )?(?:call|jmp)[a-z]* +\*")

CORES = registered("cores")
MODES = registered("modes")


def compile_unit(source: str, dialect: str, *options: str) -> None:
    command = [*DIALECTS[dialect], *PEDANTIC, *(f"-I{folder}" for folder in include_folders())]
    done = subprocess.run(
        [*command, *options, "-"], input=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{dialect}\n{source}\n{done.stderr[:2000]}"


def disassembly(source: str, folder: Path, *options: str) -> str:
    """Machine code of the unit as text, after a check that it holds functions at all."""
    target = folder / "unit.o"
    compile_unit(source, "C11", *options, "-c", "-o", str(target))
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(target)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "<aesfit_expand_key>:" in listing
    return listing


ALONE = list(product(MODES, DIALECTS))
IN_TURNS = list(zip(MODES, cycle(DIALECTS), strict=False))


@pytest.mark.parametrize(("mode", "dialect"), slow_but(IN_TURNS, ALONE))
def test_each_mode_stands_alone(mode: str, dialect: str) -> None:
    """Without --slow the dialects take turns."""
    compile_unit(unit("bytewise", [mode]), dialect, "-O1", "-fsyntax-only")


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", CORES)
def test_each_core_with_all_modes_in_one_unit(name: str, dialect: str) -> None:
    compile_unit(unit(name, MODES), dialect, "-O1", "-fsyntax-only")


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_each_core_with_each_mode(name: str, tmp_path: Path) -> None:
    for mode in MODES:
        # A switch may become a jump table, which reads no function pointer.
        listing = disassembly(unit(name, [mode]), tmp_path, "-O2", "-fno-jump-tables")
        assert not INDIRECT.search(listing), f"{name}, {mode}"


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("ghash", registered("ghash"))
def test_each_ghash(ghash: str, tmp_path: Path) -> None:
    assert not INDIRECT.search(disassembly(unit("transposed", ["gcm"], ghash), tmp_path, "-O2"))


@pytest.mark.few
@pytest.mark.parametrize("name", ["transposed", "fixslice"])
@pytest.mark.parametrize("level", ["-O2", "-Os"])
def test_bound_ccm_has_no_indirect_call(name: str, level: str, tmp_path: Path) -> None:
    listing = disassembly(unit(name, ["ccm"]), tmp_path, level)
    assert "<aesfit_ccm_encrypt>:" in listing
    assert not INDIRECT.search(listing)


def test_an_indirect_call_would_be_found(tmp_path: Path) -> None:
    source = unit("bytewise", ["ecb"]) + "int f(int (*g)(void)); int f(int (*g)(void))"
    listing = disassembly(source + "{ return g() + 1; }\n", tmp_path, "-O2")
    assert INDIRECT.search(listing)

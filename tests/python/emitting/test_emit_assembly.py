# SPDX-License-Identifier: MIT
"""Drop-ins of cores in assembly, as users compile them: gcc and clang, whole-program optimisation,
position-independent, for size, as C++, without optimisation; and what they fall back to."""

from collections.abc import Hashable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from assembly_cores import RUN_AS, assembly_cores, functions, made_for
from covering import covering
from dropin_code import Code
from dropin_run import answers, build, compiled, write
from dropin_targets import COMPILERS, TARGETS
from dropin_vectors import records

from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.choice import check as check_choice
from aesfit.platforms.find import platform_named

MODES, KEY_BITS = ("cbc", "ctr", "ccm"), (128, 192, 256)
PROCESSORS = {
    "ARM v4T": "arm7tdmi",
    "ARM v6-M": "cortex-m0plus",
    "ARM v7-M": "cortex-m3",
    "ARM v7E-M": "cortex-m4",
    "RV32": "rv32im-e31",
}
"""A platform of each instruction set that assembly may be for."""
WAYS = {
    "for speed": ("C11", "-O3"),
    "for size": ("C99", "-Os"),
    "not optimised": ("C11", "-O0"),
    "whole program": ("C17", "-O2", "-flto"),
    "anywhere": ("C11", "-O2", "-fPIC"),
    "words at words alone": ("C11", "-O2", "-mno-unaligned-access"),
    "words anywhere": ("C11", "-O2", "-munaligned-access"),
    "C++": ("C++17", "-O2"),
    "C++ for size, whole program": ("C++17", "-Os", "-flto"),
}
NO_CHOICE = {
    ("ARM v4T", "words anywhere"),
    ("ARM v6-M", "words anywhere"),
    ("RV32", "words anywhere"),
    ("RV32", "words at words alone"),
}
"""Instruction sets that do not load words from any address, and compilers that say so."""
ON = [
    (core, target)
    for core, target in product(assembly_cores(), PROCESSORS)
    if PROCESSORS[target] in {one.name for one in made_for(core)}
    or platform_named(PROCESSORS[target]).isa == RUN_AS.get(core)
]


def choice_of(core: str) -> DropInChoice:
    return DropInChoice(core, MODES, KEY_BITS)


def kept(core: str, program: Path) -> set[str]:
    """The functions in assembly that a program or object file holds."""
    local = Code(program).local()  # C++ writes types around a name
    return {name for name in functions(core) if any(f"fitaes_{name}" in one for one in local)}


def check(
    core: str, target: str, compiler: str, flags: tuple[str, ...], folder: Path, most_ad: int
) -> Path:
    """The program, which gives all answers to at most so many bytes of associated data."""
    machine, (standard, *more) = TARGETS[target], flags
    program = build(choice_of(core), machine, compiler, standard, folder, *more)
    asked = [one for one in records(MODES, KEY_BITS) if len(one.ad) <= most_ad]
    assert answers(program, machine, asked)[:2] == (len(asked), 0)
    return program


def test_there_are_such_cores() -> None:
    """Those with a table are inlined, and leave no symbol to look for."""
    assert {core for core, _ in ON} == set(assembly_cores()) != set()
    inlined = {core for core in assembly_cores() if not functions(core)}
    by_rows = {"transposed_armv4", "transposed_armv6m"}
    by_columns = {"ttable1_armv4", "ttable1_armv7m", "ttable1_armv8m", "ttable_diffused_armv6m"}
    assert inlined == by_columns | by_rows


CASES = [
    (*on, compiler, way)
    for on, compiler, way in product(ON, COMPILERS, WAYS)
    if (on[1], way) not in NO_CHOICE
]


def to_be_met(case: tuple[str, str, str, str]) -> set[Hashable]:
    """Each target, compiler and way; other tests have each core."""
    return {*case[1:]}


QUICK = covering(CASES, to_be_met)


@pytest.mark.parametrize(
    "case",
    [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in CASES],
    ids="-".join,
)
def test_answers(case: tuple[str, str, str, str], slow: bool, tmp_path: Path) -> None:
    core, target, compiler, way = case
    # 64 KiB take QEMU no time, and a machine that counts cycles more than all else.
    most_ad = 1 << (16 if slow or TARGETS[target].emulator else 10)
    program = check(core, target, compiler, WAYS[way], tmp_path, most_ad)
    assert kept(core, program) == functions(core)


@pytest.mark.few(one_in=8)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(("core", "target"), [pair for pair in ON if "ARM" in pair[1]])
def test_c_stands_in_where_words_are_big_endian(
    core: str, target: str, compiler: str, tmp_path: Path
) -> None:
    made = write(choice_of(core), tmp_path)
    assert not kept(core, compiled(TARGETS[target], compiler, "C11", made, "-O0", "-mbig-endian"))


@pytest.mark.parametrize("core", assembly_cores())
def test_only_for_processors_that_have_what_it_needs(core: str) -> None:
    for name in PROCESSORS.values():
        choice = replace(choice_of(core), platform=platform_named(name))
        if name in {one.name for one in made_for(core)}:
            check_choice(choice)
        else:
            with pytest.raises(ValueError, match=f"the core {core} needs .*, which {name} lacks"):
                check_choice(choice)

# SPDX-License-Identifier: MIT
"""Drop-ins with GHASH multipliers in assembly, as users compile them: gcc and clang, whole-program
optimisation, position-independent, as C++, without optimisation; and what they fall back to."""

from collections.abc import Hashable
from itertools import product
from pathlib import Path

import pytest
from covering import covering
from dropin_code import Code
from dropin_run import answers, build, compiled, write
from dropin_targets import COMPILERS, TARGETS
from dropin_vectors import records
from few import slow_but

from aesfit.emitting.choice import DropInChoice

FUNCTIONS = {
    ("ARM v6-M", "mul_low"): "mul_low_armv6m_add_blocks",
    ("ARM v7-M", "mul_low"): "mul_low_armv7m_add_blocks",
    ("ARM v7-M", "table4"): "table4_armv7m_add_blocks",
    ("ARM v7E-M", "mul32"): "mul32_armv7m_add_blocks",
}
"""By target and multiplier."""
WAYS = {
    "not optimised": ("C11", "-O0"),
    "whole program": ("C17", "-O2", "-flto"),
    "anywhere": ("C11", "-O2", "-fPIC"),
    "words at words alone": ("C11", "-O2", "-mno-unaligned-access"),
    "C++ for size": ("C++17", "-Os"),
}


def choice_of(ghash: str) -> DropInChoice:
    return DropInChoice("sbox_columns", ("gcm",), (128,), ghash=ghash)


def has(function: str, program: Path) -> bool:
    """Whether a program or object file holds a function; C++ writes types around its name."""
    return any(f"fitaes_{function}" in one for one in Code(program).local())


CASES = [*product(FUNCTIONS, WAYS, COMPILERS)]


def to_be_met(case: tuple[tuple[str, str], str, str]) -> set[Hashable]:
    """Each multiplier, each way, and each compiler."""
    return {*case}


QUICK = covering(CASES, to_be_met)


@pytest.mark.parametrize(("case", "way", "compiler"), slow_but(QUICK, CASES))
def test_answers(case: tuple[str, str], way: str, compiler: str, tmp_path: Path) -> None:
    (target, ghash), (standard, *more) = case, WAYS[way]
    machine, asked = TARGETS[target], records(("gcm",), (128,))
    program = build(choice_of(ghash), machine, compiler, standard, tmp_path, *more)
    assert answers(program, machine, asked)[:2] == (len(asked), 0)
    assert has(FUNCTIONS[case], program)


@pytest.mark.few(one_in=4)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("case", FUNCTIONS)
def test_c_stands_in_where_words_are_big_endian(
    case: tuple[str, str], compiler: str, tmp_path: Path
) -> None:
    target, ghash = case
    made = write(choice_of(ghash), tmp_path)
    found = compiled(TARGETS[target], compiler, "C11", made, "-O2", "-mbig-endian")
    assert not has(FUNCTIONS[case], found)

# SPDX-License-Identifier: MIT
"""Drop-ins run on every machine that they are made for, emulated where this computer is another:
self-test, and the official vectors encrypted and decrypted, in place too, wrong tags refused."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from dropin_choices import CHOICES, GROUPS, fits, named
from dropin_run import (
    DRIVER,
    QUIET,
    answers,
    build,
    compiled,
    driver_flags,
    write,
    write_driver,
)
from dropin_targets import COMPILERS, RUN, STANDARDS, TARGETS, compile_file, run
from dropin_vectors import records
from few import slow_but

from aesfit.building.sources import include_folders, registered
from aesfit.catalog import MODES
from aesfit.emitting.choice import DropInChoice


def check(
    choice: DropInChoice,
    target: str,
    compiler: str,
    standard: str,
    folder: Path,
    level: str = "-O2",
) -> None:
    """The drop-in answers all records right."""
    machine = TARGETS[target]
    program = build(choice, machine, compiler, standard, folder, level)
    asked = records(choice.modes, choice.key_bits, choice.all_functions)
    assert len(asked) >= len(choice.modes)
    taken, failures, said = answers(program, machine, asked)
    assert failures == 0, f"{named(choice)}\n{said[:1000]}"
    assert taken == len(asked)


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("number", range(len(RUN)), ids=RUN)
def test_every_mode_and_machine(number: int, slow: bool, tmp_path: Path) -> None:
    """A few modes on each machine, all modes on the machines together, half of them by gcc."""
    target = RUN[number]
    modes, bits = GROUPS[number % len(GROUPS)]
    core = ("fixslice", "ttable1", "transposed_otf")[number % 3]
    compiler = COMPILERS[number % 2]
    standard = list(STANDARDS)[number // 2 % len(STANDARDS)]
    every = number >= len(GROUPS)
    choice = DropInChoice(core, modes, bits, all_functions=every)
    check(choice, target, compiler, standard, tmp_path, "-O2" if slow else "-O1")


@pytest.mark.parametrize("name", slow_but(["ARM v6-M"], ["x86-64", "ARM v6-M"]))
def test_separate_keys(name: str, tmp_path: Path) -> None:
    """A key to encrypt, then the same one to decrypt; both at once are refused."""
    modes = tuple(mode for mode, shape in MODES.items() if shape.inverse)
    check(DropInChoice("ttable1", modes, separate_keys=True), name, "gcc", "C11", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES, ids=named)
def test_every_choice(choice: DropInChoice, tmp_path: Path) -> None:
    """On every machine, half of them by gcc."""
    for number, name in enumerate(RUN, start=CHOICES.index(choice)):
        if fits(choice, TARGETS[name]):
            check(choice, name, COMPILERS[number % 2], "C11", tmp_path)


@pytest.mark.parametrize("standard", ["C99", "C++17"])
def test_the_driver_is_written_for_the_library(standard: str, tmp_path: Path) -> None:
    """Moving from the library to a drop-in only changes include and prefix."""
    every = DropInChoice("ttable1", registered("modes"), all_functions=True, prefix="aesfit")
    host = TARGETS["x86-64"]
    flags = [f"-I{include_folders()[1]}", *QUIET, *driver_flags(every, host), "-fsyntax-only"]
    done = compile_file(host, "gcc", standard, write_driver(every, tmp_path), *flags)
    assert done.returncode == 0, done.stderr[:2000]
    assert (tmp_path / "driver.c").read_text() == (DRIVER / "driver.c").read_text()


def test_a_wrong_answer_would_be_found(tmp_path: Path) -> None:
    choice = DropInChoice("ttable1", ("ccm", "ctr"))
    program = build(choice, TARGETS["x86-64"], "gcc", "C11", tmp_path, "-O1")
    for number, good in enumerate(records(choice.modes, choice.key_bits)[::9]):
        cipher = good.cipher[:-1] + bytes((good.cipher[-1] ^ 1,)) if good.cipher else good.cipher
        bad = [replace(good, cipher=cipher)] if cipher else [replace(good, tag=bytes(16))]
        assert answers(program, TARGETS["x86-64"], [good])[1] == 0, number
        assert answers(program, TARGETS["x86-64"], bad)[1] > 0, number


TWO = """#include "first.h"
#include "second.h"
int main(void)
{
    first_key a;
    second_key b;
    uint8_t bytes[16] = {0}, tag[8];
    second_ctr state;
    int good = first_self_test(NULL) == FIRST_OK && second_self_test(NULL) == SECOND_OK;
    good &= first_expand_key(&a, NULL, bytes, 16, FIRST_ENCRYPT) == FIRST_OK;
    good &= second_expand_key(&b, NULL, bytes, 16, SECOND_ENCRYPT) == SECOND_OK;
    good &= first_ccm_encrypt(&a, bytes, 13, NULL, 0, NULL, NULL, 0, tag, 8) == FIRST_OK;
    good &= second_ctr_start(&state, bytes, 128) == SECOND_OK;
    good &= second_ctr_crypt(&b, &state, bytes, bytes, 16) == SECOND_OK;
    return good ? 0 : 1;
}
"""


@pytest.mark.few
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("standard", ["C99", "C++17"])
def test_two_in_one_program(standard: str, compiler: str, tmp_path: Path) -> None:
    """Both headers in one file, in either order; one of the drop-ins is C where that is C++."""
    host = TARGETS["x86-64"]
    (tmp_path / "two.c").write_text(TWO, encoding="utf-8")
    first = write(DropInChoice("ttable1", ("ccm",), prefix="first"), tmp_path)
    second = write(DropInChoice("fixslice", ("ctr",), prefix="second"), tmp_path)
    objects = [
        compiled(host, compiler, "C99", first, "-O1"),
        compiled(host, compiler, standard, second, "-O1"),
        compiled(host, compiler, standard, tmp_path / "two.c", "-O1"),
    ]
    program = tmp_path / "two"
    run([compiler, *map(str, objects), "-o", str(program)])
    assert subprocess.run([str(program)], check=False).returncode == 0
    one, other, rest = TWO.split("\n", 2)
    (tmp_path / "turned.c").write_text("\n".join((other, one, rest)), encoding="utf-8")
    compiled(host, compiler, standard, tmp_path / "turned.c")

# SPDX-License-Identifier: MIT
"""Calls of a drop-in leave no secret on the stack, on every machine whose programs run here.

On the others, `aesfit prove` shows it of images.
"""

import subprocess
from itertools import product
from pathlib import Path

import pytest
from dropin_choices import fits
from dropin_run import compiled, linked, write, write_driver
from dropin_targets import COMPILERS, RUN, TARGETS
from few import slow_but
from targets import installed

from aesfit.building.sources import registered
from aesfit.emitting.choice import DropInChoice

MACHINES = [name for name in RUN if not TARGETS[name].platform]
CASES = [
    (core, name, COMPILERS[(number + MACHINES.index(name)) % 2])
    for (number, core), name in product(enumerate(registered("cores")), MACHINES)
    if fits(DropInChoice(core, ("ccm", "ctr")), TARGETS[name])
]
"""Half of them by each compiler."""
QUICK = [case for case in CASES if case[0] == "fixslice"]


def first_that_leaves(core: str, name: str, compiler: str, folder: Path, *flags: str) -> int:
    """The number of the first call that leaves a secret, from 1; 0 if there is none."""
    machine, choice = TARGETS[name], DropInChoice(core, ("ccm", "ctr"))
    asked = (compiler, "C11")
    objects = [compiled(machine, *asked, write(choice, folder), "-O2", *flags)]
    caller = write_driver(choice, folder).with_name("cleared.c")
    hosted = ["-DHOSTED"] if machine.hosted else []
    objects.append(compiled(machine, *asked, caller, "-O1", *hosted))
    program = linked(machine, compiler, objects, folder / "program")
    command = installed((*machine.emulator, str(program)))
    return subprocess.run(command, check=False).returncode


@pytest.mark.parametrize(("core", "name", "compiler"), slow_but(QUICK, CASES))
def test_calls_leave_nothing_on_the_stack(
    core: str, name: str, compiler: str, tmp_path: Path
) -> None:
    assert first_that_leaves(core, name, compiler, tmp_path) == 0


@pytest.mark.parametrize(("bytes_cleared", "call"), [(32, 1), (256, 2)])
def test_what_is_left_would_be_found(bytes_cleared: int, call: int, tmp_path: Path) -> None:
    """By key set-up, and where that is cleared, by CCM."""
    flag = f"-DFITAES_CLEAR_BYTES={bytes_cleared}"
    assert first_that_leaves("fixslice", "RV32", "gcc", tmp_path, flag) == call

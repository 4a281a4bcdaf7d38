# SPDX-License-Identifier: MIT
"""The branch predictor of Hazard3 does what the RP2350 data sheet says of it in 3.8.7.10."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.timing import hazard3
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.profile import Execution

HAZARD3 = platform_named("hazard3")
AGAIN = "bgez a0, 1b"
Called = Callable[..., tuple[int, int]]


@pytest.fixture
def called(tmp_path: Path) -> Called:
    """How often a branch was predicted to jump in a call of some assembly, and its cycles."""

    def call(assembly: str, *arguments: int, march: str = "rv32im") -> tuple[int, int]:
        source, elf = tmp_path / "f.s", tmp_path / "f.elf"
        source.write_text(f".option norelax\n.p2align 2\n.globl f\nf:\n{assembly}\n")
        command = ["riscv64-unknown-elf-gcc", f"-march={march}", "-mabi=ilp32", "-nostdlib"]
        place = f"-Wl,-Ttext={HAZARD3.memory('flash').start:#x},-e,f"
        subprocess.run([*command, place, source, "-o", elf], check=True)
        machine = Machine(elf, HAZARD3)
        at = machine.reserve(256)
        done = machine.call("f", *(at + one if one < 0 else one for one in arguments))
        code = decode_blocks(machine.code, done.profile.blocks, HAZARD3.isa)
        return predicted(done), cycles(hazard3.MODEL, done.profile, code)

    return call


def predicted(done: Execution) -> int:
    blocks = done.profile.blocks
    return sum(n for (_, _, this, _), n in done.profile.paths.items() if blocks[this].predicted)


def test_the_example_of_the_data_sheet(called: Called) -> None:
    """A copy of 10 bytes: 52 cycles, of which two are mispredictions, beside what is around."""
    copy = (
        "beqz a2, 2f\nadd a2, a2, a1\n1: lbu a3, 0(a0)\nsb a3, 0(a1)\naddi a0, a0, 1\n"
        "addi a1, a1, 1\nbltu a1, a2, 1b\n2: ret"
    )
    around = "beqz a2, 2f\nadd a2, a2, a1\n2: ret"
    at = HAZARD3.memory("ram").start
    times, whole = called(copy, at, at + 64, 10)
    assert times == 9
    assert whole - called(around, at, at + 64, 10)[1] == 52


@pytest.mark.parametrize(
    ("body", "march", "times", "each"),
    [
        ("addi a0, a0, -1", "rv32im", 9, 2),
        ("addi a0, a0, -1", "rv32imc", 0, 3),
        (".option norvc\naddi a0, a0, -1\n.option rvc", "rv32imc", 9, 2),
    ],
)
def test_delay_loops_of_the_data_sheet(
    called: Called, body: str, march: str, times: int, each: int
) -> None:
    """The word that a jump leads to goes past the predictor, so a branch in it is never found."""
    found = [called(f"1: {body}\n{AGAIN}\nret", turns - 1, march=march) for turns in (10, 11)]
    assert found[0][0] == times
    assert found[1][1] - found[0][1] == each


def test_a_branch_that_goes_on_is_forgotten(called: Called) -> None:
    """Two loops one after the other, twice: each has to be learnt anew."""
    loop = "li a1, 3\n{0}: addi a1, a1, -1\nnop\nbnez a1, {0}b\n"
    once = loop.format(2) + loop.format(3)
    times, _ = called(f"1: {once}addi a0, a0, -1\nbgtz a0, 1b\nret", 2)
    assert times == 2 * (2 + 2)


def test_forward_branches_and_jumps_are_not_predicted(called: Called) -> None:
    ways = "1: addi a0, a0, -1\nnop\nbltz a0, 2f\nj 1b\n2: ret"
    assert called(ways, 9)[0] == 0


def test_other_processors_predict_nothing(tmp_path: Path) -> None:
    assert [one for one in ("rv32im-e31", "cortex-m7") if platform_named(one).predictor] == []

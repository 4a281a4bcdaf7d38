# SPDX-License-Identifier: MIT
"""What divisions of every class of operands take: exactly what the processors' own Verilog says."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, counted
from aesfit.rigs import why_not
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.rtl.soc.machine import SocMachine

DIVIDING = ["ibex-small", "ibex-maxperf", "ibex-small-b", "ibex-maxperf-b", "cv32e40p"]
NAMES = ("div", "divu", "rem", "remu")
BEHIND = (
    "",
    "add a2, a2, a2",
    "lw a3, 0(a4)",
    "j 1f\nnop\n1:",
    "beqz x0, 1f\nnop\n1:",
    "mulh a3, a2, a2",
)
"""What follows a division: its time must be the same before anything."""
EDGES = sorted({x & 0xFFFF_FFFF for n in range(33) for x in (1 << n, (1 << n) - 1, -(1 << n))})
"""Zero, powers of two, their negatives and their neighbours: of all lengths, INT_MIN and -1 too."""


def pairs() -> Iterator[tuple[int, int]]:
    """Every edge as divisor, and the overflow."""
    draw = Random("division")
    yield 0x8000_0000, 0xFFFF_FFFF
    for divisor in EDGES:
        yield draw.choice((draw.choice(EDGES), draw.getrandbits(32))), divisor


def program(folder: Path, platform: Platform, name: str, behind: str) -> Path:
    entry = platform.memory("flash").start
    text = (
        f".option norelax\n.globl f\nf:\nmv a4, a2\n{name} a2, a0, a1\n{behind}\nmv a0, a2\nret\n"
    )
    (folder / "f.s").write_text(text, encoding="utf-8")
    command = ["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-nostdlib"]
    link = [f"-Wl,-Ttext={entry:#x},-e,f", "f.s", "-o", "f.elf"]
    subprocess.run([*command, *link], check=True, cwd=folder)
    return folder / "f.elf"


@pytest.mark.slow
@pytest.mark.parametrize("name", DIVIDING)
@pytest.mark.parametrize("operation", NAMES)
def test_divisions_take_the_cycles_of_the_verilog(
    name: str, operation: str, tmp_path: Path
) -> None:
    platform = platform_named(name)
    if reason := why_not(platform):
        pytest.skip(reason)
    model = timing_model(counted(platform))
    for behind in BEHIND:
        elf = program(tmp_path, platform, operation, behind)
        ours, theirs = Machine(elf, platform), SocMachine(elf, platform, 0, "cold")
        buffers = ours.reserve(4), theirs.reserve(4)
        for operands in pairs():
            done = ours.call("f", *operands, buffers[0])
            seen = theirs.call("f", *operands, buffers[1])
            code = decode_blocks(ours.code, done.profile.blocks, platform.isa)
            assert done.result == seen.result
            assert cycles(model, done.profile, code) == seen.cycles, (operation, behind, operands)
        theirs.close()

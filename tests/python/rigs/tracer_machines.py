# SPDX-License-Identifier: MIT
"""Machines that run the programs of tracer_code.py; what their profiles say of instructions."""

import subprocess
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from tracer_code import ARM, RISCV, SHORT_BLOCKS, THUMB1, THUMB2

from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.profile import Execution

PLATFORMS = (
    "arm7tdmi",
    "cortex-m0plus",
    "cortex-m3",
    "cortex-m4",
    "cortex-m33",
    "rv32im-e31",
    "rv32i",
    "qingke-v2a",
)
ASSEMBLY = {
    "arm7tdmi": ARM,
    "cortex-m0plus": THUMB1,
    "cortex-m3": THUMB1 + THUMB2,
    "cortex-m4": THUMB1 + THUMB2,
    "cortex-m33": THUMB1 + THUMB2,
    "rv32im-e31": RISCV,
    "rv32i": RISCV,
    "qingke-v2a": RISCV,
}


@cache
def linked(name: str, assembly: str = "") -> bytes:
    """The program as an ELF file for that platform, with more functions in assembly."""
    platform = platform_named(name)
    places = [f"-Wl,-Ttext={platform.memory('flash').start + 0x100:#x}"]
    places += [f"-Wl,-Tdata={platform.memory('ram').start:#x}", "-Wl,-e,main"]
    command = [platform.compiler.command, *platform.compiler.target, "-Os", "-ffreestanding"]
    command += ["-nostdlib", "-nostartfiles", "-Wl,--no-warn-rwx-segments", *places]
    with tempfile.TemporaryDirectory() as folder:
        elf, code, functions = (Path(folder) / name for name in ("elf", "code.c", "code.S"))
        code.write_text(SHORT_BLOCKS, encoding="utf-8")
        functions.write_text(ASSEMBLY[name] + assembly, encoding="utf-8")
        subprocess.run([*command, str(code), str(functions), "-lgcc", "-o", str(elf)], check=True)
        return elf.read_bytes()


def load(name: str, assembly: str = "") -> Machine:
    """A new machine of that platform, with more functions in assembly."""
    return Machine(linked(name, assembly), platform_named(name))


def executed(machine: Machine, execution: Execution) -> Counter[int]:
    """Times of each instruction by its address, as the profile has them."""
    profile = execution.profile
    decoded = decode_blocks(machine.code, profile.blocks, machine.platform.isa)
    times: Counter[int] = Counter()
    for (_, _, this, _), count in profile.paths.items():
        address, end = profile.blocks[this].address, profile.blocks[this].address
        end += profile.blocks[this].size
        while address < end:
            times[address] += count
            address += decoded[address].size
    return times


def skipped(execution: Execution) -> Counter[int]:
    times: Counter[int] = Counter()
    for (_, _, this, _), count in execution.profile.paths.items():
        for address in execution.profile.blocks[this].skipped:
            times[address] += count
    return times

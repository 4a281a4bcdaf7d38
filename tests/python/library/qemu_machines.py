# SPDX-License-Identifier: MIT
"""Machines of QEMU that run bare images of tests/interrupts, by instruction set."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from places import ROOT

FOLDER = ROOT / "tests" / "interrupts"
MEMORY = ROOT / "aesfit" / "building" / "firmware" / "memory.c"
"""All that is needed of a libc."""


@dataclass(frozen=True)
class Board:
    """A machine of QEMU."""

    machine: str
    source: str
    compiler: tuple[str, ...]
    """For the board's own files."""
    code: int
    """Where code is put, and what is written."""
    ram: int

    @property
    def emulator(self) -> str:
        return f"qemu-system-{'riscv32' if 'riscv' in self.compiler[0] else 'arm'}"


def _arm(*flags: str) -> tuple[str, ...]:
    return ("arm-none-eabi-gcc", *flags)


RISCV = ("riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32")
CORTEX_M3 = Board("mps2-an385", "mps2.c", _arm("-mcpu=cortex-m3", "-mthumb"), 0, 0x2000_0000)
CORTEX_M4 = Board("mps2-an386", "mps2.c", _arm("-mcpu=cortex-m4", "-mthumb"), 0, 0x2000_0000)
ARM926 = Board("versatilepb", "versatilepb.c", _arm("-mcpu=arm7tdmi", "-marm"), 0, 0x10_0000)
VIRT = Board("virt", "virt.c", RISCV, 0x8000_0000, 0x8010_0000)
BOARDS = {
    "armv4t": (ARM926, ("-mcpu=arm7tdmi", "-marm")),
    "armv6-m": (CORTEX_M3, ("-mcpu=cortex-m0plus", "-mthumb")),
    "armv7-m": (CORTEX_M3, ("-mcpu=cortex-m3", "-mthumb")),
    "armv7e-m": (CORTEX_M4, ("-mcpu=cortex-m4", "-mthumb")),
    "rv32im": (VIRT, ("-march=rv32im", "-mabi=ilp32")),
}
"""By instruction set: the board, and the compiler's flags for the drop-in.  Armv7-M runs the
instructions of Armv6-M, Armv5 those of Armv4T."""


def gcc(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:3000]}"


def run(board: Board, image: Path) -> subprocess.CompletedProcess[str]:
    """Run the image in QEMU; returns its exit code and output."""
    bios = ["-bios", "none"] if board is VIRT else []
    command = [board.emulator, "-M", board.machine, *bios, "-display", "none", "-serial", "none"]
    command += ["-monitor", "none", "-semihosting-config", "enable=on,target=native"]
    command += ["-icount", "shift=10", "-kernel", str(image)]
    quiet = {**os.environ, "QEMU_AUDIO_DRV": "none"}
    return subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)

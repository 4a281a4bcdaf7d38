# SPDX-License-Identifier: MIT
"""A user's own program, as `aesfit prove --elf` takes it."""

import subprocess
from pathlib import Path

from aesfit.building.build import FIRMWARE, include_flags

LINK = "SECTIONS { . = 0x08000000; .text : { *(.text* .rodata*) } .data : { *(.data* .bss*) } }"


def linked(unit: str, entry: str, folder: Path = Path()) -> Path:
    """own.elf in a folder, a program for Cortex-M0+; its source stays there, as unit.c."""
    (folder / "unit.c").write_text(unit)
    (folder / "memory.c").write_text((FIRMWARE / "memory.c").read_text(encoding="utf-8"))
    (folder / "link.ld").write_text(LINK)
    flags = ["-mcpu=cortex-m0plus", "-mthumb", "-Os", "-g", "-fno-tree-loop-distribute-patterns"]
    subprocess.run(
        ["arm-none-eabi-gcc", *flags, "-DAESFIT_KEY_WORDS=120", *include_flags(), "-nostdlib",
         "-T", "link.ld", "-e", entry, "unit.c", "memory.c", "-lgcc", "-o", "own.elf"],
        check=True, cwd=folder,
    )  # fmt: skip
    return folder / "own.elf"

# SPDX-License-Identifier: MIT
"""The machines that drop-ins are made for: how each compiler is asked, what runs the result."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror")
STANDARDS = {
    "C99": ("-x", "c", "-std=c99"),
    "C11": ("-x", "c", "-std=c11"),
    "C17": ("-x", "c", "-std=c17"),
    "C++17": ("-x", "c++", "-std=c++17"),
}
COMPILERS = ("gcc", "clang")


@dataclass(frozen=True)
class Target:
    """One machine."""

    name: str
    commands: Mapping[str, tuple[str, ...]] = field(hash=False)
    """Compiler and flags of the machine, for gcc and clang."""
    emulator: tuple[str, ...] = ()
    """What runs its programs; empty: this computer, or the project's own machine."""
    platform: str | None = None
    """Whose machine (rigs/emulator/machine.py) calls the driver: QEMU 7.2 runs no programs of
    ARM's M profile outside a whole system."""
    x86: bool = False

    @property
    def hosted(self) -> bool:
        """Its programs have a libc; the others are linked with tests/emit/start.S."""
        return not self.emulator and self.platform is None

    def lacks(self, compiler: str, standard: str) -> str | None:
        """Why this machine cannot be compiled for here; None when it can."""
        command = self.commands[compiler]
        if shutil.which(command[0]) is None:
            return f"no {command[0]}"
        if standard == "C++17" and not _compiles(command, ""):
            return f"{command[0]} compiles no C++ here"
        return None

    def has_headers(self, compiler: str, standard: str) -> bool:
        """C++'s own headers, which those for x86 instructions include there, are here too."""
        return standard != "C++17" or _compiles(self.commands[compiler], "#include <stdlib.h>\n")


@cache
def _compiles(command: tuple[str, ...], text: str) -> bool:
    """As C++."""
    done = subprocess.run(
        [*command, "-x", "c++", "-fsyntax-only", "-"], input=text, text=True, capture_output=True
    )
    return done.returncode == 0


def _arm(processor: str, state: str) -> dict[str, tuple[str, ...]]:
    machine = (f"-mcpu={processor}", state, "-ffreestanding")
    return {
        "gcc": ("arm-none-eabi-gcc", *machine),
        "clang": ("clang", "--target=arm-none-eabi", *machine),
    }


def _riscv(name: str, bits: int, machine: tuple[str, ...]) -> Target:
    commands = {
        "gcc": ("riscv64-unknown-elf-gcc", *machine, "-ffreestanding"),
        "clang": ("clang", f"--target=riscv{bits}-none-elf", *machine, "-ffreestanding"),
    }
    return Target(name, commands, (f"qemu-riscv{bits}",))


def _linux(name: str, gcc: str, triple: str, emulator: str) -> Target:
    """A machine whose gcc is the one for Linux, used without its libc."""
    commands = {
        "gcc": (gcc, "-ffreestanding", "-fno-pie"),
        "clang": ("clang", f"--target={triple}", "-ffreestanding"),
    }
    return Target(name, commands, (emulator,))


TARGETS = {
    target.name: target
    for target in (
        Target("x86-64", {"gcc": ("gcc",), "clang": ("clang",)}, x86=True),
        Target("i686", {"gcc": ("gcc", "-m32"), "clang": ("clang", "-m32")}, x86=True),
        Target("ARM v4T", _arm("arm7tdmi", "-marm"), ("qemu-arm", "-cpu", "ti925t")),
        Target("ARM v6-M", _arm("cortex-m0plus", "-mthumb"), platform="cortex-m0plus"),
        Target("ARM v7-M", _arm("cortex-m3", "-mthumb"), platform="cortex-m3"),
        Target("ARM v7E-M", _arm("cortex-m4", "-mthumb"), platform="cortex-m4"),
        _riscv("RV32", 32, ("-march=rv32im", "-mabi=ilp32")),
        _riscv("RV64", 64, ("-march=rv64imac", "-mabi=lp64")),
        _linux("AArch64", "aarch64-linux-gnu-gcc", "aarch64-none-elf", "qemu-aarch64"),
        _linux("PowerPC", "powerpc-linux-gnu-gcc", "powerpc-none-elf", "qemu-ppc"),
    )
}


def run(command: list[str], text: str | None = None) -> str:
    """Standard output of a tool; its complaint fails the test."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:3000]}"
    return done.stdout


def compile_file(
    target: Target, compiler: str, standard: str, source: Path, *flags: str
) -> subprocess.CompletedProcess[str]:
    """Compile `source`, with every warning an error, as the target does."""
    command = [*target.commands[compiler], *STANDARDS[standard], *WARNINGS]
    return subprocess.run(
        [*command, *flags, str(source)], capture_output=True, text=True, check=False
    )


def support(target: Target) -> list[str]:
    """The compiler's run-time library; clang uses gcc's if there is one."""
    gcc = target.commands["gcc"]
    if shutil.which(gcc[0]) is None:
        return []
    return [run([*gcc, "-print-libgcc-file-name"]).strip()]

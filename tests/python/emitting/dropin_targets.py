# SPDX-License-Identifier: MIT
"""The machines that drop-ins are made for: how each compiler is asked, what runs the result."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from targets import Command, commands, every, installed

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
    emulator: Command = ()
    """What runs its programs, unless it is this computer or the project's own machine."""
    platform: str | None = None
    """Whose machine (rigs/emulator/machine.py) calls the driver: QEMU 7.2 runs no programs of
    ARM's M profile outside a whole system."""
    linker: Command = ("ld.lld", "--image-base=0x10000000")
    """With the image in none of a platform's memories; code may run there on every Cortex-M."""
    hosted: bool = False
    """This computer runs its programs, which have a libc; the others are linked with
    tests/emit/start.S."""
    commands: Mapping[str, Command] = field(init=False, hash=False)
    """Compiler and flags of the machine, for gcc and clang."""

    def __post_init__(self) -> None:
        """What tests/targets.txt says, without a libc unless the machine has one."""
        apart = () if self.hosted else ("-ffreestanding",)
        found = {kind: words + apart for kind, words in commands()[self.name].items()}
        object.__setattr__(self, "commands", found)

    @property
    def x86(self) -> bool:
        """It has the instructions that only x86 has."""
        return self.hosted

    @property
    def runs(self) -> bool:
        """Its programs run here; else they are only compiled."""
        return self.hosted or bool(self.emulator) or self.platform is not None


TARGETS = {
    target.name: target
    for target in (
        Target("x86-64", hosted=True),
        Target("i686", hosted=True),
        Target("ARM v4T", ("qemu-arm", "-cpu", "ti925t")),
        Target("ARM v6-M", platform="cortex-m0plus"),
        Target("ARM v7-M", platform="cortex-m3"),
        Target("ARM v7E-M", platform="cortex-m4"),
        Target("RV32", ("qemu-riscv32",)),
        Target("RV64", ("qemu-riscv64",)),
        Target("AArch64", ("qemu-aarch64",)),
        Target("PowerPC", ("qemu-ppc",)),
        # lld 14 puts a call where a jump belongs, in the stubs through which libgcc is called.
        Target("MIPS", ("qemu-mips",), linker=("mips-linux-gnu-ld",)),
        Target("Xtensa"),
    )
}
EVERY = every()
"""Each machine with each of its compilers."""
RUN = [name for name, target in TARGETS.items() if target.runs]
ONLY_C = {("AArch64", "gcc"), ("PowerPC", "gcc"), ("MIPS", "gcc")}
"""Their C++ compiler is another package, which only the slow profile of tools/setup.sh installs."""


def run(command: list[str], text: str | None = None) -> str:
    """Standard output of a tool; its complaint fails the test."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:3000]}"
    return done.stdout


def compile_file(
    target: Target, compiler: str, standard: str, source: Path, *flags: str
) -> subprocess.CompletedProcess[str]:
    """Compile `source`, with every warning an error, as the target does."""
    command = [*installed(target.commands[compiler]), *STANDARDS[standard], *WARNINGS]
    return subprocess.run(
        [*command, *flags, str(source)], capture_output=True, text=True, check=False
    )


def support(target: Target) -> list[str]:
    """The run-time library of gcc, which clang uses too."""
    return [run([*installed(target.commands["gcc"]), "-print-libgcc-file-name"]).strip()]

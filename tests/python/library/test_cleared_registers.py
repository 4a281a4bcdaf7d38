# SPDX-License-Identifier: MIT
"""Where calls clear registers: what compilers can do, what parts/compiler.h asks them for, and the
table of docs/integrating.md agree."""

import re
import subprocess
from pathlib import Path

import pytest
from firmware_packages import GUIDE, LIB, run
from targets import Command, commands, every, installed

PROGRAM = """
#include "compiler.h"
int leave(int a, int b);
ATTRIBUTE int leave(int a, int b)
{
    a ^= b;
    AESFIT_USE_REGISTERS;
    return a;
}
"""
DIRECTLY = '__attribute__((zero_call_used_regs("all")))'
THE_LIBRARY = "AESFIT_ZEROED_REGISTERS"
FLOATING = {
    "ARM v7E-M": [("-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")],
    "RV64": [("-march=rv64gc", "-mabi=lp64d")],
}
"""Processors of the list that also come with floating point, which has registers of its own."""
CASES = [
    (name, compiler, more) for name, compiler in every() for more in [(), *FLOATING.get(name, ())]
]
RISCV = "defined(__riscv) ||"
PLANTED = {
    "a processor is forgotten": ("RV32", "0 ||"),
    "one is named whose compiler refuses": ("PowerPC", f"defined(__powerpc__) || {RISCV}"),
}


def compiled(command: Command, attribute: str, header: Path = LIB / "src/parts") -> str | None:
    """The assembly of a function with an attribute; None if it is refused."""
    told = [f"-I{header}", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-O2"]
    line = [*installed(command), *told, f"-DATTRIBUTE={attribute}", "-xc", "-S", "-", "-o", "-"]
    done = subprocess.run(line, input=PROGRAM, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def can(command: Command) -> bool:
    """The compiler takes the attribute, and does something for it."""
    return compiled(command, DIRECTLY) not in (None, compiled(command, ""))


def asked(command: Command, header: Path = LIB / "src/parts") -> bool | None:
    """The library's attribute does something; None if the compiler refuses it."""
    made = compiled(command, THE_LIBRARY, header)
    return None if made is None else made != compiled(command, "")


def told(name: str, command: Command) -> bool:
    """What the table says of a processor and this version of a compiler."""
    table = GUIDE.split("| Processor | gcc | clang |\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[1:]]
    (row,) = [row for row in rows if name.split()[0] in row[0].split(", ")]
    cell = row[2 if command[0] == "clang" else 1]
    since = re.fullmatch(r"from (\d+)", cell)
    assert since or cell == "no", cell
    major = int(run(*installed(command), "-dumpversion").split(".")[0])
    return since is not None and major >= int(since[1])


@pytest.mark.parametrize(("name", "compiler", "more"), CASES)
def test_registers_are_cleared_where_the_table_says(
    name: str, compiler: str, more: Command
) -> None:
    command = commands()[name][compiler] + more
    assert can(command) == asked(command) == told(name, command)


@pytest.mark.parametrize("fault", PLANTED)
def test_a_wrong_list_of_processors_would_be_found(fault: str, tmp_path: Path) -> None:
    name, wrong = PLANTED[fault]
    text = (LIB / "src/parts/compiler.h").read_text(encoding="utf-8")
    assert text.count(RISCV) == 1
    (tmp_path / "compiler.h").write_text(text.replace(RISCV, wrong), encoding="utf-8")
    command = commands()[name]["gcc"]
    assert can(command) != asked(command, tmp_path)

# SPDX-License-Identifier: MIT
"""The default core: which one a compiler's target gets, and that it computes AES there."""

import re
import subprocess
from pathlib import Path

import pytest
from assembly_cores import functions
from firmware_packages import LIB, kconfig
from qemu_machines import BOARDS, FOLDER, MEMORY, Board, gcc, run
from targets import commands, every, installed

from aesfit.emitting.default_core import default_core
from aesfit.platforms.find import platform_named, platforms

INCLUDE = (f"-I{LIB / 'include'}", f"-I{LIB / 'src'}")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror", "-ffreestanding")
PORTABLE = "fixslice"
IN_ASSEMBLY = {
    "ARM v4T": "fixslice_armv4",
    "ARM v6-M": "fixslice_armv6m",
    "ARM v7-M": "fixslice_4k_armv7m",
    "ARM v7E-M": "fixslice_4k_armv7m",
    "RV32": "fixslice_rv32",
}
"""By kind of processor (tests/targets.txt)."""
SMALLER_THAN_C = {"fixslice_4k_armv7m"}


def named(*command: str) -> set[str]:
    """The cores that default.c names; each as a whole and without decryption."""
    line = [*command, *INCLUDE, *WARNINGS, "-S", "-o", "-", str(LIB / "src" / "default.c")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    found = set(re.findall(r"\baesfit_core_(?!available)(\w+)", done.stdout)) - {"aesni"}
    whole = {name.removesuffix("_encrypt") for name in found} - {"aesni"}
    assert found - {"aesni_encrypt"} == whole | {f"{name}_encrypt" for name in whole}
    return whole


@pytest.mark.parametrize(("name", "compiler"), every())
def test_each_target_has_its_core(name: str, compiler: str) -> None:
    command = installed(commands()[name][compiler])
    core = IN_ASSEMBLY.get(name, PORTABLE)
    for flags in (["-O2"], ["-O0"], ["-O2", "-fPIC"], ["-O0", "-fPIC"]):
        if name != "MIPS" or "-fPIC" not in flags:  # which excludes -mno-abicalls
            assert named(*command, *flags) == {core}, flags
    assert named(*command, "-Os") == {core if core in SMALLER_THAN_C else PORTABLE}
    assert named(*command, "-O2", "-DAESFIT_DEFAULT_IN_C=1") == {PORTABLE}
    assert named(*command, "-O2", f"-DAESFIT_CORE_{core}=0") == {PORTABLE} - {core}


@pytest.mark.parametrize(
    ("command", "core"),
    [
        ("arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb", "fixslice_4k_armv7m"),
        ("arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb", "fixslice_4k_armv7m"),
        ("arm-none-eabi-gcc -mcpu=arm7tdmi -mthumb", "fixslice_armv4"),
        ("riscv64-unknown-elf-gcc -march=rv32imac_zbb -mabi=ilp32", "fixslice_rv32"),
        # What compilers do not take, or nobody measured: Thumb state by clang, ARMv8-M without
        # Thumb-2, ARMv5, the profile A, big-endian words, 16 registers, other compilers.
        ("clang --target=arm-none-eabi -mcpu=arm7tdmi -mthumb", PORTABLE),
        ("arm-none-eabi-gcc -mcpu=cortex-m23 -mthumb", PORTABLE),
        ("arm-none-eabi-gcc -mcpu=arm926ej-s -marm", PORTABLE),
        ("arm-none-eabi-gcc -march=armv7-a -mthumb", PORTABLE),
        ("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -mbig-endian", PORTABLE),
        ("riscv64-unknown-elf-gcc -march=rv32emc -mabi=ilp32e", PORTABLE),
        ("clang --target=arm-none-eabi -mcpu=cortex-m3 -mthumb -U__GNUC__", PORTABLE),
        ("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -DAESFIT_COUNT_READS", PORTABLE),
    ],
)
def test_assembly_is_the_default_only_where_it_was_measured(command: str, core: str) -> None:
    assert named(*installed(tuple(command.split())), "-O2") == {core}


def test_drop_ins_and_the_library_agree_on_every_platform() -> None:
    """Hosts are left out, whose library asks the processor and whose drop-in cannot."""
    asked = [one for one in platforms() if one.rig != "host" and one.compiler.command]
    assert len(asked) > 20
    for one in asked:
        command = installed((one.compiler.command, *one.compiler.target))
        assert named(*command, "-O2") == {default_core(one)}, one.name
    assert default_core(platform_named("x86-64")) == default_core(None) == PORTABLE


def test_contexts_take_as_much_with_either_default(tmp_path: Path) -> None:
    """A library of one core: keys of the default and of the C take the same room."""
    cores = (*IN_ASSEMBLY.values(), PORTABLE)
    config = (LIB / "include" / "aesfit_config.h").read_text(encoding="utf-8")
    (sizes,) = {re.findall(rf"AESFIT_SCHEDULE_{core} (.*)", config)[0] for core in cores}
    (tmp_path / "unit.c").write_text(
        f'#include <aesfit.h>\n_Static_assert(4 * {sizes} + 8 == sizeof(aesfit_key), "");\n'
    )
    others = re.findall(r"^#ifndef (AESFIT_CORE_\w+)$", config, re.MULTILINE)
    for core in cores:
        alone = [f"-D{name}={int(name == f'AESFIT_CORE_{core}')}" for name in others]
        command = ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", *alone, *INCLUDE)
        gcc(*command, "-fsyntax-only", str(tmp_path / "unit.c"))


@pytest.mark.parametrize(
    ("host", "core"),
    [
        ("ARMV7_M_ARMV8_M_MAINLINE", "FIXSLICE_4K_ARMV7M"),
        ("CPU_CORTEX_M0", "FIXSLICE_ARMV6M"),
        ("CPU_CORTEX_M0PLUS", "FIXSLICE_ARMV6M"),
        ("RISCV", "FIXSLICE_RV32"),
        ("IDF_TARGET_ARCH_RISCV", "FIXSLICE_RV32"),
    ],
)
def test_kconfig_builds_the_default_core_of_a_target(host: str, core: str, tmp_path: Path) -> None:
    """Beside the one in C, which is the default without it."""
    described = f"config {host}\n bool\n default y\n"
    syms = kconfig(tmp_path, described).syms
    built = {name for name in syms if name.startswith("AESFIT_CORE_") and syms[name].tri_value}
    assert built == {"AESFIT_CORE_FIXSLICE", f"AESFIT_CORE_{core}"}
    without = kconfig(tmp_path, described, f"# CONFIG_AESFIT_CORE_{core} is not set\n").syms
    assert without[f"AESFIT_CORE_{core}"].str_value == "n"


SOURCES = (
    *("key.c", "default.c", "describe.c", "modes/ecb.c", "modes/ctr.c", "modes/ccm.c"),
    *("cores/sbox_columns.c", *(f"cores/{core}.c" for core in {*IN_ASSEMBLY.values(), PORTABLE})),
)
PROGRAM = r"""
#include <aesfit.h>
#include "board.h"
#include "harness.h"

/* Under a key of each size, at each address within a word: as the core without any choice. */
static int right(unsigned size, unsigned place)
{
    static uint8_t secret[32], text[67], made[67], other[67], tag[8], tags[8];
    aesfit_key key, plain;
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(7 * i + size), secret[i % 32] = (uint8_t)(11 * i + size);
    if (aesfit_expand_key(&key, NULL, secret, size, AESFIT_BOTH) != AESFIT_OK ||
        aesfit_expand_key(&plain, &aesfit_core_sbox_columns, secret, size, AESFIT_BOTH) != 0)
        return 0;
    uint8_t *out = made + place, *in = text + place;
    aesfit_ecb_encrypt(&plain, other, in, 48);
    if (aesfit_ecb_encrypt(&key, out, in, 48) != AESFIT_OK || !equal(out, other, 48))
        return 0;
    if (aesfit_ecb_decrypt(&key, out, out, 48) != AESFIT_OK || !equal(out, in, 48))
        return 0;
    if (aesfit_expand_key(&key, NULL, secret, size, AESFIT_ENCRYPT) != AESFIT_OK)
        return 0;
    aesfit_ccm_encrypt(&plain, secret, 13, text, 5, other, in, 61, tags, 8);
    return aesfit_ccm_encrypt(&key, secret, 13, text, 5, out, in, 61, tag, 8) == AESFIT_OK &&
           equal(out, other, 61) && equal(tag, tags, 8) &&
           aesfit_ccm_decrypt(&key, secret, 13, text, 5, out, out, 61, tag, 8) == AESFIT_OK &&
           equal(out, in, 61);
}

int main(void)
{
    for (unsigned size = 16; size <= 32; size += 8)
        for (unsigned place = 0; place < 4; place++)
            if (!right(size, place))
                return 1;
    return 0;
}
"""


def image(board: Board, flags: tuple[str, ...], folder: Path) -> Path:
    """A program of the library's sources, which names no core."""
    (folder / "library.c").write_text("".join(f'#include "{name}"\n' for name in SOURCES))
    (folder / "main.c").write_text(PROGRAM)
    script = (FOLDER / "image.ld").read_text(encoding="utf-8")
    for name, value in (("INSIDE", "*(.none)"), ("CODE", board.code), ("RAM", board.ram)):
        script = script.replace(name, str(value))
    (folder / "image.ld").write_text(script, encoding="utf-8")
    common = (
        "-std=c11",
        "-ffreestanding",
        "-ffunction-sections",
        "-fdata-sections",
        "-fno-tree-loop-distribute-patterns",
    )
    made = (str(folder / "library.o"), str(folder / "image.elf"))
    compiler = board.compiler[0]
    gcc(compiler, *flags, *common, *INCLUDE, "-c", str(folder / "library.c"), "-o", made[0])
    own = (*board.compiler, "-O1", *common, *INCLUDE, f"-I{FOLDER}")
    sources = (folder / "main.c", FOLDER / "harness.c", FOLDER / board.source, MEMORY)
    link = ("-nostdlib", "-Wl,--gc-sections", "-T", str(folder / "image.ld"))
    gcc(*own, *map(str, sources), made[0], *link, "-lgcc", "-o", made[1])
    return folder / "image.elf"


CASES = [("-O2",), ("-O0", "-fPIC"), ("-O2", "-DAESFIT_DEFAULT_IN_C=1")]


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("flags", CASES, ids=" ".join)
@pytest.mark.parametrize("isa", BOARDS)
def test_default_core_runs_in_qemu(isa: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    board, target = BOARDS[isa]
    asked = next(one for one in platforms() if one.isa == isa)
    core = PORTABLE if "-DAESFIT_DEFAULT_IN_C=1" in flags else default_core(asked)
    program = image(board, (*target, *flags), tmp_path)
    done = run(board, program)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    nm = board.compiler[0].removesuffix("gcc") + "nm"
    symbols = subprocess.run([nm, program], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"^[0-9a-f]+ \w (\w+)$", symbols, re.MULTILINE))
    assert functions(core) <= names
    cores = {f"aesfit_core_{one}" for one in (*IN_ASSEMBLY.values(), PORTABLE)}
    assert cores & names == {f"aesfit_core_{core}"}

# SPDX-License-Identifier: MIT
"""A small firmware on the system of examples/picorv32-aes: processor, bus, driver, core, by Icarus.

The example's own firmware takes millions of cycles, which Verilator simulates with --slow.
"""

from pathlib import Path

import pytest
from places import ROOT

from aesfit.building.tools import Tool, ToolFailedError, program
from aesfit.hardware.simulate import Bench, icarus, modules
from aesfit.hardware.tools import RTL
from rtl import planted

EXAMPLE = ROOT / "examples" / "picorv32-aes"
DRIVER = ROOT / "drivers" / "aes32_axil"
PROCESSOR = ROOT / "third_party" / "picorv32" / "picorv32.v"
PARTS = [*(EXAMPLE / name for name in ("start.c", "board.c", "memory.c")), DRIVER / "aes32_axil.c"]
FLAGS = (
    *("-march=rv32i", "-mabi=ilp32", "-O2", "-std=c11", "-ffreestanding", "-nostdlib", "-Werror"),
    *("-ffunction-sections", "-fno-tree-loop-distribute-patterns", f"-I{EXAMPLE}", f"-I{DRIVER}"),
    *("-Wl,--gc-sections,--no-warn-rwx-segments", "-T", str(EXAMPLE / "system.ld")),
)
MAIN = """
#include "aes32_axil.h"
#include "board.h"

static const uint8_t key[16] = {KEY}, plain[32] = {PLAIN}, cipher[32] = {CIPHER};
static uint8_t counter[16] = {COUNTER}, out[32];

int main(void)
{
    aes32_axil core;
    if (aes32_axil_open(&core, (volatile void *)0x10000000u) != AES32_AXIL_OK) {
        print("no core\\n");
        return 1;
    }
    if (aes32_axil_load_key(&core, key, 16) != AES32_AXIL_OK ||
        aes32_axil_ctr(&core, counter, out, plain, 32) != AES32_AXIL_OK) {
        print("refused\\n");
        return 1;
    }
    for (int i = 0; i < 32; i++)
        if (out[i] != cipher[i]) {
            print("wrong\\n");
            return 1;
        }
    if (aes32_axil_erase(&core) != AES32_AXIL_OK ||
        aes32_axil_ctr(&core, counter, out, plain, 32) != AES32_AXIL_ERR_NO_KEY) {
        print("not erased\\n");
        return 1;
    }
    print("right\\n");
    return 0;
}
"""
F51 = {
    "KEY": "2b7e151628aed2a6abf7158809cf4f3c",
    "COUNTER": "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
    "PLAIN": "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
    "CIPHER": "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff",
}
"""SP 800-38A, F.5.1: two blocks."""


def cross(name: str) -> Tool:
    """One of the cross-compiler's programs."""
    found = program("The RISC-V compiler", f"riscv64-unknown-elf-{name}", "gcc-riscv64-unknown-elf")
    return Tool(name, "", (found,))


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """What system.v loads."""
    text = MAIN
    for name, digits in F51.items():
        text = text.replace(
            f"{{{name}}}", f"{{{', '.join(f'{b}' for b in bytes.fromhex(digits))}}}"
        )
    (tmp_path / "main.c").write_text(text, encoding="utf-8")
    cross("gcc").run([*FLAGS, "-o", "firmware.elf", "main.c", *map(str, PARTS), "-lgcc"], tmp_path)
    words = ("-O", "verilog", "--verilog-data-width=4")
    cross("objcopy").run([*words, "firmware.elf", "firmware.hex"], tmp_path)
    return tmp_path / "firmware.hex"


def said(firmware: Path, cores: list[Path]) -> str:
    """What the firmware prints on a system over these files of the core."""
    sources = (PROCESSOR, *cores)
    system = icarus(Bench("system", EXAMPLE / "system.v", sources=sources))
    return system.run([f"+firmware={firmware}"])


def test_processor_driver_and_core_agree_with_nist(firmware: Path) -> None:
    assert said(firmware, modules(EXAMPLE / "system.v")).splitlines() == ["right"]


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("aes32_axil", "({decrypt_q, swapped})", "({!decrypt_q, swapped})"),
        ("aes32x2_key_expand", "8'h1b & ", "8'h1d & "),
    ],
)
def test_a_planted_fault_is_told(
    tmp_path: Path, firmware: Path, file: str, right: str, wrong: str
) -> None:
    """By the firmware, and by the exit code of the simulation."""
    cores = []
    for path in modules(RTL / "aes32_axil.v"):
        cores.append(tmp_path / path.name)
        cores[-1].write_text(planted(path, (file, right, wrong)), encoding="utf-8")
    assert file in {path.stem for path in cores}
    with pytest.raises(ToolFailedError, match="wrong"):
        said(firmware, cores)

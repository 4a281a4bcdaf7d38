# SPDX-License-Identifier: MIT
"""RV32EC and QingKe V2A: sixteen registers, six arguments in them, and the processor's cycles."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from timing_cases import Case, check, check_coverage

from aesfit.counting import count
from aesfit.counting.arguments import parse
from aesfit.platforms.find import platform_named
from aesfit.proving.lifter import Lifter
from aesfit.rigs.emulator import decode_wch
from aesfit.rigs.emulator.machine import Machine, MachineError
from aesfit.rigs.emulator.timing import qingke_v2

QINGKE = platform_named("qingke-v2a")
SUM = """int sum(int a, int b, int c, int d, int e, int f, int g, int h)
{ return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h; }"""


def build(folder: Path, source: str, *flags: str, suffix: str = "c") -> Path:
    code, elf = folder / f"f.{suffix}", folder / "f.elf"
    code.write_text(source, encoding="utf-8")
    command = [QINGKE.compiler.command, *(flags or QINGKE.compiler.target), "-Os", "-nostdlib"]
    subprocess.run(
        [*command, "-Wl,-Ttext=0x20000100", "-Wl,-e,0", str(code), "-lgcc", "-o", str(elf)],
        check=True,
    )
    return elf


def assembled(folder: Path, *lines: str) -> Machine:
    text = "\n".join((".option norvc", ".globl f", ".type f, @function", "f:", *lines, "ret", ""))
    return Machine(build(folder, text, suffix="S"), QINGKE)


def test_six_arguments_lie_in_registers_and_the_rest_on_the_stack(tmp_path: Path) -> None:
    arguments = parse([f"int:{n}" for n in range(1, 9)])
    found = count.count(QINGKE, [build(tmp_path, SUM)], "sum", arguments)
    assert found.result == sum(n * n for n in range(1, 9))
    assert found.loads == 2


def word(
    opcode: int, *, rd: int = 0, funct3: int = 0, rs1: int = 0, rs2: int = 0, funct7: int = 0
) -> str:
    """A full instruction that the assembler would refuse."""
    high = funct7 << 25 | rs2 << 20 | rs1 << 15
    return f".word {high | funct3 << 12 | rd << 7 | opcode:#x}"


@pytest.mark.parametrize(
    "line",
    [
        word(0x33, rd=16, rs1=10, rs2=11),  # add
        word(0x33, rd=10, rs1=16, rs2=11),
        word(0x33, rd=10, rs1=10, rs2=31),
        word(0x13, rd=17, rs1=10, rs2=1),  # addi
        word(0x13, rd=10, rs1=17, rs2=1),
        word(0x37, rd=18),  # lui
        word(0x23, funct3=2, rs1=2, rs2=20),  # sw
        word(0x63, rd=8, rs1=20, rs2=10),  # beq
        word(0x33, rd=10, rs1=10, rs2=11, funct7=1),  # mul
        word(0x2F, funct3=2, rd=10, rs1=2, rs2=11, funct7=4),  # amoswap.w
        word(0x53, rd=10, rs1=10, rs2=11),  # fadd.s
        word(0x43, rd=10, rs1=10, rs2=11),  # fmadd.s
        word(0x07, funct3=2, rd=10, rs1=2),  # flw
        ".half 0x0885",  # c.addi x17, 1
        ".half 0x883e",  # c.mv x16, a5
        ".half 0x87c2",  # c.mv a5, x16
        ".half 0xc042",  # c.swsp x16, 0(sp)
        ".half 0x4802",  # c.lwsp x16, 0(sp)
    ],
)
def test_what_the_processor_lacks_is_refused(tmp_path: Path, line: str) -> None:
    machine = assembled(tmp_path, line)
    with pytest.raises(MachineError, match=r"^the processor has no instruction like that at 0x"):
        machine.call("f")


def test_every_field_of_x0_to_x15_is_fine(tmp_path: Path) -> None:
    """Immediates that look like high registers are none."""
    machine = assembled(
        tmp_path,
        "addi a0, zero, -1",  # immediate bits where rs2 would be
        "lui a1, 0xfffff",
        "srai a0, a0, 31",
        "addi sp, sp, -16",
        "sw a0, -4(sp)",  # the offset has rd's bits
        "lw a0, -4(sp)",
        "beq a0, a0, 1f",
        "1: addi sp, sp, 16",
        ".option rvc",
        "c.jal 2f",
        "2: c.nop",
        "c.addi sp, -32",
        "c.swsp a0, 16(sp)",
        "c.lwsp a0, 16(sp)",
        "c.addi16sp sp, 32",
        "la ra, 3f",
        "c.jr ra",
        "3: li ra, 0x1ffff000",
    )
    assert machine.platform.isa == "rv32ec"
    machine.call("f")


# As LLVM (XwchC) and jnk0le encode them, a bit of the offset each.
OWN = {
    **{0x2000: "lbu s0, 0(s0)", 0x3000: "lbu s0, 1(s0)", 0x2020: "lbu s0, 2(s0)"},
    **{0x2040: "lbu s0, 4(s0)", 0x2400: "lbu s0, 8(s0)", 0x2800: "lbu s0, 16(s0)"},
    **{0xA000: "sb s0, 0(s0)", 0xB000: "sb s0, 1(s0)", 0xA020: "sb s0, 2(s0)"},
    **{0xA040: "sb s0, 4(s0)", 0xA400: "sb s0, 8(s0)", 0xA800: "sb s0, 16(s0)"},
    **{0x2002: "lhu s0, 0(s0)", 0x2022: "lhu s0, 2(s0)", 0x2042: "lhu s0, 4(s0)"},
    **{0x2402: "lhu s0, 8(s0)", 0x2802: "lhu s0, 16(s0)", 0x3002: "lhu s0, 32(s0)"},
    **{0xA002: "sh s0, 0(s0)", 0xA022: "sh s0, 2(s0)", 0xA042: "sh s0, 4(s0)"},
    **{0xA402: "sh s0, 8(s0)", 0xA802: "sh s0, 16(s0)", 0xB002: "sh s0, 32(s0)"},
    **{0x8000: "lbu s0, 0(sp)", 0x8080: "lbu s0, 1(sp)", 0x8100: "lbu s0, 2(sp)"},
    **{0x8200: "lbu s0, 4(sp)", 0x8400: "lbu s0, 8(sp)", 0x8040: "sb s0, 0(sp)"},
    **{0x80C0: "sb s0, 1(sp)", 0x8140: "sb s0, 2(sp)", 0x8390: "lbu a2, 7(sp)"},
    **{0x83D0: "sb a2, 7(sp)", 0x8020: "lhu s0, 0(sp)", 0x8120: "lhu s0, 2(sp)"},
    **{0x8220: "lhu s0, 4(sp)", 0x8420: "lhu s0, 8(sp)", 0x80A0: "lhu s0, 16(sp)"},
    **{0x8060: "sh s0, 0(sp)", 0x8160: "sh s0, 2(sp)", 0x80E0: "sh s0, 16(sp)"},
    **{0xA4A2: "sh s0, 10(s1)", 0xBD62: "sh s0, 62(a0)", 0x3D7C: "lbu a5, 31(a0)"},
}
AROUND = (
    *("mv s0, a0", "addi s1, a0, 2", "li a2, 0x89abcdef", "li a5, 0", "addi sp, sp, -32"),
    *("sw a2, 0(sp)", "sw a2, 4(sp)", "sw a2, 8(sp)", "sw a2, 16(sp)", "{}"),
    *("lw a3, 0(sp)", "xor a3, a3, s0", "lw a4, 4(sp)", "xor a3, a3, a4", "lw a4, 16(sp)"),
    *("xor a3, a3, a4", "xor a3, a3, a2", "xor a0, a3, a5", "addi sp, sp, 32"),
)


@pytest.mark.parametrize("half", OWN)
def test_the_makers_own_accesses_do_what_the_full_ones_do(half: int, tmp_path: Path) -> None:
    found = []
    for line in (f".half {half:#x}", OWN[half]):
        machine = assembled(tmp_path, *(one.format(line) for one in AROUND))
        place = machine.reserve(64)
        machine.write(place, bytes(range(128, 192)))
        done = machine.call("f", place)
        counts = done.instructions, done.loads, done.stores
        found.append((done.result, counts, machine.read(place, 64)))
    assert found[0] == found[1]


def test_the_makers_own_accesses_are_decoded_and_lifted_as_the_full_ones(tmp_path: Path) -> None:
    lifter = Lifter("rv32ec")
    for half, line in OWN.items():
        (own,) = decode_wch.decode(half.to_bytes(2, "little"), 0x100)
        machine = assembled(tmp_path, line)
        word = machine.code(machine.symbol("f"), 4)
        (plain,) = decode_wch.decode(word, 0x100)
        assert own.text.startswith("xw.c.")
        assert replace(own, size=4, text=plain.text) == plain
        lifted = lifter.lift(half.to_bytes(2, "little") + b"\x01\x00", 0x100)
        assert lifted == replace(lifter.lift(word, 0x100), size=2)


@pytest.mark.parametrize(
    ("half", "why"),
    [
        (0x2002, r"unaligned access: 'xw\.c\.lhu .*' at .* takes 2 bytes"),
        (0xA002, r"unaligned access: 'xw\.c\.sh .*' at .* takes 2 bytes"),
        (0x3100, r"read outside of memory: 'xw\.c\.lbu .*' at .* reads 0x4"),
        (0xB100, r"write outside of RAM: 'xw\.c\.sb .*' at .* writes 0x4"),
    ],
)
def test_wrong_accesses_of_the_makers_own_are_told(half: int, why: str, tmp_path: Path) -> None:
    machine = assembled(tmp_path, "mv s0, a0", "li a0, 3", f".half {half:#x}")
    with pytest.raises(MachineError, match=why):
        machine.call("f", machine.reserve(8) + 1)


def test_code_is_not_written_by_the_makers_own(tmp_path: Path) -> None:
    machine = assembled(tmp_path, ".half 0xa100")
    with pytest.raises(MachineError, match="write outside of RAM"):
        machine.call("f", QINGKE.memory("flash").start)


@pytest.mark.parametrize(
    ("name", "flags", "reason"),
    [
        ("qingke-v2a", ("-march=rv32ic", "-mabi=ilp32"), "is compiled for 32 registers"),
        ("rv32im-e31", QINGKE.compiler.target, "passes arguments as processors with 16 registers"),
    ],
)
def test_files_of_another_convention_are_refused(
    tmp_path: Path, name: str, flags: tuple[str, ...], reason: str
) -> None:
    elf = build(tmp_path, SUM, *flags)
    with pytest.raises(ValueError, match=reason):
        count.count(platform_named(name), [elf], "sum", [])


CASES = [
    Case("data processing", "rv32ec", "add a0, a1, a2\nc.nop\nslli a0, a0, 3", 3, "1 each"),
    Case("load", "rv32ec", "lw a0, 0(a1)\nlbu a2, 1(a1)", 4, "2 each"),
    Case("store", "rv32ec", "sw a0, 0(a1)\nc.sw a2, 4(a3)", 4, "2 each"),
    Case("jump or branch taken", "rv32ec", "c.j 1f\nc.nop @ unreached\n1: c.nop", 4, "3 and 1"),
    Case("branch not taken", "rv32ec", "beq a0, a1, f\nf: c.nop", 2, "1 and 1"),
    Case(
        "target across words",
        "rv32ec",
        "c.j 1f\nc.nop @ unreached\nc.nop @ unreached\n1: add a0, a1, a2",
        5,
        "3, 1 for the target at an odd half-word, and 1",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_rules(case: Case) -> None:
    check(qingke_v2.MODEL, case)


def test_every_rule_has_a_case() -> None:
    check_coverage(qingke_v2.MODEL, CASES)

# SPDX-License-Identifier: MIT
"""The RISC-V decoder, against encodings that GNU as made of the assembly beside them."""

import pytest

from aesfit.rigs.emulator.decode_riscv import decode
from aesfit.rigs.emulator.instruction import Instruction

# assembly, encoding, name, kind, registers read, registers written
CASES = [
    ("lw a0,4(sp)", "03254100", "lw", "load", "x2", "x10"),
    ("lb a3,0(a4)", "83060700", "lb", "load", "x14", "x13"),
    ("lhu a3,0(a4)", "83560700", "lhu", "load", "x14", "x13"),
    ("sb a1,-3(a2)", "a30eb6fe", "sb", "store", "x11 x12", ""),
    ("sw zero,8(a2)", "23240600", "sw", "store", "x12", ""),
    ("add a0,a1,a2", "3385c500", "add", "alu", "x11 x12", "x10"),
    ("addi zero,a1,3", "13803500", "addi", "alu", "x11", ""),
    ("mv a0,a1", "13850500", "addi", "alu", "x11", "x10"),
    ("li a0,4", "13054000", "addi", "alu", "", "x10"),
    ("nop", "13000000", "addi", "nop", "", ""),
    ("not a0,a1", "13c5f5ff", "xori", "alu", "x11", "x10"),
    ("neg a0,a1", "3305b040", "sub", "alu", "x11", "x10"),
    ("seqz a0,a1", "13b51500", "sltiu", "alu", "x11", "x10"),
    ("sltu a0,a1,a2", "33b5c500", "sltu", "alu", "x11 x12", "x10"),
    ("slli a0,a1,3", "13953500", "slli", "alu", "x11", "x10"),
    ("sra a0,a1,a2", "33d5c540", "sra", "alu", "x11 x12", "x10"),
    ("lui a0,5", "37550000", "lui", "alu", "", "x10"),
    ("auipc a0,5", "17550000", "auipc", "alu", "", "x10"),
    ("mul a0,a1,a2", "3385c502", "mul", "multiply", "x11 x12", "x10"),
    ("mulhu a0,a1,a2", "33b5c502", "mulhu", "multiply-long", "x11 x12", "x10"),
    ("div a0,a1,a2", "33c5c502", "div", "divide", "x11 x12", "x10"),
    ("remu a0,a1,a2", "33f5c502", "remu", "divide", "x11 x12", "x10"),
    ("jal ra,.-16", "eff01fff", "jal", "branch-link", "", "x1"),
    ("j .+16", "6f000001", "jal", "branch", "", ""),
    ("jal t0,.+16", "ef020001", "jal", "branch-link", "", "x5"),
    ("jalr ra,0(a5)", "e7800700", "jalr", "branch-register", "x15", "x1"),
    ("jalr t1,8(a5)", "67838700", "jalr", "branch-register", "x15", "x6"),
    ("ret", "67800000", "jalr", "branch-register", "x1", ""),
    ("jr t0", "67800200", "jalr", "branch-register", "x5", ""),
    ("beqz a0,.-32", "e30005fe", "beq", "branch", "x10", ""),
    ("bne a0,a1,.+64", "6310b504", "bne", "branch", "x10 x11", ""),
    ("bgtz a0,.-4", "e34ea0fe", "blt", "branch", "x10", ""),
    ("ecall", "73000000", "ecall", "status", "", ""),
    ("ebreak", "73001000", "ebreak", "status", "", ""),
    ("fence", "0f00f00f", "fence", "barrier", "", ""),
    ("fence.i", "0f100000", "fence.i", "status", "", ""),
    ("csrr a0,mstatus", "73250030", "csrr", "status", "", "x10"),
    ("rdcycle a0", "732500c0", "counter", "status", "", "x10"),
    ("csrr a0,mcycle", "732500b0", "counter", "status", "", "x10"),
    ("csrw mstatus,a1", "73900530", "csrrw", "status", "x11", ""),
    ("csrs mstatus,a1", "73a00530", "csrrs", "status", "x11", ""),
    ("csrrci a0,mstatus,8", "73750430", "csrrc", "status", "", "x10"),
    ("csrrwi a0,mstatus,0", "73550030", "csrrw", "status", "", "x10"),
    ("c.lw a0,4(a1)", "c841", "lw", "load", "x11", "x10"),
    ("c.lwsp a0,8(sp)", "2245", "lw", "load", "x2", "x10"),
    ("c.sw a0,4(a1)", "c8c1", "sw", "store", "x10 x11", ""),
    ("c.swsp a0,8(sp)", "2ac4", "sw", "store", "x2 x10", ""),
    ("c.jal .-32", "c537", "jal", "branch-link", "", "x1"),
    ("c.j .+32", "05a0", "jal", "branch", "", ""),
    ("c.jr a0", "0285", "jalr", "branch-register", "x10", ""),
    ("c.jr ra", "8280", "jalr", "branch-register", "x1", ""),
    ("c.jalr a0", "0295", "jalr", "branch-register", "x10", "x1"),
    ("c.beqz a0,.-16", "65d9", "beq", "branch", "x10", ""),
    ("c.bnez a0,.+16", "01e9", "bne", "branch", "x10", ""),
    ("c.mv a0,a1", "2e85", "add", "alu", "x11", "x10"),
    ("c.add a0,a1", "2e95", "add", "alu", "x10 x11", "x10"),
    ("c.addi a0,3", "0d05", "addi", "alu", "x10", "x10"),
    ("c.addi16sp sp,32", "0561", "addi", "alu", "x2", "x2"),
    ("c.addi4spn a0,sp,16", "0808", "addi", "alu", "x2", "x10"),
    ("c.li a0,3", "0d45", "addi", "alu", "", "x10"),
    ("c.lui a0,3", "0d65", "lui", "alu", "", "x10"),
    ("c.nop", "0100", "addi", "nop", "", ""),
    ("c.slli a0,3", "0e05", "slli", "alu", "x10", "x10"),
    ("c.srli a0,3", "0d81", "srli", "alu", "x10", "x10"),
    ("c.srai a0,3", "0d85", "srai", "alu", "x10", "x10"),
    ("c.andi a0,3", "0d89", "andi", "alu", "x10", "x10"),
    ("c.and a0,a1", "6d8d", "and", "alu", "x10 x11", "x10"),
    ("c.sub a0,a1", "0d8d", "sub", "alu", "x10 x11", "x10"),
    ("c.xor a0,a1", "2d8d", "xor", "alu", "x10 x11", "x10"),
    ("c.or a0,a1", "4d8d", "or", "alu", "x10 x11", "x10"),
    ("c.ebreak", "0290", "ebreak", "status", "", ""),
]


def _one(code: str) -> Instruction:
    (instruction,) = decode(bytes.fromhex(code), 0x1000)
    return instruction


@pytest.mark.parametrize(
    ("assembly", "code", "name", "kind", "reads", "writes"), CASES, ids=[case[0] for case in CASES]
)
def test_name_kind_and_registers(
    assembly: str, code: str, name: str, kind: str, reads: str, writes: str
) -> None:
    one = _one(code)
    assert (one.name, one.kind) == (name, kind)
    assert one.size == len(code) // 2
    assert one.reads == set(reads.split())
    assert one.writes == set(writes.split())
    assert one.text
    assert one.conditional == assembly.removeprefix("c.").startswith("b")
    assert one.writes_pc == one.kind.startswith("branch")


@pytest.mark.parametrize(
    ("code", "width", "signed", "base", "offset"),
    [
        ("03254100", 4, False, "x2", 4),  # lw a0, 4(sp)
        ("83460700", 1, False, "x14", 0),  # lbu a3, 0(a4)
        ("83060700", 1, True, "x14", 0),  # lb a3, 0(a4)
        ("83160700", 2, True, "x14", 0),  # lh a3, 0(a4)
        ("83560700", 2, False, "x14", 0),  # lhu a3, 0(a4)
        ("a30eb6fe", 1, False, "x12", -3),  # sb a1, -3(a2)
        ("23a0b580", 4, False, "x11", -2048),  # sw a1, -2048(a1)
        ("c841", 4, False, "x11", 4),  # c.lw a0, 4(a1)
        ("2245", 4, False, "x2", 8),  # c.lwsp a0, 8(sp)
        ("c8c1", 4, False, "x11", 4),  # c.sw a0, 4(a1)
        ("2ac4", 4, False, "x2", 8),  # c.swsp a0, 8(sp)
    ],
)
def test_accesses(code: str, width: int, signed: bool, base: str, offset: int) -> None:
    one = _one(code)
    assert (one.access_bytes, one.signed, one.address_registers) == (
        width,
        signed,
        frozenset({base}),
    )
    assert one.immediate == offset


@pytest.mark.parametrize(
    ("code", "immediate"),
    [
        ("e30fb57e", 4094),  # beq a0, a1
        ("6300b580", -4096),  # beq a0, a1
        ("6ff0ff7f", 1048574),  # j
        ("6f000080", -1048576),  # j
        ("01f1", -256),  # c.bnez a0
        ("7ded", 254),  # c.bnez a0
        ("01b0", -2048),  # c.j
        ("fdaf", 2046),  # c.j
        ("1315f501", 31),  # slli a0, a0, 31
        ("13551540", 1),  # srai a0, a0, 1
        ("7d81", 31),  # c.srli a0, 31
        ("73250030", 0x300),  # csrr a0, mstatus
        ("13803500", None),  # addi zero, a1, 3
    ],
)
def test_branch_distances_and_shift_amounts(code: str, immediate: int | None) -> None:
    assert _one(code).immediate == immediate


def test_addresses_follow_sizes_and_gaps_are_left_out() -> None:
    code = bytes.fromhex("c84103254100ffff8280")
    found = [(one.address, one.size, one.name) for one in decode(code, 0x80)]
    assert found == [(0x80, 2, "lw"), (0x82, 4, "lw"), (0x88, 2, "jalr")]

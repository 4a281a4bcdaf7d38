# SPDX-License-Identifier: MIT
"""Decoder of RV32IM with Zba, and what its instructions compute.

Encodings: The RISC-V Instruction Set Manual, volume I, chapters RV32I and "M"; RISC-V
Bit-Manipulation ISA-extensions 1.0.0, Zba.  Divisions are refused: no core divides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

WORD = 0xFFFF_FFFF
Format = Literal["R", "I", "S", "B", "U", "J"]


def signed(value: int, bits: int = 32) -> int:
    """Sign-extend a value of that many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "sll": lambda a, b: a << (b & 31),
    "slt": lambda a, b: int(signed(a) < signed(b)),
    "sltu": lambda a, b: int(a < b),
    "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: signed(a) >> (b & 31),
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "mul": lambda a, b: a * b,
    "mulh": lambda a, b: signed(a) * signed(b) >> 32,
    "mulhsu": lambda a, b: signed(a) * b >> 32,
    "mulhu": lambda a, b: a * b >> 32,
    "sh1add": lambda a, b: (a << 1) + b,
    "sh2add": lambda a, b: (a << 2) + b,
    "sh3add": lambda a, b: (a << 3) + b,
}
"""Functions of two operands; the low 32 bits of the result are kept."""
CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "beq": lambda a, b: a == b,
    "bne": lambda a, b: a != b,
    "blt": lambda a, b: signed(a) < signed(b),
    "bge": lambda a, b: signed(a) >= signed(b),
    "bltu": lambda a, b: a < b,
    "bgeu": lambda a, b: a >= b,
}
LOADS = {"lb": (1, True), "lh": (2, True), "lw": (4, False), "lbu": (1, False), "lhu": (2, False)}
"""Bytes of a load, and whether it extends the sign."""
STORES = {"sb": 1, "sh": 2, "sw": 4}

_REGISTERS = {
    **dict(
        zip(
            [(0, 0), (32, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (32, 5), (0, 6), (0, 7)],
            ["add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and"],
            strict=True,
        )
    ),
    **{(1, at): name for at, name in enumerate(("mul", "mulh", "mulhsu", "mulhu"))},
    **{(16, 2 * n): f"sh{n}add" for n in (1, 2, 3)},
}
"""(funct7, funct3) of the opcode OP."""
_IMMEDIATES = {0: "add", 1: "sll", 2: "slt", 3: "sltu", 4: "xor", 5: "srl", 6: "or", 7: "and"}
_BRANCHES = {0: "beq", 1: "bne", 4: "blt", 5: "bge", 6: "bltu", 7: "bgeu"}
_LOADED = {0: "lb", 1: "lh", 2: "lw", 4: "lbu", 5: "lhu"}
_STORED = {0: "sb", 1: "sh", 2: "sw"}


@dataclass(frozen=True)
class Instruction32:
    """A decoded instruction."""

    name: str
    """Mnemonic, without the i of immediate forms."""
    form: Format
    rd: int
    rs1: int
    rs2: int
    immediate: int


def decode(word: int) -> Instruction32:
    """The instruction of a 32-bit word; ValueError for one that is not interpreted."""
    rd, funct3 = word >> 7 & 31, word >> 12 & 7
    rs1, rs2, funct7 = word >> 15 & 31, word >> 20 & 31, word >> 25
    upper, short = word & 0xFFFF_F000, signed(word >> 20, 12)
    match word & 127:
        case 0x33 if (funct7, funct3) in _REGISTERS:
            return Instruction32(_REGISTERS[funct7, funct3], "R", rd, rs1, rs2, 0)
        case 0x13:
            name = "sra" if funct3 == 5 and funct7 == 32 else _IMMEDIATES[funct3]
            return Instruction32(name, "I", rd, rs1, 0, rs2 if funct3 in (1, 5) else short)
        case 0x03 if funct3 in _LOADED:
            return Instruction32(_LOADED[funct3], "I", rd, rs1, 0, short)
        case 0x23 if funct3 in _STORED:
            return Instruction32(_STORED[funct3], "S", 0, rs1, rs2, signed(funct7 << 5 | rd, 12))
        case 0x63 if funct3 in _BRANCHES:
            return Instruction32(_BRANCHES[funct3], "B", 0, rs1, rs2, _branch(word))
        case 0x37 | 0x17:
            return Instruction32("lui" if word & 32 else "auipc", "U", rd, 0, 0, upper)
        case 0x6F:
            return Instruction32("jal", "J", rd, 0, 0, _jump(word))
        case 0x67:
            return Instruction32("jalr", "I", rd, rs1, 0, short)
        case _:
            raise ValueError(f"the instruction {word:#010x} is not interpreted here")


def _branch(word: int) -> int:
    high = (word >> 31) << 12 | (word >> 7 & 1) << 11
    return signed(high | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1, 13)


def _jump(word: int) -> int:
    high = (word >> 31) << 20 | (word >> 12 & 255) << 12
    return signed(high | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1, 21)

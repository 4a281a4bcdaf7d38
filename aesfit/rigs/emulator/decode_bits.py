# SPDX-License-Identifier: MIT
"""Decoder of the bit manipulation of RISC-V, "B" (Zba, Zbb and Zbs), which Capstone does not know.

Encodings: The RISC-V Instruction Set Manual, volume I, chapter "B" Extension for Bit Manipulation;
tracer/bits.c executes the same instructions.
"""

from .decode_riscv import decode_with
from .instruction import Instruction

_OF_TWO = {
    0x2000_2033: "sh1add",
    0x2000_4033: "sh2add",
    0x2000_6033: "sh3add",
    0x4000_4033: "xnor",
    0x4000_6033: "orn",
    0x4000_7033: "andn",
    0x0A00_4033: "min",
    0x0A00_5033: "minu",
    0x0A00_6033: "max",
    0x0A00_7033: "maxu",
    0x6000_1033: "rol",
    0x6000_5033: "ror",
    0x4800_1033: "bclr",
    0x4800_5033: "bext",
    0x6800_1033: "binv",
    0x2800_1033: "bset",
}
_BY_AMOUNT = {
    0x6000_5013: "rori",
    0x4800_1013: "bclri",
    0x4800_5013: "bexti",
    0x6800_1013: "binvi",
    0x2800_1013: "bseti",
}
_OF_ONE = {
    0x6000_1013: "clz",
    0x6010_1013: "ctz",
    0x6020_1013: "cpop",
    0x6040_1013: "sext.b",
    0x6050_1013: "sext.h",
    0x0800_4033: "zext.h",
    0x2870_5013: "orc.b",
    0x6980_5013: "rev8",
}
_FORMS = ((0xFFF0_707F, _OF_ONE), (0xFE00_707F, _BY_AMOUNT), (0xFE00_707F, _OF_TWO))
"""Bits of the encoding that are neither registers nor amounts, and names by those."""


def decode(code: bytes, address: int) -> list[Instruction]:
    """Decode RV32IMC code with "B"; half-words that begin no instruction are left out."""
    return decode_with(_instruction, code, address)


def _instruction(word: int, address: int) -> Instruction | None:
    for mask, names in _FORMS:
        name = names.get(word & mask)
        if name is not None:
            return _made(name, word, address)
    return None


def _made(name: str, word: int, address: int) -> Instruction:
    target, first, second = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    read = {first, second} if name in _OF_TWO.values() else {first}
    operands = [f"x{target}", f"x{first}"]
    if name in _OF_TWO.values():
        operands.append(f"x{second}")
    elif name in _BY_AMOUNT.values():
        operands.append(str(second))
    return Instruction(
        address=address,
        size=4,
        text=f"{name} {', '.join(operands)}",
        name=name,
        kind="alu",
        reads=frozenset(f"x{number}" for number in read if number),
        writes=frozenset({f"x{target}"} if target else ()),
    )

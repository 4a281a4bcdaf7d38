# SPDX-License-Identifier: MIT
"""Decoder of RV32IMC code: from bytes to instructions as timing rules see them.

Capstone finds the instructions and prints them.  Registers are derived here, from the encoding of
full instructions and from Capstone's operands of compressed ones, because its account of what an
instruction reads and writes is empty for RISC-V.  Encodings: The RISC-V Instruction Set Manual,
volume I, chapters RV32I, "M" and "C".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import capstone  # type: ignore[import-untyped]
from capstone.riscv import (  # type: ignore[import-untyped]
    RISCV_OP_IMM,
    RISCV_OP_MEM,
    RISCV_OP_REG,
    RISCV_REG_X0,
)

from .instruction import Instruction, Kind

_Format = Literal["R", "I", "shift", "S", "B", "U", "J", "none"]

_FORMATS: dict[_Format, str] = {
    "R": "add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem remu",
    "I": "addi slti sltiu xori ori andi lb lh lw lbu lhu jalr",
    "shift": "slli srli srai",
    "S": "sb sh sw",
    "B": "beq bne blt bge bltu bgeu",
    "U": "lui auipc",
    "J": "jal",
}
_FORMAT: dict[str, _Format] = {
    name: form for form, names in _FORMATS.items() for name in names.split()
}
_WIDTH = {"lb": 1, "lbu": 1, "sb": 1, "lh": 2, "lhu": 2, "sh": 2, "lw": 4, "sw": 4}
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("lb", "lbu", "lh", "lhu", "lw"), "load"),
    **dict.fromkeys(("sb", "sh", "sw"), "store"),
    **dict.fromkeys(("mulh", "mulhsu", "mulhu"), "multiply-long"),
    **dict.fromkeys(("div", "divu", "rem", "remu"), "divide"),
    **dict.fromkeys(_FORMATS["B"].split(), "branch"),
    "mul": "multiply",
    "jalr": "branch-register",
}

_COMPRESSED = {
    "addi4spn": "addi",
    "addi16sp": "addi",
    "li": "addi",
    "mv": "add",
    "lwsp": "lw",
    "swsp": "sw",
    "j": "jal",
    "jr": "jalr",
    "beqz": "beq",
    "bnez": "bne",
    "nop": "addi",
}
"""Compressed name without "c." -> name of the instruction it stands for, where they differ."""


_COUNTERS = (*range(0xB00, 0xBA0), *range(0xC00, 0xCA0))
"""Numbers of cycle, time, instret, the machine's own and their upper halves (privileged
architecture, chapter CSRs)."""


@dataclass(frozen=True, slots=True)
class _Fields:
    """Register numbers and the immediate; 0 is both x0 and no register."""

    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    immediate: int = 0


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _branch_offset(word: int) -> int:
    bits = (
        (word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1
    )
    return _signed(bits, 13)


def _jump_offset(word: int) -> int:
    high = (word >> 31) << 20 | (word >> 12 & 255) << 12
    return _signed(high | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1, 21)


def _full_fields(word: int, form: _Format) -> _Fields:
    rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    match form:
        case "R":
            return _Fields(rd, rs1, rs2)
        case "I":
            return _Fields(rd, rs1, immediate=_signed(word >> 20, 12))
        case "shift":
            return _Fields(rd, rs1, immediate=rs2)
        case "S":
            return _Fields(0, rs1, rs2, _signed(word >> 25 << 5 | rd, 12))
        case "B":
            return _Fields(0, rs1, rs2, _branch_offset(word))
        case "U":
            return _Fields(rd)
        case "J":
            return _Fields(rd, immediate=_jump_offset(word))
        case "none":
            return _Fields()


def _compressed_fields(one: capstone.CsInsn, form: _Format) -> _Fields:
    """Fields of the instruction that a compressed one stands for, from Capstone's operands."""
    registers = [at.reg - RISCV_REG_X0 for at in one.operands if at.type == RISCV_OP_REG]
    registers += [at.mem.base - RISCV_REG_X0 for at in one.operands if at.type == RISCV_OP_MEM]
    distances = (at.mem.disp for at in one.operands if at.type == RISCV_OP_MEM)
    immediates = (at.imm for at in one.operands if at.type == RISCV_OP_IMM)
    immediate = next(chain(distances, immediates), 0)
    first = registers[0] if registers else 0
    second = registers[1] if len(registers) > 1 else 0
    short = one.insn_name()[2:]
    match form:
        case "R":
            return _Fields(first, 0 if short == "mv" else first, second)
        case "S" | "B":
            base = second if form == "S" else first
            return _Fields(0, base, first if form == "S" else 0, immediate)
        case "J":
            return _Fields(int(short == "jal"), immediate=immediate)
        case "I" if short in ("jr", "jalr"):
            return _Fields(int(short == "jalr"), first)
        case "I" | "shift" if short not in ("lw", "lwsp", "addi4spn"):
            return _Fields(first, 0 if short == "li" else first, immediate=immediate)
        case _:
            return _Fields(first, second, immediate=immediate)


def _kind(name: str, fields: _Fields, text: str) -> Kind:
    if name not in _FORMAT:
        return "status"
    if name == "jal":
        return "branch-link" if fields.rd else "branch"
    if text in ("nop", "c.nop"):
        return "nop"
    return _KINDS.get(name, "alu")


def _of_the_system(one: capstone.CsInsn, word: int) -> Instruction | None:
    """A fence, or an access to a control and status register, by what it does.

    "csrr" alone reads: it sets or clears no bits.  The forms with a constant have the names of
    those with a register.  "counter" reads or writes what counts time, which nobody emulates.
    """
    rd, field, funct3 = word >> 7 & 31, word >> 15 & 31, word >> 12 & 7
    text = f"{one.mnemonic} {one.op_str}".strip()
    if word & 0x707F == 0x0F:
        return Instruction(one.address, 4, text, "fence", "barrier", frozenset(), frozenset())
    if word & 0x7F != 0x73 or not funct3 & 3:
        return None
    name = ("csrrw", "csrrs", "csrrc")[(funct3 & 3) - 1]
    if name != "csrrw" and not field:
        name = "csrr"
    return Instruction(
        address=one.address,
        size=4,
        text=text,
        name="counter" if word >> 20 in _COUNTERS else name,
        kind="status",
        reads=frozenset() if funct3 & 4 else _registers(field),
        writes=_registers(rd),
        immediate=word >> 20,
    )


def _instruction(one: capstone.CsInsn) -> Instruction:
    word = int.from_bytes(one.bytes, "little")
    if one.size == 4 and (found := _of_the_system(one, word)) is not None:
        return found
    name = one.insn_name()
    if one.size == 2:
        name = _COMPRESSED.get(name[2:], name[2:])
    form = _FORMAT.get(name, "none")
    fields = _full_fields(word, form) if one.size == 4 else _compressed_fields(one, form)
    text = f"{one.mnemonic} {one.op_str}".strip()
    kind = _kind(name, fields, text)
    conditional = form == "B"
    access = _WIDTH.get(name, 0)
    direct = form in ("B", "J", "shift") or access > 0
    return Instruction(
        address=one.address,
        size=one.size,
        text=text,
        name=name,
        kind=kind,
        reads=_registers(fields.rs1, fields.rs2),
        writes=_registers(fields.rd),
        address_registers=_registers(fields.rs1) if access else frozenset(),
        access_bytes=access,
        signed=name in ("lb", "lh"),
        conditional=conditional,
        writes_pc=conditional or form == "J" or name == "jalr",
        immediate=fields.immediate if direct else None,
    )


def _registers(*numbers: int) -> frozenset[str]:
    return frozenset(f"x{number}" for number in numbers if number)


def decode(code: bytes, address: int) -> list[Instruction]:
    """Decode RV32IMC code; half-words that begin no instruction are left out."""
    engine = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
    engine.detail = True
    engine.skipdata = True
    return [_instruction(one) for one in engine.disasm(code, address) if one.id]


def decode_with(
    own: Callable[[int, int], Instruction | None], code: bytes, address: int
) -> list[Instruction]:
    """The same with instructions that Capstone does not know: `own` makes them.

    It gets the word or half-word of each instruction and its address.
    """
    found: list[Instruction] = []
    start = 0
    for at, one in _found(own, code, address):
        found += decode(code[start:at], address + start)
        found.append(one)
        start = at + one.size
    return found + decode(code[start:], address + start)


def _found(
    own: Callable[[int, int], Instruction | None], code: bytes, address: int
) -> Iterator[tuple[int, Instruction]]:
    """Those of `own`, each with where it begins in the code."""
    at = 0
    while at + 2 <= len(code):
        size = 4 if code[at] & 3 == 3 else 2
        one = own(int.from_bytes(code[at : at + size], "little"), address + at)
        if one is not None:
            yield at, one
        at += size

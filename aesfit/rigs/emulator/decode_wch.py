# SPDX-License-Identifier: MIT
"""Decoder of RV32EC with WCH's own compressed accesses of bytes and half-words ("XW").

Each stands for a full instruction, as the others of RV32C do; tracer/wch.c, which executes them,
names the sources of the encodings.
"""

from dataclasses import replace

from .decode_riscv import decode as decode_others
from .decode_riscv import decode_with
from .instruction import Instruction

_LOAD, _STORE = 0x03, 0x23
_SP = 2


def decode(code: bytes, address: int) -> list[Instruction]:
    """Decode RV32EC code; half-words that begin no instruction are left out."""
    return decode_with(_instruction, code, address)


def full(half: int) -> int | None:
    """The full instruction that one of WCH's own stands for; None where it is none."""
    register = 8 + (half >> 2 & 7)
    if half & 0x6001 == 0x2000:
        wide, stores = half >> 1 & 1, half >> 15
        low, high = (half >> 5 & 3) << 1, half >> 10
        offset = low | ((high & 7) << 3 if wide else (high & 3) << 3 | high >> 2 & 1)
        return _access(stores, wide, register, 8 + (half >> 7 & 7), offset)
    if half & 0xF803 == 0x8000:
        wide, stores = half >> 5 & 1, half >> 6 & 1
        offset = (half >> 8 & 7) << 1 | (half >> 7 & 1) << 4 if wide else half >> 7 & 15
        return _access(stores, wide, register, _SP, offset)
    return None


def _access(stores: int, wide: int, register: int, base: int, offset: int) -> int:
    if not stores:
        return offset << 20 | base << 15 | (4 + wide) << 12 | register << 7 | _LOAD
    placed = offset >> 5 << 25 | (offset & 31) << 7
    return placed | register << 20 | base << 15 | wide << 12 | _STORE


def _instruction(word: int, address: int) -> Instruction | None:
    stands_for = full(word)
    if stands_for is None:
        return None
    (one,) = decode_others(stands_for.to_bytes(4, "little"), address)
    of_stack = "sp" if word & 0xF803 == 0x8000 else ""
    operands = one.text.partition(" ")[2]
    return replace(one, size=2, text=f"xw.c.{one.name}{of_stack} {operands}")

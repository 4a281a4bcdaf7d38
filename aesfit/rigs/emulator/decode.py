# SPDX-License-Identifier: MIT
"""Decodes the blocks of a profile, whatever the architecture."""

from collections.abc import Callable, Iterable
from functools import partial

from ...platforms.platform import Isa
from ..profile import Block, merged
from . import decode_arm, decode_bits, decode_riscv, decode_wch
from .instruction import Instruction

Read = Callable[[int, int], bytes]
"""Memory at (address, bytes)."""

Decode = Callable[[bytes, int], list[Instruction]]


def decode_blocks(read: Read, blocks: Iterable[Block], isa: Isa) -> dict[int, Instruction]:
    """Every instruction of the blocks by address.

    Blocks that touch are decoded as one, because an IT instruction and those that it governs may
    lie in two blocks.
    """
    decode = _decoder(isa)
    found: dict[int, Instruction] = {}
    for start, end in merged(blocks):
        found |= {one.address: one for one in decode(read(start, end - start), start)}
    return found


def _decoder(isa: Isa) -> Decode:
    match isa:
        case "armv4t":
            return partial(decode_arm.decode, thumb=False)
        case "armv6-m" | "armv7-m" | "armv7e-m":
            return partial(decode_arm.decode, thumb=True, mclass=True)
        case "armv8-m.main":
            return partial(decode_arm.decode, thumb=True, mclass=True, v8=True)
        case "rv32i" | "rv32im":
            return decode_riscv.decode
        case "rv32ec":
            return decode_wch.decode
        case "rv32imb":
            return decode_bits.decode
        case _:
            raise ValueError(f"instructions of {isa} are not decoded here")

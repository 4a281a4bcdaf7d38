# SPDX-License-Identifier: MIT
"""Prices the caller's call instruction, which published figures often include."""

from ..jobs.job import Placement
from ..platforms.platform import Isa
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.instruction import Instruction
from ..rigs.emulator.timing.model import Step, TimingModel, Window
from ..rigs.profile import Block

_AT = 0
"""Address of the call, word-aligned."""


def _encoding(isa: Isa) -> bytes:
    """BL, or JAL with the link register; the target is arbitrary, only kind and size matter."""
    match isa:
        case "armv4t":
            return bytes.fromhex("000000eb")
        case "rv32i" | "rv32im" | "rv32ec" | "rv32imb":
            return bytes.fromhex("ef000000")
        case _:
            return bytes.fromhex("00f000f8")


def call_cycles(
    model: TimingModel, isa: Isa, first: Instruction, placement: Placement | None = None
) -> int:
    """Cycles of the instruction that calls a function, whose first instruction is given.

    What runs before it is unknown.
    """
    code = _encoding(isa)
    call = decode_blocks(lambda *_: code, [Block(_AT, len(code))], isa)[_AT]
    window = Window(Step(call, True, first, True), ())
    wait = (placement.flash_wait or 0) if placement else 0
    waits = wait * (model.fetches(window) if model.fetches else 0)
    return model.price(window) + waits

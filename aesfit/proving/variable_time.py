# SPDX-License-Identifier: MIT
"""Instructions whose time depends on their operands.

It is the instruction that decides, not the operations that it is lifted to: SEL, for one, is lifted
as a multiplication.  The timing model of an emulated platform says which they are.  On x86-64 they
are the divisions, which Intel's list of instructions with data operand independent timing lacks.
"""

from collections.abc import Callable
from importlib import import_module

from ..platforms.platform import Platform, counted
from ..rigs import emulator
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.timing.model import TimingModel
from ..rigs.profile import Block
from .image import ProofImage
from .lifter import Lifted

_X86 = ("div", "idiv")


def timing_module(platform: Platform) -> str:
    """Name of the module that says which instructions take a variable time there."""
    timing = counted(platform).timing
    return f"{emulator.__name__}.timing.{timing}" if timing else __name__


def timed_on(platform: Platform, image: ProofImage) -> Callable[[Lifted], bool]:
    """Whether an instruction of the image takes a time there that depends on its operands."""
    if platform.isa == "x86-64":
        return lambda lifted: lifted.text.split(" ")[0] in _X86
    model: TimingModel = import_module(timing_module(platform)).MODEL

    def read(address: int, size: int) -> bytes:
        piece = image.piece(address)
        assert piece is not None  # noqa: S101 - the instruction was executed there
        return piece[1][address - piece[0] : address - piece[0] + size]

    def timed(lifted: Lifted) -> bool:
        block = Block(lifted.address, lifted.size)
        known = decode_blocks(read, [block], platform.isa)
        return any(one.kind in model.variable_time for one in known.values())

    return timed

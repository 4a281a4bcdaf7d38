# SPDX-License-Identifier: MIT
"""Instructions whose time depends on their operands.

It is the instruction that decides, not the operations that it is lifted to: SEL, for one, is lifted
as a multiplication.  The timing model of the platform says which they are.
"""

from collections.abc import Callable
from importlib import import_module

from ..platforms.platform import Platform
from ..rigs import emulator
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.timing.model import TimingModel
from ..rigs.profile import Block
from .image import ProofImage
from .lifter import Lifted


def timing_module(platform: Platform) -> str:
    """Name of the module that holds the platform's timing model."""
    return f"{emulator.__name__}.timing.{platform.timing}"


def timed_on(platform: Platform, image: ProofImage) -> Callable[[Lifted], bool]:
    """Whether an instruction of the image takes a time there that depends on its operands."""
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

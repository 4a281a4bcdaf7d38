# SPDX-License-Identifier: MIT
"""Blocks of cores compiled with experiment macros, to remove one cause at a time."""

from aesfit.platforms.find import platform_named

from ..instruction_counts.block_run import Arrangement, BlockQuestion, BlockRun
from ..instruction_counts.block_run import run as run_block
from ..instruction_counts.operation_model import Direction

DIRECTIONS: tuple[Direction, ...] = ("encrypt", "decrypt")
AS_PRINTED_MACRO = "AESFIT_AS_PRINTED"
"""Macro that gives an on-the-fly core the steps that the paper prints."""


def one_block(
    platform: str,
    core: str,
    direction: Direction = "encrypt",
    defined: tuple[str, ...] = (),
    arranged: Arrangement = bytes,
    level: str | None = None,
) -> BlockRun:
    """A block of AES-128, run and checked; `defined` are the core's macros for experiments.

    `level`: of the compiler; None: the platform's own flags.
    """
    flags = None if level is None else (level,)
    asked = BlockQuestion(platform_named(platform), core, 128, 10, flags)
    return run_block(asked, direction, tuple(f"-D{macro}" for macro in defined), arranged)


def by_rows(block: bytes) -> bytes:
    """Macro to read a block row by row: the transposed form without the transposition."""
    return b"".join(block[row::4] for row in range(4))


def block_cycles(ran: BlockRun) -> int:
    """Cycles of the block, without key set-up."""
    return ran.cycles(ran.block.profile)


def accesses(ran: BlockRun) -> int:
    """Loads and stores of data in the block."""
    return ran.block.loads + ran.block.stores

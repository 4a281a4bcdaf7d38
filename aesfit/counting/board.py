# SPDX-License-Identifier: MIT
"""Cycles of a function of any ELF file on a board, by the board's own counter."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .._native import version as __version__
from ..errors import ArgumentError
from ..jobs.job import Provenance
from ..platforms.boards import BoardPlatform, check_waits
from ..platforms.platform import Platform
from ..rigs import why_not
from ..rigs.board.machine import BoardExecution, BoardMachine
from ..rigs.board.rig import NoCyclesError
from ..rigs.board.session import session_of
from ..rigs.rig import RigUnavailableError
from .arguments import Argument, symbols
from .call import place, window, written
from .foreign import Function, function_in

CallsOnBoard = tuple[list[BoardExecution], dict[int, bytes], Provenance, tuple[str, ...]]
"""The calls, their outputs by argument position, what was counted, and warnings."""


def calls_on_board(
    platform: BoardPlatform,
    files: Sequence[Path],
    function: str,
    arguments: Sequence[Argument],
    repeat: int,
) -> CallsOnBoard:
    """Call a function as often as asked; NoCyclesError if the board cannot count cycles."""
    if reason := why_not(platform):
        raise RigUnavailableError(reason)
    named = symbols(arguments)
    with function_in(_linked_for(platform), files, function, named) as called:
        machine = BoardMachine(session_of(platform), called.image)
        if machine.counter is None:
            raise NoCyclesError(f"no cycles can be counted: {machine.why_no_cycles}")
        machine.watches_stack = True
        values, places = place(machine, arguments)
        calls = [machine.call(called.address, *values) for _ in range(repeat)]
        left = written(machine, arguments, places)
        told = _provenance(platform, called, machine, calls[-1].result)
        return calls, left, told, called.warnings


def check_options(platform: BoardPlatform, flash_wait: int | None, include_call: bool) -> None:
    """Raise ValueError for options that only a model supports."""
    check_waits(platform, flash_wait)
    if include_call:
        raise ArgumentError("on a board an empty call is subtracted; leave {include_call} out")


def _linked_for(platform: BoardPlatform) -> Platform:
    """Where objects are linked: code in the lower half of RAM, unless flash is written."""
    if platform.board.write_flash:
        return platform
    ram = platform.memory("ram")
    half = ram.size // 2
    code = replace(ram, name="flash", size=half)
    data = replace(ram, start=ram.start + half, size=ram.size - half)
    return replace(platform, memories=(code, data))


def _provenance(
    platform: BoardPlatform, called: Function, machine: BoardMachine, result: int
) -> Provenance:
    told = window(called, result)
    return Provenance(
        sources_sha256=called.files_sha256,
        platform_sha256=platform.sha256,
        timing_sha256="",
        compiler=called.compiler,
        flags="",
        rig=f"board, {machine.counter_title}",
        version=__version__,
        window=f"{told}; an empty call subtracted, so without the return; interrupts off",
        memory="; ".join((f"on {platform.title}", *machine.session.settings())),
        clock=f"cycles by {machine.counter_title}",
    )

# SPDX-License-Identifier: MIT
"""Counts any function of any ELF file of a platform's architecture, a user's own AES included."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .._native import version as __version__
from ..jobs.job import Placement, Provenance
from ..measuring.flat import FlatRow
from ..platforms.platform import Platform, platforms
from ..rigs import why_not
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.evidence import model_sha256
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.machine import why_not as machine_why_not
from ..rigs.emulator.rig import timing_model
from ..rigs.emulator.timing.model import cycles
from ..rigs.profile import Execution
from ..rigs.rig import RigUnavailableError
from .arguments import LIMIT, Argument, Buffer, outputs
from .call import place, window
from .caller import call_cycles
from .elf import DAMAGE
from .foreign import Function, function_in


@dataclass(frozen=True)
class Count:
    """What a call of a function cost; of several calls, the last one."""

    cycles: int
    instructions: int
    loads: int
    stores: int
    stack_bytes: int
    result: int
    """What it returned, as an unsigned word."""
    outputs: dict[int, bytes]
    """By position of the argument, from 1."""
    runs: tuple[int, ...]
    """Cycles of every call."""
    provenance: Provenance
    warnings: tuple[str, ...] = ()
    """What the user should know before trusting the figures, a sentence each."""

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """One flat mapping, without what was written to memory."""
        told = asdict(self)
        facts = told.pop("provenance")
        del told["outputs"], told["runs"], told["warnings"]
        return ({**told, **facts},)

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys; outputs in the order of the arguments, in hex.

        `runs` when there were several; what the function returned is in the provenance.
        """
        told = asdict(self)
        del told["result"], told["runs"]
        told["outputs"] = [content.hex() for content in self.outputs.values()]
        told["warnings"] = list(self.warnings)
        return told | ({"runs": list(self.runs)} if len(self.runs) > 1 else {})


def count(
    platform: Platform,
    files: Sequence[Path],
    function: str,
    arguments: Sequence[Argument],
    *,
    repeat: int = 1,
    flash_wait: int | None = None,
    limit: int = LIMIT,
    include_call: bool = False,
) -> Count:
    """Call `function` of the linked `files` and count; memory persists from call to call.

    `limit` is the most instructions of one call.  With `include_call` the caller's call instruction
    is counted too, as it is in many published figures.

    ValueError: what was asked for makes no sense.  RuntimeError: it did not run to its end, or did
    what the timing model has no rule for.

    Where the processor's Verilog is simulated, cycles are its own, and caches stay as a call left
    them, empty before the first; all else is the emulator's.
    """
    simulated = platform.rig == "rtl"
    own = int(platform.memory("flash").wait_states.value) if simulated else 0
    placement = Placement(flash_wait=own if flash_wait is None else flash_wait)
    _can(platform, placement, include_call)
    with function_in(platform, files, function) as called:
        ran = _run(platform, called, arguments, repeat, limit)
        if simulated:
            from .rtl import cycles_of, provenance_of  # needs what only this rig needs

            priced = cycles_of(platform, called, arguments, placement, ran.seen, ran.outputs)
            provenance = provenance_of(platform, called, placement, ran.seen[-1].result)
        else:
            priced = _priced(platform, ran.machine, called, ran.seen, placement, include_call)
            told = window(called, ran.seen[-1].result, include_call=include_call)
            provenance = _provenance(platform, called, placement, told)
    return _counted(ran, priced, provenance, called.warnings, include_call)


@dataclass(frozen=True)
class _Run:
    """All calls of a function in one machine."""

    machine: Machine
    seen: Sequence[Execution]
    outputs: dict[int, bytes]
    """As Count has them."""


def _run(
    platform: Platform, called: Function, arguments: Sequence[Argument], repeat: int, limit: int
) -> _Run:
    machine = _loaded(platform, called)
    values, places = place(machine, arguments)
    seen = [machine.call(called.address, *values, limit=limit) for _ in range(repeat)]
    written = {
        at + 1: machine.read(places[at], _length(arguments[at])) for at in outputs(arguments)
    }
    return _Run(machine, seen, written)


def _counted(
    ran: _Run,
    priced: tuple[int, ...],
    provenance: Provenance,
    warnings: tuple[str, ...],
    include_call: bool,
) -> Count:
    last = ran.seen[-1]
    return Count(
        cycles=priced[-1],
        instructions=last.instructions + include_call,
        loads=last.loads,
        stores=last.stores,
        stack_bytes=last.stack_bytes,
        result=last.result,
        outputs=ran.outputs,
        runs=priced,
        provenance=provenance,
        warnings=warnings,
    )


def _can(platform: Platform, placement: Placement, include_call: bool) -> None:
    if platform.rig == "rtl":
        if include_call:
            raise ValueError(
                f"on {platform.name} the call is made by the simulation, whose window begins at "
                "the function's first instruction; leave --include-call out"
            )
        reason = why_not(platform)
        if reason:
            raise RigUnavailableError(reason)
        return
    if platform.rig != "emulator":
        names = ", ".join(one.name for one in platforms() if one.rig in ("emulator", "rtl"))
        raise ValueError(
            f"{platform.name} has no timing model, so single calls cannot be counted; "
            f"choose an emulated platform: {names}"
        )
    if placement.flash_wait and timing_model(platform).fetches is None:
        raise ValueError(f"the timing model of {platform.name} does not cover flash wait states")
    missing = machine_why_not()
    if missing:
        raise RigUnavailableError(missing)


def _loaded(platform: Platform, called: Function) -> Machine:
    try:
        return Machine(called.image, platform)
    except DAMAGE:
        raise ValueError(f"{called.image} is damaged: it cannot be loaded") from None


def _length(argument: Argument) -> int:
    return len(argument.content) if isinstance(argument, Buffer) else 0


def _priced(
    platform: Platform,
    machine: Machine,
    called: Function,
    seen: Sequence[Execution],
    placement: Placement,
    include_call: bool,
) -> tuple[int, ...]:
    blocks = {block for one in seen for block in one.profile.blocks}
    if platform.isa == "armv4t" and any(machine.thumb_at(block.address) for block in blocks):
        raise RuntimeError(
            f"{called.name} runs Thumb code, and the timing model of {platform.name} covers ARM "
            f"state alone; compile it with {' '.join(platform.compiler.target)}"
        )
    model = timing_model(platform)
    try:
        instructions = decode_blocks(machine.code, blocks, platform.isa)
        call = 0
        if include_call:
            first = instructions[called.address & ~1]
            call = call_cycles(model, platform.isa, first, placement)
        return tuple(call + cycles(model, one.profile, instructions, placement) for one in seen)
    except ValueError as error:  # of what was executed, not of what was asked for
        raise RuntimeError(f"{called.name} cannot be priced: {error}") from None


def _provenance(
    platform: Platform, called: Function, placement: Placement, told: str
) -> Provenance:
    wait = placement.flash_wait
    assumptions = timing_model(platform).assumptions
    return Provenance(
        sources_sha256=called.files_sha256,
        platform_sha256=platform.sha256,
        timing_sha256=model_sha256(platform.timing or ""),
        compiler=called.compiler,
        flags="",
        rig="emulator",
        version=__version__,
        window=told,
        memory=f"{wait} flash wait states; otherwise: {assumptions}" if wait else assumptions,
    )

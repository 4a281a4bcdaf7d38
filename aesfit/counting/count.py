# SPDX-License-Identifier: MIT
"""Counts any function of any ELF file of a platform's architecture, a user's own AES included."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import units
from .._native import version as __version__
from ..errors import ArgumentError
from ..jobs.job import Placement, Provenance
from ..measuring.flat import FlatRow
from ..platforms.boards import BoardPlatform
from ..platforms.find import platforms
from ..platforms.platform import Platform
from ..rigs import why_not
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.evidence import model_sha256
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.machine import why_not as machine_why_not
from ..rigs.emulator.recording import Recorded
from ..rigs.emulator.rig import timing_model
from ..rigs.rig import RigUnavailableError
from ..units import five_lines
from .arguments import LIMIT, Argument, symbols
from .board import calls_on_board, check_options
from .call import place, window, written
from .elf import DAMAGE
from .foreign import Function, function_in
from .price import Priced, depends_told, price, refuse_waits
from .spending import Spending, spending

Look = Callable[[Path, Spending], None]


@dataclass(frozen=True, repr=False)
class Count:
    """The cost of a call of a function; of the last one if there are several."""

    cycles: int
    """Cycles; on a chip, the middle over placements of the code in a line of flash.  Instructions
    of which a range of cycles is known count at its upper end."""
    instructions: int | None
    """None on a board, which cannot count them; the same for loads and stores."""
    loads: int | None
    stores: int | None
    stack_bytes: int
    result: int
    """The returned value, as an unsigned word."""
    outputs: dict[int, bytes]
    """Outputs by argument position, from 1."""
    runs: tuple[int, ...]
    """Cycles of every call."""
    provenance: Provenance
    cycles_min: int | None = None
    """Cycles at the best placement of the code, with instructions at the lower end of their range;
    None if there is neither a chip nor a range."""
    cycles_max: int | None = None
    warnings: tuple[str, ...] = ()
    """What the user should know before trusting the figures, a sentence each."""

    def __repr__(self) -> str:
        """The figures."""
        told = [f"stack: {units.count(self.stack_bytes)} bytes", f"result: {self.result:#x}"]
        told += [f"calls: {len(self.runs)}"] if len(self.runs) > 1 else []
        return five_lines(f"Count: {units.count(self.cycles)} cycles", [*told, *self.warnings])

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """One flat mapping, without what was written to memory."""
        told = asdict(self)
        facts = told.pop("provenance")
        del told["outputs"], told["runs"], told["warnings"]
        return ({**told, **facts},)

    def as_json(self) -> dict[str, Any]:
        """Plain values with the stable keys; outputs in the order of the arguments, in hex.

        `runs` is present for several calls; the returned value is in the provenance.
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
    look: Look | None = None,
) -> Count:
    """Call `function` of the linked `files` and count; memory persists from call to call.

    `limit` is the most instructions of one call.  With `include_call` the caller's call instruction
    is counted too, as in many published figures.  `look` is called with the linked image, before it
    is deleted, and with where the last call's cycles went.

    ValueError: the request makes no sense.  RuntimeError: the call did not run to its end, or did
    something that the timing model has no rule for.  If the processor's Verilog is simulated,
    cycles come from the simulation, in which caches are empty before the first call and keep their
    contents between calls; the rest comes from the emulator.
    """
    if look is not None:
        check_explained(platform, include_call)
    if isinstance(platform, BoardPlatform):
        return _on_board(platform, files, function, arguments, repeat, flash_wait, include_call)
    check_countable(platform, include_call)
    placement = placed(platform, flash_wait)
    if platform.rig != "rtl":
        refuse_waits(platform, placement)
    with function_in(platform, files, function, symbols(arguments)) as called:
        ran = _run(platform, called, arguments, repeat, limit)
        if platform.rig == "rtl":
            return _by_rtl(platform, called, arguments, placement, ran)
        priced = price(platform, ran.machine, called, ran.calls, placement, include_call)
        told = _provenance(platform, called, ran, priced, include_call)
        if look is not None:
            look(called.image, _spent(platform, ran, priced.runs[-1]))
        return _counted(ran, priced, told, _warnings(platform, called, ran), include_call)


def _by_rtl(
    platform: Platform,
    called: Function,
    arguments: Sequence[Argument],
    placement: Placement,
    ran: "_Run",
) -> Count:
    """Take cycles from the simulated processor, and everything else from the emulator."""
    from .rtl import cycles_of, provenance_of  # needs what only this rig needs

    seen = [one.execution for one in ran.calls]
    counts = cycles_of(platform, called, arguments, placement, seen, ran.outputs)
    told = provenance_of(platform, called, placement, seen[-1].result)
    notes = _warnings(platform, called, ran)
    return _counted(ran, Priced(counts, ""), told, notes, include_call=False)


def _warnings(platform: Platform, called: Function, ran: "_Run") -> tuple[str, ...]:
    depends = depends_told(platform, ran.machine, called, ran.calls[-1])
    return tuple(filter(None, (*called.warnings, depends)))


def _on_board(
    platform: BoardPlatform,
    files: Sequence[Path],
    function: str,
    arguments: Sequence[Argument],
    repeat: int,
    flash_wait: int | None,
    include_call: bool,
) -> Count:
    """Take cycles from the board's counter; nothing else is known there."""
    check_options(platform, flash_wait, include_call)
    calls, left, told, warnings = calls_on_board(platform, files, function, arguments, repeat)
    runs = tuple(one.cycles or 0 for one in calls)
    return Count(
        cycles=runs[-1],
        instructions=None,
        loads=None,
        stores=None,
        stack_bytes=calls[-1].stack_bytes,
        result=calls[-1].result,
        outputs=left,
        runs=runs,
        provenance=told,
        warnings=warnings,
    )


def placed(platform: Platform, flash_wait: int | None = None) -> Placement:
    """The platform's placement in memory, with the given wait states."""
    own = int(platform.memory("flash").wait_states.value)
    return Placement(flash_wait=own if flash_wait is None else flash_wait)


@dataclass(frozen=True)
class _Run:
    """Execute all calls of a function in one machine."""

    machine: Machine
    calls: Sequence[Recorded]
    outputs: dict[int, bytes]
    """As Count has them."""


def _run(
    platform: Platform, called: Function, arguments: Sequence[Argument], repeat: int, limit: int
) -> _Run:
    machine = loaded(platform, called)
    values, places = place(machine, arguments)
    record = platform.memory("flash").interface is not None
    calls = []
    for _ in range(repeat):
        done = machine.call(called.address, *values, limit=limit, record=record)
        calls.append(Recorded(done, machine.records(), machine.order()))
    return _Run(machine, calls, written(machine, arguments, places))


def _counted(
    ran: _Run,
    priced: Priced,
    provenance: Provenance,
    warnings: tuple[str, ...],
    include_call: bool,
) -> Count:
    last = ran.calls[-1].execution
    return Count(
        cycles=priced.runs[-1],
        instructions=last.instructions + include_call,
        loads=last.loads,
        stores=last.stores,
        stack_bytes=last.stack_bytes,
        result=last.result,
        outputs=ran.outputs,
        runs=priced.runs,
        provenance=provenance,
        cycles_min=priced.least,
        cycles_max=priced.most,
        warnings=warnings,
    )


def check_explained(platform: Platform, include_call: bool = False) -> None:
    """Raise ValueError if cycles are not sums over priced instructions."""
    if include_call:
        raise ArgumentError(
            "the caller's call instruction cannot be listed; leave {include_call} out, or {why} "
            "and {annotate}"
        )
    if platform.rig != "emulator":
        raise ArgumentError(
            "where cycles go is known on emulated platforms alone, and {} is none; leave {why} and "
            "{annotate} out",
            platform.name,
        )


def _spent(platform: Platform, ran: _Run, cycles: int) -> Spending:
    """Where the cycles of the last call went."""
    profile = ran.calls[-1].execution.profile
    instructions = decode_blocks(ran.machine.code, profile.blocks, platform.isa)
    return spending(timing_model(platform), [profile], instructions).with_total(cycles)


def check_countable(platform: Platform, include_call: bool = False) -> None:
    """Raise ValueError or RigUnavailableError if single calls cannot be counted."""
    if platform.rig == "rtl":
        if include_call:
            raise ArgumentError(
                "on {} the call is made by the simulation, whose window begins at the function's "
                "first instruction; leave {include_call} out",
                platform.name,
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
    missing = machine_why_not()
    if missing:
        raise RigUnavailableError(missing)


def loaded(platform: Platform, called: Function) -> Machine:
    """A machine loaded with the function."""
    try:
        return Machine(called.image, platform)
    except DAMAGE:
        raise ValueError(f"{called.image} is damaged: it cannot be loaded") from None


def _provenance(
    platform: Platform, called: Function, ran: _Run, priced: Priced, include_call: bool
) -> Provenance:
    result = ran.calls[-1].execution.result
    return Provenance(
        sources_sha256=called.files_sha256,
        platform_sha256=platform.sha256,
        timing_sha256=model_sha256(platform.timing or ""),
        compiler=called.compiler,
        flags="",
        rig="emulator",
        version=__version__,
        window=window(called, result, include_call=include_call),
        memory=priced.memory,
    )

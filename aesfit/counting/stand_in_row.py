# SPDX-License-Identifier: MIT
"""Measures a user's function in place of a core: runs it, checks its output, prices it.

It is run like the library's cores (rigs/firing.py), with the same messages and secrets; every
output is compared with the host's library.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from .._native import version as __version__
from ..building.unit import core_named
from ..errors import ArgumentError
from ..jobs import message
from ..jobs.job import Job, Provenance, Row
from ..jobs.message import MODES
from ..jobs.secrecy import Secrecy
from ..platforms.platform import Platform
from ..platforms.uniform import why_addresses_show
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.evidence import model_sha256
from ..rigs.emulator.machine import Machine, MachineError
from ..rigs.emulator.memory.replay import flash_of
from ..rigs.emulator.recording import Recorded, Recording
from ..rigs.emulator.rig import RUNS, timing_model
from ..rigs.emulator.stalls import COLD, Stalls, has_caches, stalls_of
from ..rigs.firing import Firing, WrongOutputError, firing_of
from ..rigs.profile import Execution
from ..rigs.secrecy import Observation, judge, observe
from .bound import BoundImage, bound_image
from .foreign import Function
from .price import Priced, price
from .stand_in import StandIn

_LOAD = 1
"""The kind of a load in Machine.records()."""


def check_question(platform: Platform, mode: str, *, decrypts: bool, title: str) -> None:
    """Raise ValueError if a function that encrypts a block cannot answer the question.

    `decrypts`: the firmware must decrypt too.
    """
    if platform.rig != "emulator":
        raise ArgumentError(
            "{} can be ranked on emulated platforms alone, and {} is none; leave {also} out, or "
            "count it with: aesfit count",
            title,
            platform.name,
        )
    if mode not in MODES:
        raise ArgumentError(
            "{} is ranked in the modes of operation, not in bursts of the block cipher; take "
            "{mode} block {encrypt_only} without bursts, or aesfit predict {elf} for bursts",
            title,
        )
    if decrypts and MODES[mode].inverse:
        free = ", ".join(name for name, shape in MODES.items() if not shape.inverse)
        raise ArgumentError(
            "{} encrypts blocks, and {} decrypts with the inverse cipher; add {encrypt_only}, or "
            "take one of {}",
            title,
            mode,
            free,
        )


class Foreign(Protocol):
    """Code that is none of the library's."""

    @property
    def title(self) -> str:
        """How its row is called."""

    @property
    def told(self) -> str:
        """How it is called, in words."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The objects, one at least."""

    @property
    def context_bytes(self) -> int:
        """Of the expanded key; 0 where nobody says."""


def row_of(job: Job, one: StandIn) -> tuple[Row, tuple[str, ...]]:
    """The row of a job with a mode, and what the user should know about the files.

    WrongOutputError if it does not compute AES; RuntimeError if it does not run.
    """
    job = replace(job, core=one.title)
    try:
        return foreign_row(job, one, partial(bound_image, one=one))
    except WrongOutputError:
        raise WrongOutputError(_wrong(job, one)) from None


def foreign_row(
    job: Job, one: Foreign, image: Callable[[Job], BoundImage]
) -> tuple[Row, tuple[str, ...]]:
    """The row of a job whose images `image` builds; errors and warnings as row_of() has them."""
    bound = image(job)
    firing = firing_of(job)
    run = bound if firing.job == job else image(firing.job)
    machine = Machine(run.elf, job.platform)
    try:
        seen = _seen(job, machine, firing, one)
    except MachineError as error:
        raise RuntimeError(f"{one.title}, called as {one.told}: {error}") from None
    return _row(job, one, bound, seen), bound.warnings


def _wrong(job: Job, one: StandIn) -> str:
    return (
        f"{one.title} does not compute AES-{job.key_bits}: called as {one.told} ({job.mode} may "
        "give the same place for in and out), its output differs from the library's; check the "
        "order of its arguments and its key size"
    )


@dataclass(frozen=True)
class _SecretRun:
    """One run with the secrets of a given number."""

    executions: Sequence[Execution]
    """Calls inside the window."""
    priced: Sequence[Priced]
    observed: Observation
    from_flash: str
    """Digest of the addresses of data reads from flash; empty if they were not recorded."""


@dataclass(frozen=True)
class _SecretRuns:
    """Runs with different secrets."""

    runs: Sequence[_SecretRun]
    stalls: Stalls | None
    """Cache statistics of the first run, on platforms whose caches are simulated."""
    context_bytes: int
    """RAM of the expanded key."""


def _seen(job: Job, machine: Machine, firing: Firing, one: Foreign) -> _SecretRuns:
    runs = [_run(job, machine, firing, one, number) for number in range(RUNS)]
    cached = has_caches(job.platform)
    stalls = stalls_of(machine, firing, 0, runs[0].observed.cycles) if cached else None
    context = machine.read(machine.symbol("rig_context_bytes"), 4)
    return _SecretRuns(runs, stalls, int.from_bytes(context, "little"))


def _run(job: Job, machine: Machine, firing: Firing, one: Foreign, number: int) -> _SecretRun:
    calls = _fired(job, machine, firing, number)
    executions = [call.execution for call in calls]
    called = Function(one.title, one.files[0], 0, "", "")
    priced = [price(job.platform, machine, called, [call], job.placed) for call in calls]
    blocks = {block for execution in executions for block in execution.profile.blocks}
    instructions = decode_blocks(machine.code, blocks, job.platform.isa)
    work = observe(executions, lambda _: 0, {}, timing_model(job.platform), instructions)
    observed = replace(work, cycles=sum(each.runs[0] for each in priced))
    return _SecretRun(executions, priced, observed, _from_flash(machine, calls))


def _fired(job: Job, machine: Machine, firing: Firing, number: int) -> list[Recorded]:
    """The calls; recorded if a flash is replayed, which needs the order of all accesses."""
    wait = job.placed.flash_wait or 0
    if flash_of(job.platform, wait, timing_model(job.platform), machine.flash) is None:
        return [Recorded(done, b"", b"") for done in firing.fire(machine, number)]
    recording = Recording(machine)
    firing.fire(recording, number)
    return [recording.heard[name] for name in firing.window]


def _from_flash(machine: Machine, calls: Sequence[Recorded]) -> str:
    """Digest of the addresses of data reads from flash, in order."""
    import numpy as np  # start-up time

    layout = np.dtype([("address", "<u4"), ("size", "<u2"), ("kind", "<u2")])
    found = sha256()
    for call in calls:
        records = np.frombuffer(call.records, layout)
        loads = records["address"][records["kind"] == _LOAD].astype(np.int64)
        for start, size in machine.flash:
            found.update(loads[(loads >= start) & (loads < start + size)].tobytes())
    return found.hexdigest() if any(call.records for call in calls) else ""


def _secrecy(job: Job, runs: Sequence[_SecretRun]) -> Secrecy:
    """Judged by its runs, since no claim exists for a user's function.

    Reads of flash count as visible if their addresses differed, or if they were not recorded.
    """
    waits, platform = job.placed.flash_wait or 0, job.platform
    seen = {run.from_flash for run in runs}
    homes = {platform.home("data").name} | ({"flash"} if len(seen) > 1 or "" in seen else set())
    show = any(why_addresses_show(platform, one, waits) is not None for one in homes)
    return judge(
        [run.observed for run in runs], claimed=True, addresses_show=show, multiplies=False
    )


def _row(job: Job, one: Foreign, bound: BoundImage, seen: _SecretRuns) -> Row:
    stalled = seen.stalls.cycles if seen.stalls else 0
    first, secrecy = seen.runs[0], _secrecy(job, seen.runs)
    cycles = first.observed.cycles + stalled
    payload = _payload(job)
    on_chip = job.platform.chip is not None
    return Row(
        platform=job.platform.name,
        core=one.title,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes=payload,
        cycles=cycles,
        cycles_per_byte=cycles / payload if payload else None,
        instructions=sum(call.instructions for call in first.executions),
        code_bytes=bound.flash_bytes,
        table_bytes=0,
        round_key_bytes=one.context_bytes or job.key_bits // 8,
        context_bytes=seen.context_bytes + bound.variable_bytes,
        stack_bytes=max(call.stack_bytes for call in first.executions),
        timing=secrecy.timing,
        evidence=secrecy.evidence,
        provenance=_provenance(job, one, bound, seen),
        stall_cycles=stalled if seen.stalls else None,
        cycles_min=sum(each.placed[0] for each in first.priced) if on_chip else None,
        cycles_max=sum(each.placed[2] for each in first.priced) if on_chip else None,
    )


def _payload(job: Job) -> int:
    """Bytes inside the window."""
    if job.op.startswith("key-setup"):
        return 0
    if job.mode is None:
        return 16 * core_named(job.core).lanes
    return (job.bytes or 0) * (2 if job.op == "both" else 1)


def _provenance(job: Job, one: Foreign, bound: BoundImage, seen: _SecretRuns) -> Provenance:
    called = message.MODES[job.mode].title if job.mode else job.op
    counts = [run.observed.cycles for run in seen.runs]
    ranged = f"; {min(counts)} to {max(counts)} cycles over {RUNS} secrets"
    return Provenance(
        sources_sha256=bound.files_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256=model_sha256(job.platform.timing or ""),
        compiler=bound.compiler,
        flags=bound.flags,
        rig="emulator",
        version=__version__,
        window=f"{called} over {one.told}, {_payload(job)} bytes of payload"
        f"{ranged if min(counts) != max(counts) else ''}",
        memory=f"code and constants in flash, variables and stack in RAM, {_memory(job, seen)}",
        image_sha256=bound.sha256,
    )


def _memory(job: Job, seen: _SecretRuns) -> str:
    """How the memory behaves; further assumptions of the timing model are the platform's."""
    if seen.stalls:
        return COLD
    if seen.runs[0].from_flash:
        return seen.runs[0].priced[-1].memory.partition("; otherwise: ")[0]
    wait = job.placed.flash_wait
    return f"{wait} flash wait states" if wait else "zero wait states"

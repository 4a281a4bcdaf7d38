# SPDX-License-Identifier: MIT
"""The rig that executes what would be flashed, and prices what was executed.

A job's image (building/build.py) is loaded into the machine (machine.py), run with several
secrets, and each output is compared with the library on the host.  The timing model of the platform
prices the profile of the first run; the other runs tell whether the operation is constant-time
there.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ..._native import version as __version__
from ...building import build
from ...jobs.job import Job, Placement, Progress, Provenance, Row
from ...jobs.secrecy import Secrecy
from ...platforms.platform import Platform
from ...platforms.uniform import why_addresses_show
from ...store import closure
from ..accounts import (
    claims_constant_time,
    job_key,
    multiplies_secrets,
    one_by_one,
    row,
    window_told,
)
from ..firing import Firing, firing_of
from ..profile import Execution
from ..secrecy import Observation, judge, observe
from .evidence import model_sha256
from .instruction import Instruction
from .memory.replay import Waited, WaitingFlash, cold_told, flash_of, told, waits_of
from .recording import Recorded, Recording
from .stalls import COLD, Stalls, has_caches, stalls_of, too_large
from .timing.model import TimingModel, cycles
from .tracer import why_not as tracer_why_not

if TYPE_CHECKING:
    from .machine import Machine

Window = tuple[Execution, ...]
"""The calls inside a window, one after another."""

RUNS = 4
"""Runs with different secrets behind the constant-time column; the tests do more."""


def timing_model(platform: Platform) -> TimingModel:
    """The model that the platform file names."""
    module = import_module(_timing_module(platform))
    model: TimingModel = module.MODEL
    return model


def _timing_module(platform: Platform) -> str:
    return f"{__package__}.timing.{platform.timing}"


class EmulatorRig:
    """True cycles of a platform without the platform."""

    name = "emulator"

    def why_not(self, platform: Platform) -> str | None:
        """None when compiler and tracer are there; else how to get what is missing."""
        return tracer_why_not() or build.why_not(platform)

    def key(self, job: Job) -> str:
        """Digest of sources, flags, compiler, platform file, model, rig and the job itself."""
        own = closure.digest(__name__, _timing_module(job.platform))
        platform = job.platform
        simulated = has_caches(platform) or platform.memory("flash").interface is not None
        simulator = closure.extension_sha256() if simulated else None
        return job_key(job, own, simulator)

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        return one_by_one(_measure, jobs, progress)


@dataclass(frozen=True)
class _Seen:
    """Runs with different secrets, and what they showed."""

    runs: Sequence[Window]
    observed: Sequence[Observation]
    flash: WaitingFlash | None
    """None where no wait states are replayed."""
    waits: Waited | None
    """Of the first run."""


def _measure(job: Job) -> Row:
    from .machine import Machine  # start-up time of who asks for stored rows

    image = build.build(job)
    firing = firing_of(job)
    machine = Machine(build.build(firing.job).elf, job.platform)
    seen = _seen(job, machine, firing)
    cached = has_caches(job.platform)
    stalls = stalls_of(machine, firing, 0, seen.observed[0].cycles) if cached else None
    return _row(job, image, seen, stalls)


def _seen(job: Job, machine: "Machine", firing: Firing) -> _Seen:
    model, wait = timing_model(job.platform), job.placed.flash_wait or 0
    flash = flash_of(job.platform, wait, model, machine.flash)
    if flash is None:
        runs = [firing.fire(machine, number) for number in range(RUNS)]
        observed = _observations(job, runs, _decoded(machine, runs), job.placed)
        return _Seen(runs, observed, None, None)
    recorded = [_recorded(firing, machine, number) for number in range(RUNS)]
    runs = [tuple(one.execution for one in calls) for calls in recorded]
    instructions = _decoded(machine, runs)
    ideal = _observations(job, runs, instructions, replace(job.placed, flash_wait=0))
    waits = waits_of(model, recorded, instructions, flash)
    slow = [replace(one, cycles=own.middle) for one, own in zip(ideal, waits, strict=True)]
    return _Seen(runs, slow, flash, waits[0])


def _recorded(firing: Firing, machine: "Machine", number: int) -> list[Recorded]:
    recording = Recording(machine)
    firing.fire(recording, number)
    return [recording.heard[name] for name in firing.window]


def _decoded(machine: "Machine", runs: Sequence[Window]) -> dict[int, Instruction]:
    from .decode import decode_blocks  # start-up time

    blocks = {block for run in runs for one in run for block in one.profile.blocks}
    return decode_blocks(machine.code, blocks, machine.platform.isa)


def _observations(
    job: Job,
    runs: Sequence[Window],
    instructions: Mapping[int, Instruction],
    placement: Placement,
) -> list[Observation]:
    model = timing_model(job.platform)
    price = partial(cycles, model, instructions=instructions, placement=placement)
    known: dict[Hashable, int] = {}
    return [observe(run, price, known, model, instructions) for run in runs]


def _secrecy(job: Job, runs: Sequence[Observation]) -> Secrecy:
    return judge(
        runs,
        claimed=claims_constant_time(job),
        addresses_show=_addresses_show(job),
        multiplies=multiplies_secrets(job),
    )


def _addresses_show(job: Job) -> bool:
    placed = job.placed
    why = why_addresses_show(job.platform, placed.tables or "flash", placed.flash_wait or 0)
    return why is not None


def _row(job: Job, image: build.Image, seen: _Seen, stalls: Stalls | None) -> Row:
    counted = seen.observed[0].cycles + (stalls.cycles if stalls else 0)
    only = None if job.platform.chip is None else counted
    return row(
        job,
        image,
        cycles=counted,
        cycles_min=seen.waits.least if seen.waits else only,
        cycles_max=seen.waits.most if seen.waits else only,
        instructions=sum(one.instructions for one in seen.runs[0]),
        stack_bytes=max(one.stack_bytes for one in seen.runs[0]),
        secrecy=_secrecy(job, seen.observed),
        provenance=_provenance(job, image, seen, stalls),
        stall_cycles=stalls.cycles if stalls else None,
    )


def _provenance(job: Job, image: build.Image, seen: _Seen, stalls: Stalls | None) -> Provenance:
    unit = "cycles without stalls" if stalls else "cycles"
    window = window_told(job, [run.cycles for run in seen.observed], unit, RUNS)
    cold = cold_told(seen.flash, seen.waits) if seen.flash and seen.waits else ""
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256=model_sha256(job.platform.timing or ""),
        compiler=image.compiler,
        flags=image.flags,
        rig="emulator",
        version=__version__,
        window="; ".join(filter(None, (window, cold))),
        memory=_memory(job, seen),
    )


def _memory(job: Job, seen: _Seen) -> str:
    wait = job.placed.flash_wait
    slow = f"{wait} flash wait states" if wait else "zero wait states"
    if has_caches(job.platform):
        slow = COLD
    if seen.flash and seen.waits:
        slow = told(seen.flash, seen.waits)
    where = f"code in flash, tables in {job.placed.tables}, data and stack in RAM, {slow}"
    beyond = "" if seen.flash else too_large(job.platform, seen.runs[0])
    return "; ".join(filter(None, (where, beyond)))

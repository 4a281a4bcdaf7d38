# SPDX-License-Identifier: MIT
"""The rig that executes what would be flashed, and prices what was executed.

A job's image (building/build.py) is loaded into the machine (machine.py), run with several
secrets, and each output is compared with the library on the host.  The timing model of the platform
prices the profile of the first run; the other runs tell whether the operation is constant-time
there.
"""

from collections.abc import Hashable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ..._native import version as __version__
from ...building import build
from ...jobs.job import ConstantTime, Job, Progress, Provenance, Row
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
from ..firing import firing_of
from ..profile import Execution
from ..secrecy import Observation, judge, observe
from .evidence import model_sha256
from .stalls import COLD, Stalls, has_caches, stalls_of
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
        simulator = closure.extension_sha256() if has_caches(job.platform) else None
        return job_key(job, own, simulator)

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        return one_by_one(_measure, jobs, progress)


def _measure(job: Job) -> Row:
    from .machine import Machine  # start-up time of who asks for stored rows

    image = build.build(job)
    firing = firing_of(job)
    machine = Machine(build.build(firing.job).elf, job.platform)
    runs = [firing.fire(machine, number) for number in range(RUNS)]
    seen = _observations(job, machine, runs)
    cached = has_caches(job.platform)
    stalls = stalls_of(machine, firing, 0, seen[0].cycles) if cached else None
    return _row(job, image, runs[0], seen, stalls)


def _observations(job: Job, machine: "Machine", runs: Sequence[Window]) -> list[Observation]:
    from .decode import decode_blocks  # start-up time

    model = timing_model(job.platform)
    blocks = {block for run in runs for one in run for block in one.profile.blocks}
    instructions = decode_blocks(machine.code, blocks, job.platform.isa)
    price = partial(cycles, model, instructions=instructions, placement=job.placed)
    known: dict[Hashable, int] = {}
    return [observe(run, price, known, model, instructions) for run in runs]


def _constant_time(job: Job, runs: Sequence[Observation]) -> ConstantTime:
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


def _row(
    job: Job,
    image: build.Image,
    run: Window,
    runs: Sequence[Observation],
    stalls: Stalls | None,
) -> Row:
    return row(
        job,
        image,
        cycles=runs[0].cycles + (stalls.cycles if stalls else 0),
        instructions=sum(one.instructions for one in run),
        stack_bytes=max(one.stack_bytes for one in run),
        constant_time=_constant_time(job, runs),
        provenance=_provenance(job, image, runs, stalls),
        stall_cycles=stalls.cycles if stalls else None,
    )


def _provenance(
    job: Job, image: build.Image, runs: Sequence[Observation], stalls: Stalls | None
) -> Provenance:
    unit = "cycles without stalls" if stalls else "cycles"
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256=model_sha256(job.platform.timing or ""),
        compiler=image.compiler,
        flags=image.flags,
        rig="emulator",
        version=__version__,
        window=window_told(job, [run.cycles for run in runs], unit, RUNS),
        memory=_memory(job),
    )


def _memory(job: Job) -> str:
    wait = job.placed.flash_wait
    slow = f"{wait} flash wait states" if wait else "zero wait states"
    if has_caches(job.platform):
        slow = COLD
    return f"code in flash, tables in {job.placed.tables}, data and stack in RAM, {slow}"

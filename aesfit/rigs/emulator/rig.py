# SPDX-License-Identifier: MIT
"""The rig that executes what would be flashed, and prices what was executed.

A job's image (building/build.py) is loaded into the machine (machine.py), run with several
secrets, and each output is compared with the library on the host.  The timing model of the platform
prices the profile of the first run; the other runs tell whether the operation is constant-time
there.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
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
class SecretRuns:
    """Runs of an image with different secrets, and what they showed."""

    runs: Sequence[Window]
    observed: Sequence[Observation]
    stalls: Stalls | None
    """Of the first run, where caches are simulated."""
    recorded: Sequence[Sequence[Recorded]] = ()
    """The calls of each run with every access, where wait states are replayed."""
    flash: WaitingFlash | None = None
    """None where no wait states are replayed."""
    waits: Waited | None = None
    """Of the first run."""

    @property
    def counts(self) -> list[int]:
        """Cycles of each run, without stalls."""
        return [one.cycles for one in self.observed]

    @property
    def unit(self) -> str:
        """What `counts` counts."""
        return "cycles without stalls" if self.stalls else "cycles"


def _measure(job: Job) -> Row:
    image = build.build(job)
    ran = secret_runs(job, build.build(firing_of(job).job).elf)
    window = window_told(job, ran.counts, ran.unit, RUNS)
    memory = f"code in flash, tables in {job.placed.tables}, data and stack in RAM"
    return row_of(job, image, ran, _secrecy(job, ran.observed), window, memory)


def secret_runs(job: Job, elf: Path) -> SecretRuns:
    """Run a job with several secrets; `elf`: the image that firing_of() names.

    ValueError for code that the timing model does not cover; MachineError where it does not run.
    """
    from .machine import Machine  # start-up time of who asks for stored rows

    firing, machine = firing_of(job), Machine(elf, job.platform)
    ran = _ran(job, machine, firing)
    if not has_caches(job.platform):
        return ran
    return replace(ran, stalls=stalls_of(machine, firing, 0, ran.observed[0].cycles))


def _ran(job: Job, machine: "Machine", firing: Firing) -> SecretRuns:
    model, wait = timing_model(job.platform), job.placed.flash_wait or 0
    flash = flash_of(job.platform, wait, model, machine.flash)
    if flash is None:
        runs = [firing.fire(machine, number) for number in range(RUNS)]
        return SecretRuns(runs, _observations(job, runs, _decoded(machine, runs), job.placed), None)
    recorded = [_recorded(firing, machine, number) for number in range(RUNS)]
    runs = [tuple(one.execution for one in calls) for calls in recorded]
    instructions = _decoded(machine, runs)
    ideal = _observations(job, runs, instructions, replace(job.placed, flash_wait=0))
    waits = waits_of(model, recorded, instructions, flash)
    slow = [replace(one, cycles=own.middle) for one, own in zip(ideal, waits, strict=True)]
    return SecretRuns(runs, slow, None, recorded, flash, waits[0])


def _recorded(firing: Firing, machine: "Machine", number: int) -> list[Recorded]:
    recording = Recording(machine)
    firing.fire(recording, number)
    return [recording.heard[name] for name in firing.window]


def _decoded(machine: "Machine", runs: Sequence[Window]) -> dict[int, Instruction]:
    return decoded(machine, (one for run in runs for one in run))


def decoded(machine: "Machine", calls: Iterable[Execution]) -> dict[int, Instruction]:
    """The instructions that calls executed; ValueError for a state that no model covers."""
    from .decode import decode_blocks  # start-up time

    platform, blocks = machine.platform, {block for one in calls for block in one.profile.blocks}
    if platform.isa == "armv4t" and any(machine.thumb_at(block.address) for block in blocks):
        raise ValueError(
            f"it runs Thumb code, and the timing model of {platform.name} covers ARM state alone; "
            f"compile it with {' '.join(platform.compiler.target)}"
        )
    return decode_blocks(machine.code, blocks, platform.isa)


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


def row_of(
    job: Job, image: build.Image, ran: SecretRuns, secrecy: Secrecy, window: str, memory: str
) -> Row:
    """The row of a job that ran; `window` and `memory`: what its provenance begins with."""
    counted = ran.counts[0] + (ran.stalls.cycles if ran.stalls else 0)
    only = None if job.platform.chip is None else counted
    cold = cold_told(ran.flash, ran.waits) if ran.flash and ran.waits else ""
    return row(
        job,
        image,
        cycles=counted,
        cycles_min=ran.waits.least if ran.waits else only,
        cycles_max=ran.waits.most if ran.waits else only,
        instructions=sum(one.instructions for one in ran.runs[0]),
        stack_bytes=max(one.stack_bytes for one in ran.runs[0]),
        secrecy=secrecy,
        provenance=Provenance(
            sources_sha256=image.sources_sha256,
            platform_sha256=job.platform.sha256,
            timing_sha256=model_sha256(job.platform.timing or ""),
            compiler=image.compiler,
            flags=image.flags,
            rig="emulator",
            version=__version__,
            window="; ".join(filter(None, (window, cold))),
            memory=", ".join((memory, _slow_told(job, ran))),
        ),
        stall_cycles=ran.stalls.cycles if ran.stalls else None,
    )


def _slow_told(job: Job, ran: SecretRuns) -> str:
    """How slow the memories are."""
    wait = job.placed.flash_wait
    slow = f"{wait} flash wait states" if wait else "zero wait states"
    if has_caches(job.platform):
        slow = COLD
    if ran.flash and ran.waits:
        slow = told(ran.flash, ran.waits)
    beyond = "" if ran.flash else too_large(job.platform, ran.runs[0])
    return "; ".join(filter(None, (slow, beyond)))

# SPDX-License-Identifier: MIT
"""The rig that simulates a processor's own Verilog: cycles are counted, not modelled.

A job's image (building/build.py) runs on the processor in a small system (soc/), with the job's
wait states, with several secrets, and each output is compared with the library on the host.  What
goes on inside its caches is not seen from outside, so instructions and addresses are taken from the
emulator, which runs the same image with the same secrets; the two must execute as many
instructions.
"""

from collections.abc import Sequence

from ..._native import version as __version__
from ...building import build
from ...jobs.job import Job, Progress, Provenance, Row
from ...platforms.packaged import PACKAGED, packaged_why_not
from ...platforms.platform import Platform
from ...store import closure
from ..accounts import (
    claims_constant_time,
    job_key,
    multiplies_secrets,
    one_by_one,
    row,
    window_told,
)
from ..emulator.machine import Machine
from ..emulator.machine import why_not as machine_why_not
from ..firing import Firing, firing_of
from ..profile import Execution
from ..secrecy import Observation, judge
from .soc.machine import Caches, SocMachine, TimedExecution
from .soc.simulator import sources_sha256, versions
from .soc.simulator import why_not as simulator_why_not

Window = tuple[TimedExecution, ...]

RUNS = 2
"""Runs with different secrets that are the evidence of a timing: few, because simulation is
slow."""


class DisagreementError(RuntimeError):
    """The processor and the emulator executed different instructions."""


class RtlRig:
    """Cycles of a processor whose Verilog is at hand."""

    name = "rtl"

    def why_not(self, platform: Platform) -> str | None:
        """None when simulator, emulator and compiler are there; else how to get them."""
        return (
            packaged_why_not(str(platform.cpu))
            or simulator_why_not()
            or machine_why_not()
            or build.why_not(platform)
        )

    def key(self, job: Job) -> str:
        """Digest of sources, flags, compilers, Verilog, platform file, rig and the job itself."""
        simulated = sources_sha256(str(job.platform.cpu)), versions()
        return job_key(job, closure.digest(__name__), simulated, job.warm)

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        return one_by_one(_measure, jobs, progress)


def machine_of(job: Job) -> SocMachine:
    """A simulated system with the job's image; ValueError when caches are asked for in vain."""
    if job.warm and not job.platform.caches:
        raise ValueError(f"{job.platform.name} has no caches to be warm; leave --warm out")
    caches: Caches = "warm" if job.warm else "cold"
    return SocMachine(build.build(job).elf, job.platform, job.placed.flash_wait or 0, caches)


def timed(calls: Sequence[Execution]) -> Window:
    """Calls that a SocMachine made."""
    return tuple(call for call in calls if isinstance(call, TimedExecution))


def _measure(job: Job) -> Row:
    image, firing = build.build(job), firing_of(job)
    machine = machine_of(firing.job)
    try:
        runs = [timed(firing.fire(machine, number)) for number in range(RUNS)]
    finally:
        machine.close()
    return _row(job, image, runs, _observations(firing, runs))


def _observations(firing: Firing, runs: Sequence[Window]) -> list[Observation]:
    """What each run shows: the processor's cycles, the emulator's instructions and addresses."""
    job = firing.job
    emulator = Machine(build.build(job).elf, job.platform)
    found = []
    for number, run in enumerate(runs):
        calls = firing.fire(emulator, number)
        counts = [one.instructions for one in run], [one.instructions for one in calls]
        if counts[0] != counts[1]:
            raise DisagreementError(
                f"{job.core} on {job.platform.name}: the processor executed {counts[0]} "
                f"instructions and the emulator {counts[1]}"
            )
        found.append(_observe(run, calls))
    return found


def _observe(run: Window, calls: Sequence[Execution]) -> Observation:
    """No operands: the cycles are the processor's own, whatever depends on them."""
    return Observation(
        cycles=sum(one.cycles for one in run),
        instruction_trace=tuple(call.instruction_trace for call in calls),
        address_trace=tuple(call.address_trace for call in calls),
        operands=frozenset(),
    )


def _row(
    job: Job, image: build.Image, runs: Sequence[Window], observed: Sequence[Observation]
) -> Row:
    return row(
        job,
        image,
        cycles=observed[0].cycles,
        instructions=sum(call.instructions for call in runs[0]),
        stack_bytes=max(call.stack_bytes for call in runs[0]),
        secrecy=judge(
            observed,
            claimed=claims_constant_time(job),
            addresses_show=job.platform.data_cache or bool(job.placed.flash_wait),
            multiplies=multiplies_secrets(job),
        ),
        provenance=_provenance(job, image, observed),
    )


def _provenance(job: Job, image: build.Image, observed: Sequence[Observation]) -> Provenance:
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256=sources_sha256(str(job.platform.cpu)),
        compiler=image.compiler,
        flags=image.flags,
        rig=f"rtl, {versions()}",
        version=__version__,
        window=window_told(job, [one.cycles for one in observed], "cycles", RUNS),
        memory=_memory(job),
    )


def _memory(job: Job) -> str:
    told = (
        f"code, tables in {job.placed.tables}, data and stack in one memory with "
        f"{job.placed.flash_wait} wait states, "
    )
    if job.platform.cpu in PACKAGED:
        return f"{told}a port for code and another for data"
    told += "1 cycle for each further word of a burst"
    if not job.platform.caches:
        return told
    warm = "as an equal call left them" if job.warm else "empty"
    return f"{told}, behind caches that are {warm} when the window starts"

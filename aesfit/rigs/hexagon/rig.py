# SPDX-License-Identifier: MIT
"""The rig of the VLIW stand-in: packets that a four-issue processor executes.

A packet is what a VLIW issues in one cycle when nothing stalls: the rows' cycles are packets, and
interlocks, caches and the branches' refills are not in them.  Packets, instructions and data
addresses come from QEMU, which runs the very image (hexagon/machine.py); outputs are compared with
the library on the host.
"""

import subprocess
from collections.abc import Sequence
from functools import cache

from ..._native import version as __version__
from ...building import build
from ...jobs.job import Job, Progress, Provenance, Row
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
from ..firing import firing_of
from ..profile import Execution
from ..rig import RigUnavailableError
from ..secrecy import Observation, judge
from . import why_not as hexagon_why_not
from .machine import HexagonMachine, PacketExecution

Window = tuple[PacketExecution, ...]

RUNS = 4
"""Runs with different secrets that are the evidence of a timing."""


@cache
def _qemu() -> str:
    """First line of QEMU's --version."""
    done = subprocess.run(
        ["qemu-hexagon", "--version"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not done.stdout.strip():
        raise RigUnavailableError("qemu-hexagon tells no version: sudo apt-get install qemu-user")
    return done.stdout.splitlines()[0]


class VliwRig:
    """Packets of the VLIW stand-in."""

    name = "vliw"

    def why_not(self, platform: Platform) -> str | None:
        """None when compiler, linker, QEMU and plugin are there; else how to get them."""
        return hexagon_why_not() or build.why_not(platform)

    def key(self, job: Job) -> str:
        """Digest of sources, flags, compiler, platform file, QEMU, rig and the job itself."""
        return job_key(job, closure.digest(__name__), _qemu())

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        return one_by_one(_measure, jobs, progress)


def machine_of(job: Job) -> HexagonMachine:
    """A machine with the job's image; ValueError when packets cannot show what the job asks."""
    if job.placed.flash_wait:
        raise ValueError(
            f"{job.platform.name} counts packets, which wait for no memory; leave --flash-wait at 0"
        )
    return HexagonMachine(build.build(job).elf, job.platform)


def _measure(job: Job) -> Row:
    image, firing = build.build(job), firing_of(job)
    machine = machine_of(firing.job)
    try:
        runs = [_window(firing.fire(machine, number)) for number in range(RUNS)]
    finally:
        machine.close()
    return _row(job, image, runs)


def _window(calls: Sequence[Execution]) -> Window:
    return tuple(call for call in calls if isinstance(call, PacketExecution))


def packets(calls: Sequence[Execution]) -> int:
    """Ideal cycles of some calls, all made by a HexagonMachine."""
    return sum(call.packets for call in _window(calls))


def observe(calls: Window) -> Observation:
    """What one run shows; no instruction's time depends on operands, so there are none."""
    return Observation(
        cycles=packets(calls),
        instruction_trace=tuple(call.instruction_trace for call in calls),
        address_trace=tuple(call.address_trace for call in calls),
        operands=frozenset(),
    )


def _row(job: Job, image: build.Image, runs: Sequence[Window]) -> Row:
    return row(
        job,
        image,
        cycles=packets(runs[0]),
        instructions=sum(call.instructions for call in runs[0]),
        stack_bytes=max(call.stack_bytes for call in runs[0]),
        secrecy=judge(
            [observe(run) for run in runs],
            claimed=claims_constant_time(job),
            addresses_show=job.platform.data_cache,
            multiplies=multiplies_secrets(job),
        ),
        provenance=_provenance(job, image, runs),
    )


def _provenance(job: Job, image: build.Image, runs: Sequence[Window]) -> Provenance:
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256="",
        compiler=image.compiler,
        flags=image.flags,
        rig=f"vliw, {_qemu()}",
        version=__version__,
        window=window_told(job, [packets(run) for run in runs], "packets", RUNS),
        memory=(
            f"cycles are packets: no interlocks, no caches; code in flash, tables in "
            f"{job.placed.tables}, data and stack in RAM; the stack is what was touched of it"
        ),
    )

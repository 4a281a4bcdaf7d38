# SPDX-License-Identifier: MIT
"""The rig that measures on the processor that runs this program.

On x86-64 it times the library as it is shipped: cores bound at run time, bulk paths where there are
any.  On i686 it times programs of 32-bit code, bound to one core and one mode at compile time, as
on the emulated platforms.  Sizes, and instructions where callgrind is asked for them, are those of
the bound build on both.

Cycles are those of the time stamp counter; pace.py says how batches are run and judged.  They
differ from run to run, and even the minimum depends on the processor: they are never exact.
"""

import platform as machine
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import Protocol

from ... import _native
from ...building import build
from ...jobs.job import Job, Progress, Row
from ...platforms.memory import Memory
from ...platforms.platform import Platform
from ...platforms.toml_file import Quantity
from ...store import closure
from ..accounts import job_key
from ..rig import RigUnavailableError
from .child import Child, count_instructions, program_of, valgrind_version, why_not_valgrind
from .exercise import HostExercise, exercise_of
from .pace import Batch, BatchPlan, Pace
from .row import HostMeasurement, processor_name, row_of, uncountable

__all__ = ["HostRig", "MismatchError", "processor_name"]

_MACHINES = {"x86_64", "amd64", "i386", "i586", "i686"}
_NO_WAIT = Quantity(0, "cycles", "")
_FLAT = (
    Memory("flash", 0x08000000, 1 << 26, _NO_WAIT, ("code", "tables")),
    Memory("ram", 0x10000000, 1 << 26, _NO_WAIT, ("data", "stack")),
)
"""Where the image lies from which sizes are read; it never runs."""
_SIZED_FLAGS = ("-static", "-Wl,--defsym=__cpu_model=0", "-Wl,--defsym=__cpu_features2=0")
"""Without the compiler's own detection of processor features, which `aesni` asks."""


class MismatchError(RuntimeError):
    """A core gave a wrong result."""


class _Runner(Protocol):
    def run(self, calls: int) -> Batch: ...

    def output(self) -> bytes: ...


class _Shipped:
    """An operation of the library inside the extension."""

    def __init__(self, job: Job, exercise: HostExercise) -> None:
        first = exercise.first
        mode = job.shape if job.mode else None
        decrypts = job.op == "decrypt"
        self._watch = _native.Stopwatch(
            op=job.op,
            mode=mode.called if mode else None,
            core=job.core,
            ghash=job.ghash if mode and mode.hashes else None,
            key=first.key,
            nonce=first.nonce or bytes(16 if mode and mode.streams else 0),
            ad=first.ad or bytes(first.ad_bytes),
            data=first.data + (first.tag if decrypts else b""),
            tag_bytes=len(first.tag),
        )

    def run(self, calls: int) -> Batch:
        return Batch(*self._watch.run(calls))

    def output(self) -> bytes:
        return self._watch.output()


@cache
def clock_kind() -> str:
    """What time is taken with on this machine."""
    probe = _native.Stopwatch("key-setup-encrypt", None, None, None, bytes(16), b"", b"", b"", 0)
    counted = probe.run(1)[2] is not None
    return "TSC cycles; " + ("perf_event" if counted else "no perf_event on this machine")


@cache
def _makes_programs(command: str, target: tuple[str, ...]) -> bool:
    done = subprocess.run(  # noqa: S603
        [command, *target, "-x", "c", "-", "-o", "/dev/null"],
        input=b'#include <stdio.h>\nint main(void) { return puts("") < 0; }\n',
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def _sized(job: Job) -> Job:
    """The job whose image tells the sizes: linked flat, with what it reaches and nothing else."""
    flags = job.platform.compiler.optimise if job.flags is None else job.flags
    return replace(
        job, platform=replace(job.platform, memories=_FLAT), flags=(*flags, *_SIZED_FLAGS)
    )


class HostRig:
    """Time on this processor, of the shipped library or of 32-bit programs."""

    name = "host"

    def __init__(self, plan: BatchPlan | None = None, *, instructions: bool = False) -> None:
        """`plan`: how thorough to be; `instructions`: have callgrind count them too."""
        self._pace = Pace(plan)
        self.instructions = instructions

    def why_not(self, platform: Platform) -> str | None:
        """None when the processor and a compiler are there; else a sentence that tells."""
        if machine.machine().lower() not in _MACHINES or not hasattr(_native, "Stopwatch"):
            return (
                f"{platform.name} is measured on x86 processors and this one is "
                f"{machine.machine()}; see the others with: aesfit platforms"
            )
        compiler = platform.compiler
        reason = build.why_not(platform)
        if reason is None and not _makes_programs(compiler.command, compiler.target):
            reason = (
                f"{platform.name} needs programs that {compiler.command} cannot make here with "
                f"{' '.join(compiler.target)}: sudo apt-get install {compiler.package}"
            )
        if reason is None and self.instructions:
            reason = why_not_valgrind()
        return reason

    def key(self, job: Job) -> str:
        """Digest of sources, flags, processor, clock and the job.

        Equal keys make results comparable, but not equal.
        """
        own = closure.digest(__name__), closure.extension_sha256()
        here = processor_name(), clock_kind(), valgrind_version() if self.instructions else None
        return job_key(_sized(job), own, here, job.flags)

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs; those that differ in core or flags alone take turns."""
        for job in jobs:
            self._refuse(job)
        kin: dict[object, list[int]] = {}
        for at, job in enumerate(jobs):
            like = (job.platform.name, job.op, job.mode, job.bytes, job.key_bits)
            kin.setdefault(like, []).append(at)
        rows: dict[int, Row] = {}
        for group in kin.values():
            measured = self._measure([jobs[at] for at in group])
            rows.update(zip(group, map(row_of, measured), strict=True))
            progress(len(rows), len(jobs))
        return [rows[at] for at in range(len(jobs))]

    def _refuse(self, job: Job) -> None:
        reason = self.why_not(job.platform)
        if reason:
            raise RigUnavailableError(reason)
        if job.placement.flash_wait or job.placement.tables not in (None, "flash"):
            raise ValueError(f"{job.platform.name} has caches; memory cannot be placed there")
        if job.flags is not None and job.platform.isa == "x86-64":
            raise ValueError("x86-64 times the library as it was built; flags would not matter")

    def _measure(self, jobs: Sequence[Job]) -> list[HostMeasurement]:
        exercises = [exercise_of(job) for job in jobs]
        images = [build.build(_sized(job)) for job in jobs]
        with ExitStack() as stack:
            runners = [_runner(*pair, stack) for pair in zip(jobs, exercises, strict=True)]
            _check(jobs, exercises, runners)
            series = self._pace.collect(runners)
            _check(jobs, exercises, runners)
        return [
            HostMeasurement(
                job, image, times, len(jobs), self.instructions, self._count(job, exercise)
            )
            for job, exercise, image, times in zip(jobs, exercises, images, series, strict=True)
        ]

    def _count(self, job: Job, exercise: HostExercise) -> int | None:
        if not self.instructions or uncountable(job):
            return None
        return count_instructions(job, exercise)


def _runner(job: Job, exercise: HostExercise, stack: ExitStack) -> _Runner:
    if job.platform.isa == "x86-64":
        return _Shipped(job, exercise)
    return stack.enter_context(Child(program_of(job), exercise))


def _check(
    jobs: Sequence[Job], exercises: Sequence[HostExercise], runners: Sequence[_Runner]
) -> None:
    for job, exercise, runner in zip(jobs, exercises, runners, strict=True):
        if runner.output() != exercise.result:
            mode = f" in {job.mode}" if job.mode else ""
            raise MismatchError(f"{job.core} gives a wrong result for {job.op}{mode}")

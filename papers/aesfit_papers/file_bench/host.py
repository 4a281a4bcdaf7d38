# SPDX-License-Identifier: MIT
"""CBC over a file on this computer, call by call, in nanoseconds.

Each core is a separate program, bound at compile time and built at the given level.  At one level
and size the cores take turns of a few calls, so that disturbances affect all alike; after the first
call the file is in the system's cache.  The output of the last call of a series is compared, byte
by byte, with that of another core in the library.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.platform import Platform
from aesfit.rigs.host.child import CallTimes, Child, program_of
from aesfit.rigs.host.exercise import HostExercise, exercise_of
from aesfit.rigs.host.rig import MismatchError, processor_name

from .question import OPS, FileBench, FileOutcome, FileRow, FileSource, Flags, OpRow, Reading

UNIT = "ns"
READINGS: tuple[Reading, ...] = ("excluded", "included")
_TURN = 10
"""Calls of a core before the next core's turn."""
_PILOT_BYTES, _PILOT_CALLS = 4096, 3
Spend = Callable[[float], None]
Speeds = Mapping[tuple[str, Flags], float]


def pilot(platform: Platform, asked: FileBench, source: FileSource) -> Speeds:
    """Nanoseconds per byte by core and level, from a few calls, to estimate the duration.

    It also builds all programs.
    """
    found = {}
    data = source.data[: min(_PILOT_BYTES, asked.sizes[-1])]
    for core, level in product(asked.cores, asked.levels):
        job = asked.cbc(platform, core, level, data)
        with Child(program_of(job), exercise_of(job)) as child:
            found[core, level] = min(child.time(_PILOT_CALLS).calls) / len(data)
    return found


def foretold(asked: FileBench, speeds: Speeds) -> float:
    """Estimated nanoseconds of all calls, from the pilot's speeds."""
    return sum(speeds.values()) * sum(asked.sizes) * asked.repeats * len(READINGS)


def run(
    platform: Platform, asked: FileBench, source: FileSource, speeds: Speeds, spend: Spend
) -> FileOutcome:
    """Time all sizes, smallest first; `spend` gets the estimated nanoseconds of finished calls."""
    series: list[CallTimes] = []
    ops = [
        _op_row(job, times)
        for level, op in product(asked.levels, OPS)
        for job, times in _series(
            {core: asked.job(platform, core, level, op) for core in asked.cores}, asked.repeats
        )
    ]
    rows = []
    for size in asked.sizes:
        data = source.data[:size]
        jobs = {core: asked.cbc(platform, core, asked.levels[0], data) for core in asked.cores}
        exercises = {core: exercise_of(job) for core, job in jobs.items()}
        for level, reading in product(asked.levels, READINGS):
            asked_now = {core: asked.cbc(platform, core, level, data) for core in asked.cores}
            file = source.path if reading == "included" else None
            for job, times in _series(asked_now, asked.repeats, exercises, file):
                rows.append(_row(job, times, reading))
                series.append(times)
            spend(sum(speeds[core, level] for core in asked.cores) * size * asked.repeats)
    rows.sort(key=lambda row: (_place(asked, row.flags), asked.cores.index(row.core)))
    ops.sort(key=lambda row: (_place(asked, row.flags), asked.cores.index(row.core)))
    return FileOutcome(tuple(rows), tuple(ops), provenance=(_provenance(platform, series),))


def _place(asked: FileBench, flags: str) -> int:
    return [" ".join(level) for level in asked.levels].index(flags)


def _series(
    jobs: Mapping[str, Job],
    repeats: int,
    exercises: Mapping[str, HostExercise] | None = None,
    file: Path | None = None,
) -> Iterator[tuple[Job, CallTimes]]:
    """Time the calls of all cores, in turns; with a file each call reads it."""
    known = exercises or {core: exercise_of(job) for core, job in jobs.items()}
    taken: dict[str, list[CallTimes]] = {core: [] for core in jobs}
    with ExitStack() as stack:
        children = {
            core: stack.enter_context(Child(program_of(job), known[core], file))
            for core, job in jobs.items()
        }
        for done in range(0, repeats, _TURN):
            for core, child in children.items():
                calls = min(_TURN, repeats - done)
                taken[core].append(child.time(calls, load=file is not None))
        for core, child in children.items():
            if child.output() != known[core].result:
                raise MismatchError(f"{core} gives a wrong result for {jobs[core].op}")
    for core, turns in taken.items():
        calls_of_all = tuple(call for turn in turns for call in turn.calls)
        had = sum(turn.processor for turn in turns)
        yield jobs[core], CallTimes(min(turn.least_window for turn in turns), calls_of_all, had)


def _row(job: Job, times: CallTimes, reading: Reading) -> FileRow:
    least, average = min(times.calls), round(mean(times.calls), 1)
    where = (job.platform.name, job.core, " ".join(job.flags or ()), job.bytes or 0)
    return FileRow(*where, reading, least, average, UNIT)


def _op_row(job: Job, times: CallTimes) -> OpRow:
    least, average = min(times.calls), round(mean(times.calls), 1)
    return OpRow(
        job.platform.name, job.core, " ".join(job.flags or ()), job.op, least, average, UNIT
    )


def share(series: Sequence[CallTimes]) -> float:
    """Share of the calls' time in which the processor worked on them; 1 if undisturbed.

    The processor time includes work between calls, so the share may exceed 1.
    """
    took = sum(sum(times.calls) for times in series)
    return min(1.0, sum(times.processor for times in series) / took)


def _provenance(platform: Platform, series: Sequence[CallTimes]) -> dict[str, Any]:
    window = min(times.least_window for times in series)
    return {
        "platform": platform.name,
        "compiler": build.compiler_version(platform),
        "target": " ".join(platform.compiler.target),
        "measured_on": processor_name(),
        "clock": f"CLOCK_MONOTONIC; a window with nothing in it takes {window} ns",
        "processor_share": round(share(series), 3),
    }

# SPDX-License-Identifier: MIT
"""From measurements on this processor to rows, with the words that say what the figures mean."""

import platform as machine
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ... import _native
from ...building import build
from ...jobs.job import Job, Provenance, Row
from ...jobs.secrecy import Secrecy
from ..accounts import claims_constant_time, multiplies_secrets, payload_bytes, row
from .pace import Series

_DIGITS = 3


@cache
def processor_name() -> str:
    """Model of the processor as the system names it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return machine.processor() or machine.machine()


@dataclass(frozen=True)
class HostMeasurement:
    """A job with all that was found."""

    job: Job
    image: build.Image
    series: Series
    compared: int
    """Jobs that took turns."""
    asked: bool
    """Callgrind was."""
    instructions: int | None


def uncountable(job: Job) -> bool:
    """Valgrind knows AES instructions in 64-bit code only."""
    return job.platform.isa == "i686" and bool(job.implementation.needs)


def _secrecy(job: Job) -> Secrecy:
    """What the code claims: caches show addresses, and noise hides what runs would show."""
    independent = claims_constant_time(job) and not multiplies_secrets(job)
    return Secrecy("independent" if independent else "depends on the key")


def row_of(measured: HostMeasurement) -> Row:
    """The row of a measured job."""
    job, image, series = measured.job, measured.image, measured.series
    return row(
        job,
        image,
        cycles=round(series.least, _DIGITS),
        instructions=measured.instructions,
        stack_bytes=None,
        secrecy=_secrecy(job),
        provenance=_provenance(measured),
        cycles_median=round(series.median, _DIGITS),
    )


def _provenance(measured: HostMeasurement) -> Provenance:
    job, image = measured.job, measured.image
    shipped = job.platform.isa == "x86-64"
    timed = f"{_native.compiler} (timed), " if shipped else ""
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256="",
        compiler=timed + image.compiler,
        flags=image.flags,
        rig="host",
        version=_native.version,
        window=_window(job),
        memory=f"caches of {processor_name()}; sizes are those of a program bound to this core"
        + (", without bulk paths" if shipped else ""),
        clock=_clock(measured),
    )


def _window(job: Job) -> str:
    """What is timed, in which binding."""
    if job.platform.isa != "x86-64":
        what = f"{build.window(job)}; bound to the core at compile time"
    elif job.mode is not None:
        what = f"{build.window(job)}; the shipped library, bound at run time, with bulk paths"
    else:
        what = f"{_shipped_call(job)} of the shipped library, bound at run time, argument checks"
    chained = job.mode is None and not job.op.startswith("key-setup")
    return f"{what}; calls on end{', each on the result of the one before' if chained else ''}"


def _shipped_call(job: Job) -> str:
    if job.op.startswith("key-setup"):
        return f"aesfit_expand_key for {job.op.removeprefix('key-setup-')}ion"
    return f"aesfit_ecb_{job.op.removesuffix('-block')} over {payload_bytes(job)} bytes"


def _clock(measured: HostMeasurement) -> str:
    """How the cycles were taken, and what the processor counted itself."""
    series = measured.series
    others = measured.compared - 1
    company = f"in turns with {others} other{'s' * (others > 1)}" if others else "by itself"
    parts = [
        f"TSC cycles, minimum of {len(series.batches)} batches of {series.calls} calls {company}",
        f"median {round(series.median, _DIGITS)}",
        f"{series.dirty} dirty batches, {series.accepted} of them accepted",
    ]
    cycles, instructions = series.counted("core_cycles"), series.counted("instructions")
    if cycles is None or instructions is None:
        parts.append("perf_event gives no figures here")
    else:
        parts.append(
            f"perf_event, user mode: {cycles:.1f} core cycles, {instructions:.0f} instructions"
        )
    if measured.instructions is not None:
        parts.append("instructions of the bound build by callgrind")
    elif measured.asked and uncountable(measured.job):
        parts.append("valgrind cannot run AES instructions in 32-bit code")
    return "; ".join(parts)

# SPDX-License-Identifier: MIT
"""The rig that executes what would be flashed, and prices what was executed.

A job's image (aesfit.build) is loaded into the machine (machine.py), run with several secrets, and
each output is compared with the library on the host.  The timing model of the platform prices the
profile of the first run; the other runs tell whether the operation is constant-time there.
"""

import hashlib
from collections.abc import Hashable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from .. import __version__, build
from ..platforms import Platform
from .accounts import claims_constant_time, multiplies_secrets, payload_bytes, round_key_bytes
from .decode import decode_blocks
from .evidence import model_sha256
from .firing import firing_of
from .machine import Machine
from .machine import why_not as machine_why_not
from .profile import Execution
from .rig import ConstantTime, Job, Placement, Progress, Provenance, Row
from .secrecy import Observation, judge, observe
from .stalls import COLD, Stalls, has_caches, simulator_sha256, stalls_of
from .timing.model import TimingModel, cycles

Window = tuple[Execution, ...]
"""The calls inside a window, one after another."""

RUNS = 4
"""Runs with different secrets behind the constant-time column; the tests do more."""


def timing_model(platform: Platform) -> TimingModel:
    """The model that the platform file names."""
    module = import_module(f"{__package__}.timing.{platform.timing}")
    model: TimingModel = module.MODEL
    return model


@cache
def _rig_sha256() -> str:
    """Of every file that decides what this rig says."""
    folder = Path(__file__).parent
    files = [*folder.glob("*.py"), *folder.glob("timing/*.py"), *folder.glob("tracer/*.[ch]")]
    joined = b"".join(path.name.encode() + path.read_bytes() for path in sorted(files))
    return hashlib.sha256(joined).hexdigest()


class EmulatorRig:
    """True cycles of a platform without the platform."""

    name = "emulator"

    def why_not(self, platform: Platform) -> str | None:
        """None when compiler and tracer are there; else how to get what is missing."""
        return machine_why_not() or build.why_not(platform)

    def key(self, job: Job) -> str:
        """Digest of sources, flags, compiler, platform file, model, rig and the job itself."""
        facts = [build.digest(job), job.platform.sha256, _rig_sha256(), __version__]
        if has_caches(job.platform):
            facts.append(simulator_sha256())
        asked = (
            job.op,
            job.mode,
            job.bytes,
            job.key_bits,
            job.core,
            job.ghash,
            job.placed,
            job.text_sha256,
        )
        return hashlib.sha256(repr((facts, asked)).encode()).hexdigest()

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        rows = []
        for done, job in enumerate(jobs, 1):
            rows.append(_measure(job))
            progress(done, len(jobs))
        return rows


def _measure(job: Job) -> Row:
    image = build.build(job)
    firing = firing_of(job)
    machine = Machine(build.build(firing.job).elf, job.platform)
    runs = [firing.fire(machine, number) for number in range(RUNS)]
    stalls = stalls_of(machine, firing, 0) if has_caches(job.platform) else None
    return _row(job, image, runs[0], _observations(job, machine, runs), stalls)


def _observations(job: Job, machine: Machine, runs: Sequence[Window]) -> list[Observation]:
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
        addresses_show=job.platform.data_cache or _buffered(job.placed),
        multiplies=multiplies_secrets(job),
    )


def _buffered(placement: Placement) -> bool:
    """Flash that waits hides it behind buffers on real parts, and those tell addresses apart."""
    return bool(placement.flash_wait) and placement.tables == "flash"


def _row(
    job: Job,
    image: build.Image,
    run: Window,
    runs: Sequence[Observation],
    stalls: Stalls | None,
) -> Row:
    payload = payload_bytes(job)
    total = runs[0].cycles + (stalls.cycles if stalls else 0)
    return Row(
        platform=job.platform.name,
        core=job.core,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes=payload,
        cycles=total,
        cycles_per_byte=total / payload if payload else None,
        instructions=sum(one.instructions for one in run),
        code_bytes=image.sizes.code_bytes,
        table_bytes=image.sizes.table_bytes,
        round_key_bytes=round_key_bytes(job),
        context_bytes=image.sizes.context_bytes,
        stack_bytes=max(one.stack_bytes for one in run),
        constant_time=_constant_time(job, runs),
        provenance=_provenance(job, image, runs, stalls),
        tables_in=job.placed.tables or "flash",
        stall_cycles=stalls.cycles if stalls else None,
    )


def _provenance(
    job: Job, image: build.Image, runs: Sequence[Observation], stalls: Stalls | None
) -> Provenance:
    counts = sorted(run.cycles for run in runs)
    given = f"; payload with SHA-256 {job.text_sha256[:16]}" if job.text_sha256 else ""
    without = " without stalls" if stalls else ""
    varies = f"; {counts[0]} to {counts[-1]} cycles{without} over {RUNS} secrets"
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256=model_sha256(job.platform.timing or ""),
        compiler=image.compiler,
        flags=image.flags,
        rig="emulator",
        version=__version__,
        window=build.window(job) + given + (varies if counts[0] != counts[-1] else ""),
        memory=_memory(job),
    )


def _memory(job: Job) -> str:
    wait = job.placed.flash_wait
    slow = f"{wait} flash wait states" if wait else "zero wait states"
    if has_caches(job.platform):
        slow = COLD
    return f"code in flash, tables in {job.placed.tables}, data and stack in RAM, {slow}"

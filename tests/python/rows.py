# SPDX-License-Identifier: MIT
"""Hand-made platforms, rows and refusals for tests of what uses measurements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import fakes

from aesfit.choosing.ranking import Candidate, Choice, choose
from aesfit.choosing.request import Limits, Request, jobs
from aesfit.jobs.job import Job, Provenance, Row
from aesfit.jobs.secrecy import Kind, Secrecy
from aesfit.platforms.toml_file import Quantity

PLATFORM = replace(
    fakes.PLATFORM,
    name="cortex-m3",
    title="Arm Cortex-M3",
    clock=Quantity(72, "MHz", "made up"),
    variable_multiply=True,
)
PROVENANCE = Provenance(
    sources_sha256="3f" * 32,
    platform_sha256="5e" * 32,
    timing_sha256="7d" * 32,
    compiler="arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
    flags="-mcpu=cortex-m3 -mthumb -O2",
    rig="fake",
    version="0.0.0",
    window="one message",
    memory="code and tables in flash, stack in RAM, no wait states",
)


@dataclass(frozen=True)
class Refused:
    """A refusal of a job that cannot be measured."""

    reason: str


@dataclass(frozen=True)
class Core:
    """What a core costs: cycles of key set-up and of a message, sizes in bytes."""

    cycles: float
    flash: int
    ram: int
    time: Kind = "here"
    setup: float = 500


CORES: Mapping[str, Core] = {
    "small": Core(cycles=300_800, flash=1000, ram=200),
    "middle": Core(cycles=150_400, flash=2000, ram=400),
    "wasteful": Core(cycles=200_000, flash=3000, ram=500),
    "safe": Core(cycles=180_000, flash=5000, ram=900, time="proved"),
    "fast": Core(cycles=75_200, flash=6000, ram=450, time="depends"),
}


TIMES: Mapping[Kind, Secrecy] = {
    "proved": Secrecy("independent", "proved"),
    "independent": Secrecy("independent", "4 runs"),
    "here": Secrecy("independent here", "4 runs"),
    "depends": Secrecy("depends on the key"),
}


def result(core: Core | Refused, job: Job) -> Row | Refused:
    """The row of a job of that core; `both` and `message` carry all its flash."""
    if isinstance(core, Refused):
        return core
    cycles = core.setup if job.op == "key-setup" else core.cycles
    payload = 0 if job.op == "key-setup" else job.bytes or 0
    whole = job.op in ("both", "message")
    return Row(
        platform=job.platform.name,
        core=job.core,
        key_bits=job.key_bits,
        op=job.op,
        mode=job.mode,
        bytes=payload,
        cycles=cycles,
        cycles_per_byte=cycles / payload if payload else None,
        instructions=round(cycles) - 10,
        code_bytes=core.flash - 256 if whole else 100,
        table_bytes=256,
        round_key_bytes=176,
        context_bytes=core.ram - 60,
        stack_bytes=60 if whole else 50,
        timing=TIMES[core.time].timing,
        evidence=TIMES[core.time].evidence,
        proved=f"{job.bytes} bytes" if core.time == "proved" else "",
        provenance=replace(PROVENANCE, flags=" ".join(job.flags or ("-O2",))),
    )


def results(
    asked: Sequence[Job], cores: Mapping[str, Core | Refused] = CORES
) -> list[Row | Refused]:
    """One for each job."""
    return [result(cores[job.core], job) for job in asked]


BASE = Request(PLATFORM, limits=Limits(timing="any"))
LEADING = Request(PLATFORM)
"""The same without a limit of timing: proved cores lead."""
RULES = "timing model cortex-m3: rules only"


def ask(request: Request = BASE, cores: Mapping[str, Core | Refused] = CORES) -> Choice:
    """The chooser's answer for the cores."""
    asked = jobs(request, cores)
    return choose(request, asked, results(asked, cores))


def best(choice: Choice) -> Candidate:
    """The winner, which there must be."""
    assert choice.winner is not None
    return choice.winner

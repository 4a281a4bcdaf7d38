# SPDX-License-Identifier: MIT
"""The rig of a board: a job's image runs on the user's own chip, and the chip's counter counts.

Images are those of every rig (building/build.py), in RAM unless flash may be written.  Every output
is compared with the library on the host.  Where nothing counts cycles, there is no row, and the
refusal says that the outputs are right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import cast

from ..._native import version as __version__
from ...building import build
from ...jobs.job import Job, Progress, Provenance, Row
from ...jobs.secrecy import Secrecy, runs_agree
from ...platforms.boards import BoardPlatform, check_waits
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
from ..firing import Firing, firing_of
from ..rig import RigUnavailableError
from .client import BoardError
from .machine import BoardExecution, BoardMachine
from .session import session_of

REPEATS = 30
"""Runs with the same secrets, of which the least counts."""
_FEWER = 5
"""Runs with each of the other secrets."""
SECRETS = 4
"""Different keys and texts that are the evidence of a timing."""


class NoCyclesError(RuntimeError):
    """The outputs are right, and nothing on the board counts cycles."""


class BoardRig:
    """Cycles of the chip itself."""

    name = "board"

    def why_not(self, platform: Platform) -> str | None:
        """None when compiler and board are there; else what to do."""
        if reason := build.why_not(platform):
            return reason
        try:
            session_of(board_platform(platform))
        except (RigUnavailableError, BoardError) as error:
            return str(error)
        return None

    def key(self, job: Job) -> str:
        """Digest of sources, compiler, rig, this very chip, and how flash and clock are set now."""
        platform = board_platform(job.platform)
        check_waits(platform, job.placement.flash_wait)
        session = session_of(platform)
        chip = session.number, tuple(session.state.items())
        return job_key(job, closure.digest(__name__), platform.board.name, chip)

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Rows of the jobs, one after another."""
        return one_by_one(_measure, jobs, progress)


def board_platform(platform: Platform) -> BoardPlatform:
    """The platform as what it is on this rig."""
    if not isinstance(platform, BoardPlatform):
        raise ValueError(f"{platform.name} is no board; name one: board:NAME")
    return platform


@dataclass(frozen=True)
class BoardCounts:
    """Cycles of one job on a board."""

    repeats: tuple[int, ...]
    """Of the same secrets."""
    least: tuple[int, ...]
    """The least of each set of secrets."""
    stack_bytes: int
    counter: str
    memory: str

    @property
    def equal(self) -> bool:
        """All secrets took as many cycles."""
        return len(set(self.least)) == 1


def counts_of(job: Job) -> BoardCounts:
    """Run a job's image on its board; NoCyclesError where only its outputs could be seen."""
    session = session_of(board_platform(job.platform))
    firing = firing_of(job)
    machine = BoardMachine(session, build.build(firing.job).elf)
    stack = _stack_bytes(firing, machine)
    if machine.counter is None:
        for number in range(1, SECRETS):
            firing.fire(machine, number)
        raise NoCyclesError(
            f"its outputs are right for {SECRETS} secrets, and no cycles were measured: "
            f"{machine.why_no_cycles}"
        )
    repeats = tuple(cycles_of(firing, machine, 0) for _ in range(REPEATS))
    others = (
        min(cycles_of(firing, machine, number) for _ in range(_FEWER))
        for number in range(1, SECRETS)
    )
    told = "; ".join((*session.settings(), session.watchdogs))
    return BoardCounts(repeats, (min(repeats), *others), stack, machine.counter_title, told)


def cycles_of(firing: Firing, machine: BoardMachine, number: int) -> int:
    """Cycles of the window with the secrets of that number, whose outputs are compared."""
    calls = cast(tuple[BoardExecution, ...], firing.fire(machine, number))
    return sum(call.cycles or 0 for call in calls)


def _stack_bytes(firing: Firing, machine: BoardMachine) -> int:
    machine.watches_stack = True
    calls = firing.fire(machine, 0)
    machine.watches_stack = False
    return max(call.stack_bytes for call in calls)


def _measure(job: Job) -> Row:
    image, found = build.build(job), counts_of(job)
    return row(
        job,
        image,
        cycles=min(found.repeats),
        cycles_min=min(found.repeats),
        cycles_max=max(found.repeats),
        cycles_median=median(found.repeats),
        instructions=None,
        stack_bytes=found.stack_bytes,
        secrecy=_secrecy(job, found),
        provenance=_provenance(job, image, found),
    )


def _secrecy(job: Job, found: BoardCounts) -> Secrecy:
    """Never more than that runs agree, of code that claims it."""
    claimed = claims_constant_time(job) and not multiplies_secrets(job)
    if claimed and found.equal:
        return Secrecy("independent", runs_agree(len(found.least)))
    return Secrecy("depends on the key")


def _provenance(job: Job, image: build.Image, found: BoardCounts) -> Provenance:
    agree = f"cycles equal over {SECRETS} secrets" if found.equal else ""
    window = window_told(job, found.least, "cycles", SECRETS)
    repeated = (
        f"the least of {REPEATS} runs, median {median(found.repeats):g}, most "
        f"{max(found.repeats)}; an empty call subtracted, so without the return; interrupts off"
    )
    return Provenance(
        sources_sha256=image.sources_sha256,
        platform_sha256=job.platform.sha256,
        timing_sha256="",
        compiler=image.compiler,
        flags=image.flags,
        rig=f"board, {found.counter}",
        version=__version__,
        window="; ".join(filter(None, (window, agree, repeated))),
        memory=_memory(job, found),
        clock=f"cycles by {found.counter}",
    )


def _memory(job: Job, found: BoardCounts) -> str:
    where = job.platform.home("code").name
    told = f"code in {where}, tables in {job.placed.tables}, data and stack in RAM"
    return "; ".join(filter(None, (told, found.memory, f"cycles by {found.counter}")))

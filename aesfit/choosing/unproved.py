# SPDX-License-Identifier: MIT
"""Sentences on a core that claims to be constant-time, but whose image is not proved."""

from ..catalog import cores
from ..jobs.job import Job
from ..measuring.proofs import timing_of
from ..platforms.platform import COUNTED
from ..proving.freestanding import NOT_FOLLOWED
from .request import Flags, Request, jobs

_NOT_KNOWN = "sampled, not proved: runs with different secrets agree, and no proof of this image is"


def unproved(request: Request, core: str, flags: Flags) -> str:
    """A phrase that nothing is proved, with the command that may prove it."""
    command = command_for(request, core, flags)
    if command is None:
        return f"{_NOT_KNOWN} known; images like it cannot be proved here"
    return f"{_NOT_KNOWN} known; this may prove it: {command}"


def command_for(request: Request, core: str, flags: Flags) -> str | None:
    """The `aesfit prove` command for the core in question; None if it cannot be proved.

    Ranked functions of the user have no such command.
    """
    if core not in {one.name for one in cores()}:
        return None
    return prove_command(jobs(request, [core], [flags])[0])


def prove_command(job: Job) -> str | None:
    """The `aesfit prove` command for the job's image; None if that cannot be proved."""
    platform = job.platform
    followed = platform.isa not in NOT_FOLLOWED and timing_of(job) is not None
    if not followed or job.flags is not None or job.placement.tables is not None:
        return None
    name = platform.name + (COUNTED if platform.rules is not None else "")
    words = ["aesfit prove --platform", name, "--core", job.core]
    words += ["--mode", job.mode] if job.mode else []
    words += ["--key-bits", str(job.key_bits)] if job.key_bits != 128 else []
    words += ["--ghash", job.ghash] if job.mode == "gcm" and job.ghash != "shift32" else []
    return " ".join(words)

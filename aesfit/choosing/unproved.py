# SPDX-License-Identifier: MIT
"""Sentences on a core whose time is independent of the key without a proof of its image."""

from ..catalog import cores
from ..jobs.job import Job, Row
from ..measuring.proofs import timing_of
from ..platforms.platform import COUNTED
from ..proving.freestanding import NOT_FOLLOWED
from .request import Flags, Request, jobs


def unproved(request: Request, row: Row, flags: Flags) -> str:
    """A phrase that the image is not proved, with what a proof lacks or may make it."""
    lacks = lacking(request, row, row.core, flags) or "images like it cannot be proved here"
    return f"not proved, {supported(row)}; {lacks}"


def lacking(request: Request, row: Row, core: str, flags: Flags) -> str:
    """Why the proof of the image is no evidence, or the command that may prove it; else empty."""
    command = command_for(request, core, flags)
    return row.unproved or (f"this may prove it: {command}" if command else "")


def supported(row: Row) -> str:
    """What speaks for independence instead of a proof."""
    if row.evidence is None:
        return "independent of the key by the claim of its code alone"
    return f"independent of the key in {row.evidence} with different secrets"


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
    moved = job.placement.tables is not None and job.implementation.tables
    if not followed or job.flags is not None or moved:
        return None
    name = platform.name + (COUNTED if platform.rules is not None else "")
    words = ["aesfit prove --platform", name, "--core", job.core]
    words += ["--mode", job.mode] if job.mode else []
    words += ["--key-bits", str(job.key_bits)] if job.key_bits != 128 else []
    words += ["--ghash", job.ghash] if job.hashes and job.ghash != "shift32" else []
    return " ".join(words)

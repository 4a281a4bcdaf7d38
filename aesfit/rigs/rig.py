# SPDX-License-Identifier: MIT
"""The contract of a rig: a way of running code.

A rig is a class that follows `Rig`, in `<folder>/rig.py` or in a file of its own beside this one.
It runs jobs, checks every output against the library on the host, and refuses what it cannot
measure (RigUnavailableError, ValueError); it never guesses.
"""

from collections.abc import Sequence
from typing import Protocol

from ..jobs.job import Job, Progress, Row
from ..platforms.platform import Platform


class RigUnavailableError(RuntimeError):
    """What a rig needs is missing; the message ends with the command that would provide it."""


class Rig(Protocol):
    """A way of running code."""

    name: str

    def why_not(self, platform: Platform) -> str | None:
        """None when it can measure there; else a sentence with the command that would help."""

    def key(self, job: Job) -> str:
        """Digest of all that the result depends on; equal keys give equal results."""

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Measure jobs in order; `progress` gets the jobs done and their number."""

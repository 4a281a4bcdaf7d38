# SPDX-License-Identifier: MIT
"""The contract of a rig: a way of running code.

A rig is a module of this folder with a class that follows `Rig`.  It runs jobs, checks every
output against the library on the host, and refuses (RigUnavailable, ValueError) what it cannot
measure; it never guesses.
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
        """Digest of all that the result hangs on; equal keys give equal results."""

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Measure jobs in order; `progress` gets the jobs done and their number."""

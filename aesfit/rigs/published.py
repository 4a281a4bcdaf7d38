# SPDX-License-Identifier: MIT
"""The rig of platforms on which nothing can be run, because only their coefficients are known."""

from collections.abc import Sequence

from ..jobs.job import Job, Progress, Row
from ..platforms.platform import Platform
from .rig import RigUnavailableError


class PublishedRig:
    """Refuses every job, and says what can be asked instead."""

    name = "published"

    def why_not(self, platform: Platform) -> str | None:
        """The reason, which ends with the command that does work there."""
        return (
            f"nothing can be run on {platform.name}, whose coefficients are published; ask the "
            f"cache model: aesfit predict --platform {platform.name}"
        )

    def key(self, job: Job) -> str:
        """Refuse: there is no result that a key could name."""
        raise RigUnavailableError(self.why_not(job.platform))

    def measure(self, jobs: Sequence[Job], progress: Progress) -> list[Row]:
        """Refuse the first job."""
        for job in jobs:
            raise RigUnavailableError(self.why_not(job.platform))
        return []

# SPDX-License-Identifier: MIT
"""Rows for the chooser: from the atlas where it has them, else measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..atlas.look_up import known
from ..atlas.origin import AtlasOrigin
from ..jobs.job import Job, Progress
from ..measuring.measure import Result, measure


@dataclass(frozen=True)
class Answered:
    """A result for each job."""

    results: tuple[Result, ...]
    origin: AtlasOrigin | None = None
    """Of those that are from the atlas; None where none is."""
    warnings: tuple[str, ...] = ()


def answered(jobs: Sequence[Job], *, fresh: bool, progress: Progress) -> Answered:
    """What the atlas knows of the jobs, and the others measured; `fresh`: measure all."""
    found = None if fresh else known(jobs)
    if found is None or found.origin is None:
        rows = tuple(measure(jobs, fresh=fresh, progress=progress))
        return Answered(rows, warnings=found.warnings if found else ())
    left = [job for job, row in zip(jobs, found.rows, strict=True) if row is None]
    done = len(jobs) - len(left)
    progress(done, len(jobs))
    rest = iter(
        measure(left, progress=lambda more, _: progress(done + more, len(jobs))) if left else ()
    )
    rows = tuple(next(rest) if row is None else row for row in found.rows)
    return Answered(rows, found.origin, found.warnings)

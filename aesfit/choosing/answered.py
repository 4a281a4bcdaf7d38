# SPDX-License-Identifier: MIT
"""Rows for the chooser: from the atlas where it has them, else measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..atlas.look_up import known
from ..atlas.origin import AtlasOrigin
from ..jobs.job import Job, Progress
from ..measuring.measure import Result, measure, stored


@dataclass(frozen=True)
class Answered:
    """A result for each job."""

    results: tuple[Result | None, ...]
    """None: of what would have to be measured, which was not to be done."""
    origin: AtlasOrigin | None = None
    """Of those that are from the atlas; None where none is."""
    warnings: tuple[str, ...] = ()


def answered(
    jobs: Sequence[Job], *, fresh: bool, progress: Progress, only_known: bool = False
) -> Answered:
    """What the atlas knows of the jobs, and the others measured; `fresh`: measure all.

    `only_known`: measure none, but take what is stored.
    """
    found = None if fresh else known(jobs)
    if found is None or found.origin is None:
        warnings = found.warnings if found else ()
        if only_known:
            return Answered(tuple(stored(jobs)), warnings=warnings)
        return Answered(tuple(measure(jobs, fresh=fresh, progress=progress)), warnings=warnings)
    left = [job for job, row in zip(jobs, found.rows, strict=True) if row is None]
    done = len(jobs) - len(left)
    progress(done, len(jobs))
    rest = iter(_others(left, lambda more, _: progress(done + more, len(jobs)), only_known))
    rows = tuple(next(rest) if row is None else row for row in found.rows)
    return Answered(rows, found.origin, found.warnings)


def _others(left: Sequence[Job], progress: Progress, only_known: bool) -> Sequence[Result | None]:
    """Of jobs that the atlas does not know."""
    if only_known or not left:
        return stored(left)
    return measure(left, progress=progress)

# SPDX-License-Identifier: MIT
"""Which cores a question finds in the atlas or in the store, so that no measuring is needed."""

from collections.abc import Sequence

from ..atlas.look_up import known
from ..jobs.job import Job
from ..rigs import rig_of
from ..store.rows import RowStore
from .request import Request, jobs


def stored_cores(request: Request, cores: Sequence[str]) -> list[str]:
    """Those of the cores whose rows are all known; coefficients of bursts are not looked for."""
    asked = [job for part in request.parts for job in jobs(part, cores)]
    left = [job for job, row in zip(asked, known(asked).rows, strict=True) if row is None]
    missing = {job.core for job in set(left) - _stored(left)}
    return [core for core in cores if core not in missing]


def _stored(asked: Sequence[Job]) -> set[Job]:
    """Those whose rows are in the store; none without the compiler, which is part of their keys."""
    try:
        keys = {job: rig_of(job.platform).key(job) for job in asked}
    except RuntimeError:  # which measuring will report
        return set()
    found = RowStore().find(list(keys.values()))
    return {job for job, key in keys.items() if key in found}

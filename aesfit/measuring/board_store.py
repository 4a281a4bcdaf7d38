# SPDX-License-Identifier: MIT
"""Rows of boards and the store: a board is measured anew unless the user asks for stored rows.

Even then a stored row is taken only if it is surely of this very chip with flash and clock set as
they are now, and it says in its line that it was stored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..jobs.job import Job, Row
from ..platforms.boards import BoardPlatform

FROM_STORE = "; measured before, from the store"
"""At the end of what a stored row says of its rig."""


def reusable(jobs: Iterable[Job]) -> set[Job]:
    """The jobs whose rows may be taken from the store."""
    return {job for job in jobs if not _measured_anew(job)}


def _measured_anew(job: Job) -> bool:
    platform = job.platform
    if not isinstance(platform, BoardPlatform):
        return False
    return not platform.stored or bool(_why_not_stored(platform))


def _why_not_stored(platform: BoardPlatform) -> str:
    from ..rigs.board.session import session_of  # start-up time of who has no board

    return session_of(platform).why_not_stored


def why_measured(jobs: Iterable[Job]) -> list[str]:
    """A sentence for each board whose stored rows were asked for and are not taken."""
    asked = {
        job.platform.name: job.platform
        for job in jobs
        if isinstance(job.platform, BoardPlatform) and job.platform.stored
    }
    reasons = {name: _why_not_stored(one) for name, one in asked.items()}
    return [f"{name} is measured anew: {why}" for name, why in reasons.items() if why]


def marked(rows: Mapping[str, Row], keys: Mapping[Job, str]) -> dict[str, Row]:
    """The stored rows; those of boards say that they are stored."""
    boards = {key for job, key in keys.items() if isinstance(job.platform, BoardPlatform)}
    return {key: _marked(row) if key in boards else row for key, row in rows.items()}


def told_of_stored(rows: Mapping[str, Row]) -> list[str]:
    """A sentence for each board with the number of its stored rows, for tables without lines."""
    names = [row.platform for row in rows.values() if was_stored(row)]
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    return [
        f"{count} row{'' if count == 1 else 's'} of {name} measured before"
        for name, count in counts.items()
    ]


def _marked(row: Row) -> Row:
    told = replace(row.provenance, rig=row.provenance.rig + FROM_STORE)
    return replace(row, provenance=told)


def was_stored(row: Row) -> bool:
    """Whether a row of a board was measured before."""
    return row.provenance.rig.endswith(FROM_STORE)

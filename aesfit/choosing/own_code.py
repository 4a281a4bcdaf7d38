# SPDX-License-Identifier: MIT
"""The user's own functions among the cores: what they are asked, and their rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..counting.stand_in import StandIn
from ..jobs.job import Job, Row
from .request import Flags, Request, jobs


@dataclass(frozen=True)
class OwnRows:
    """Rows of functions that are no cores."""

    rows: tuple[tuple[Job, Row], ...] = ()
    warnings: tuple[str, ...] = ()
    """What the user should know of the files, a sentence each."""


def check_own_code(request: Request, also: Sequence[StandIn]) -> None:
    """ValueError for a question or for files with which the functions cannot be ranked."""
    if not also:
        return
    from ..counting.bound import check_stand_in  # needs what only the emulator needs
    from ..counting.stand_in_row import check_question  # as above

    for one in also:
        check_question(
            request.platform, request.mode, decrypts=not request.only_encrypts, title=one.title
        )
        check_stand_in(one, request.platform)
    if request.bursts is not None or request.placement.tables is not None:
        raise ValueError(
            f"{also[0].title} is ranked without bursts, and its tables stay where it has them; "
            "leave --calls-per-burst, --evicted, --explain and --tables out"
        )


def own_rows(request: Request, also: Sequence[StandIn], variants: Sequence[Flags]) -> OwnRows:
    """Measure the functions; the first that does not compute AES ends it with WrongOutputError."""
    if not also:
        return OwnRows()
    from ..counting.stand_in_row import row_of  # needs what only the emulator needs

    rows: list[tuple[Job, Row]] = []
    warnings: list[str] = []
    for one in also:
        for job in jobs(request, [one.title], variants):
            row, told = row_of(job, one)
            rows.append((job, row))
            warnings += told
    return OwnRows(tuple(rows), tuple(dict.fromkeys(warnings)))

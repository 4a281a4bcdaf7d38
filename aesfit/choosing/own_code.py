# SPDX-License-Identifier: MIT
"""The user's own functions beside the cores: checks of the question, and their rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..counting.stand_in import StandIn
from ..errors import ArgumentError
from ..jobs.job import Job, Row
from .request import Flags, Request, jobs


@dataclass(frozen=True)
class OwnRows:
    """Rows of the user's functions."""

    rows: tuple[tuple[Job, Row], ...] = ()
    warnings: tuple[str, ...] = ()
    """Warnings about the files, a sentence each."""


def check_own_code(request: Request, also: Sequence[StandIn]) -> None:
    """Raise ValueError if the question or the files prevent ranking the functions."""
    if not also:
        return
    from ..counting.bound import check_stand_in  # needs what only the emulator needs
    from ..counting.stand_in_row import check_question  # as above

    if request.packets:
        raise ArgumentError(
            "{} is ranked for messages of one size; leave {packets} out", also[0].title
        )
    for one in also:
        check_question(
            request.platform, request.mode, decrypts=not request.only_encrypts, title=one.title
        )
        check_stand_in(one, request.platform)
    if request.bursts is not None or request.placement.tables is not None:
        raise ArgumentError(
            "{} is ranked without bursts, and its tables cannot be moved; leave {calls_per_burst}, "
            "{evicted}, {explain} and {tables} out",
            also[0].title,
        )


def own_rows(request: Request, also: Sequence[StandIn], variants: Sequence[Flags]) -> OwnRows:
    """Measure the functions; WrongOutputError for the first that does not compute AES."""
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

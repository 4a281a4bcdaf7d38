# SPDX-License-Identifier: MIT
"""The user's own functions beside the cores: checks of the question, and their rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..counting.own import OwnFunction
from ..counting.own_image import check_own_files, warnings_of
from ..counting.own_row import check_question, own_row
from ..errors import ArgumentError
from ..jobs.job import Job, Row
from .request import Flags, Request, jobs


@dataclass(frozen=True)
class OwnRows:
    """Rows of the user's functions."""

    rows: tuple[tuple[Job, Row], ...]
    warnings: tuple[str, ...]
    """Warnings about the files, a sentence each."""


def check_own_code(request: Request, also: Sequence[OwnFunction]) -> None:
    """Raise ValueError if the question or the files prevent ranking the functions."""
    if request.packets:
        raise ArgumentError(
            "{} is ranked for messages of one size; leave {packets} out", also[0].title
        )
    for one in also:
        check_question(
            request.platform, request.mode, decrypts=not request.only_encrypts, title=one.title
        )
        check_own_files(one, request.platform)
    if request.bursts is not None or request.placement.tables is not None:
        raise ArgumentError(
            "{} is ranked without bursts, and its tables cannot be moved; leave {calls_per_burst}, "
            "{evicted}, {explain} and {tables} out",
            also[0].title,
        )


def own_rows(request: Request, also: Sequence[OwnFunction], variants: Sequence[Flags]) -> OwnRows:
    """Measure the functions; WrongOutputError for the first that does not compute AES."""
    asked = [(job, one) for one in also for job in jobs(request, [one.title], variants)]
    rows = tuple((job, own_row(job, one)) for job, one in asked)
    warnings = [told for one in also for told in warnings_of(one.files, request.platform)]
    return OwnRows(rows, tuple(dict.fromkeys(warnings)))

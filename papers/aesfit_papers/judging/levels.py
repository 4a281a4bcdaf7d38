# SPDX-License-Identifier: MIT
"""Levels of the compiler in rows: each platform's own flags are shown, those of RELEASE judged."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

from .cells import PLACE
from .contract import Row
from .place import ClaimPlace, in_row
from .places import RELEASE

OWN_FLAGS: str | None = None
"""The level of rows with each platform's own flags; they are shown and not judged."""
LEVELS = (OWN_FLAGS, *RELEASE)
"""All levels of rows in the column "flags"."""


def job_at(job: Job, level: str | None) -> Job:
    """The job at a level, or as it is."""
    return job if level is None else replace(job, flags=(level,))


def platform_at(name: str, level: str | None) -> Platform:
    """The platform whose code is compiled at a level, or with its own flags."""
    own = platform_named(name)
    if level is None:
        return own
    digest = sha256(f"{own.sha256} {level}".encode()).hexdigest()
    return replace(own, compiler=replace(own.compiler, optimise=(level,)), sha256=digest)


def place_of(row: Row) -> ClaimPlace:
    """The platform, and the level if the row has one."""
    return in_row(row, *PLACE)


def by_place(rows: Sequence[Row], *names: str) -> Callable[..., Row]:
    """A row by its place and the values of those columns."""
    by_key = {(place_of(row), *(row[name] for name in names)): row for row in rows}
    return lambda *key: by_key[key]


def with_own_flags(rows: Sequence[Row]) -> list[Row]:
    """Rows of the platforms' own flags, which tables and charts show."""
    return [row for row in rows if row["flags"] is OWN_FLAGS]


def at_levels(rows: Sequence[Row]) -> list[Row]:
    """Rows at a level, which are judged."""
    return [row for row in rows if row["flags"] is not OWN_FLAGS]

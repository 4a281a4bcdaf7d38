# SPDX-License-Identifier: MIT
"""Rows for experiments, and their provenance: lines for the foot of tables."""

import datetime
from collections.abc import Iterable, Sequence
from hashlib import sha256

from aesfit.jobs.job import Job, Progress, Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.trust import trust
from aesfit.rigs.host.row import processor_name

_SHORT = 12
"""Hexadecimal digits of a shortened digest."""


def measured(
    jobs: Sequence[Job],
    progress: Progress = lambda done, total: None,
    *,
    fresh: bool = False,
) -> list[Row]:
    """A row for each job, from the store or measured; RuntimeError if one is refused.

    Jobs of the host need `fresh`, because stored rows do not say when they were measured.
    """
    rows = []
    for job, result in zip(jobs, measure(jobs, fresh=fresh, progress=progress), strict=True):
        if not isinstance(result, Row):
            raise RuntimeError(f"{job.core} on {job.platform.name}: {result.reason}")
        rows.append(result)
    return rows


def lines(rows: Sequence[Row]) -> tuple[str, ...]:
    """Lines: one for each platform in the order of the rows, machine and day, sources."""
    names = list(dict.fromkeys(row.platform for row in rows))
    told = [_platform(name, [row for row in rows if row.platform == name]) for name in names]
    if any(row.provenance.rig == "host" for row in rows):
        told.append(machine())
    return (*told, sources(rows))


def machine() -> str:
    """Day and computer, for what was timed here just now."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"timed on {today} on {processor_name()}"


def sources(rows: Iterable[Row]) -> str:
    """Version, and one digest over all that was compiled."""
    found = [row.provenance for row in rows]
    digests = "".join(sorted({one.sources_sha256 for one in found}))
    versions = ", ".join(sorted({one.version for one in found}))
    return f"aesfit {versions}, sources {sha256(digests.encode()).hexdigest()[:_SHORT]}"


def rests_on(platform: Platform) -> str:
    """The evidence for the cycles of a platform."""
    return trust(platform).sentence


def _platform(name: str, rows: Sequence[Row]) -> str:
    compilers = ", ".join(dict.fromkeys(row.provenance.compiler for row in rows))
    flags = _flags(list(dict.fromkeys(row.provenance.flags for row in rows)))
    try:
        checked = rests_on(platform_named(name))
    except ValueError:  # a platform made only for the experiment
        checked = rows[0].provenance.rig
    return f"{name}: {compilers}; {flags}; {checked}"


def _flags(every: Sequence[str]) -> str:
    """Flags for processor and optimisation: the common ones, then the differing ones.

    From -std on they are the same everywhere; linker flags change no instruction.
    """
    chosen = [
        [word for word in one.split(" -std=")[0].split() if not word.startswith("-Wl,")]
        for one in every
    ]
    alike = [word for word in chosen[0] if all(word in words for words in chosen)]
    apart = dict.fromkeys(" ".join(w for w in words if w not in alike) for words in chosen)
    told = " or ".join(one or "nothing more" for one in apart)
    return " ".join(alike) + (f", then {told}" if len(apart) > 1 else "")

# SPDX-License-Identifier: MIT
"""CBC over a file on emulated platforms, in cycles: small sizes run, larger ones extrapolated.

The line goes through the two largest sizes that are run; the residuals of the others test whether
cycles are linear in the size.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from aesfit.jobs.job import Job, Progress, Row
from aesfit.measuring.measure import Refusal, Result, measure
from aesfit.platforms.platform import Platform

from . import javed
from .question import OPS, FileBench, FileOutcome, FileRow, FileSource, FittedLine, OpRow

UNIT = "cycles"
LARGEST_RUN = 64 << 10
"""Largest size in bytes that is run; larger ones are extrapolated."""
TOLERANCE = 1e-3
"""Largest relative residual of a line with which it is extrapolated."""
_LEAST_POINTS = 3
_SMALL = 4 << 10
"""Bytes up to which all sizes are measured in one run."""


def sizes_run(sizes: Sequence[int]) -> tuple[int, ...]:
    """Sizes to run: if there are larger ones, also the paper's that define the line."""
    small = {size for size in sizes if size <= LARGEST_RUN}
    if any(size > LARGEST_RUN for size in sizes):
        small |= {size for size in javed.SIZES if size <= LARGEST_RUN}
    return tuple(sorted(small))


def run(
    platform: Platform,
    asked: FileBench,
    source: FileSource,
    progress: Progress,
    *,
    fresh: bool = False,
) -> FileOutcome:
    """Measure all sizes; `progress` gets the bytes encrypted so far, and their total."""
    pairs = list(product(asked.levels, asked.cores))
    sizes = sizes_run(asked.sizes)
    found: dict[Job, Result] = {}

    def take(jobs: Sequence[Job]) -> None:
        found.update(zip(jobs, measure(jobs, fresh=fresh), strict=True))

    take([asked.job(platform, core, level, op) for level, core in pairs for op in OPS])
    for some in _portions(sizes):
        data = [source.data[:size] for size in some]
        take([asked.cbc(platform, core, level, one) for level, core in pairs for one in data])
        progress(sum(size for size in sizes if size <= some[-1]), sum(sizes))
    place = {(core, level): at for at, (level, core) in enumerate(pairs)}
    found = dict(sorted(found.items(), key=lambda one: place[one[0].core, one[0].flags or ()]))
    return outcome(asked, found)


def _portions(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    small = tuple(size for size in sizes if size <= _SMALL)
    return [*([small] if small else []), *((size,) for size in sizes if size > _SMALL)]


def outcome(asked: FileBench, found: Mapping[Job, Result]) -> FileOutcome:
    """Rows for all sizes asked for, from the results of one platform."""
    cbc: dict[tuple[str, str, str], dict[int, float]] = {}
    ops, refused, provenance = [], [], {}
    for job, result in found.items():
        where = (job.platform.name, job.core, " ".join(job.flags or ()))
        if isinstance(result, Refusal):
            refused.append(f"{', '.join(where)}: {result.reason}")
            continue
        provenance[job.platform.name] = _provenance(job.platform, result)
        if job.mode:
            cbc.setdefault(where, {})[result.bytes] = result.cycles
        else:
            ops.append(OpRow(*where, job.op, result.cycles, result.cycles, UNIT))
    rows, lines = [], []
    for where, cycles in cbc.items():
        line = line_through(cycles, where) if asked.sizes[-1] > LARGEST_RUN else None
        lines += [line] if line else []
        rows += _rows(asked, where, cycles, line)
    refused += [_told(line) for line in lines if line.reason]
    return FileOutcome(
        tuple(rows), tuple(ops), tuple(lines), tuple(dict.fromkeys(refused)),
        tuple(provenance.values()),
    )  # fmt: skip


def line_through(cycles: Mapping[int, float], where: tuple[str, str, str]) -> FittedLine:
    """Fit the line of cycles over bytes; `where` is platform, core and flags."""
    sizes = sorted(cycles)
    if len(sizes) < _LEAST_POINTS:
        few = f"a line needs {_LEAST_POINTS} sizes up to {LARGEST_RUN} bytes"
        return FittedLine(*where, 0.0, 0.0, 0.0, 0, few)
    near, far = sizes[-2:]
    slope = (cycles[far] - cycles[near]) / (far - near)
    start = cycles[far] - slope * far
    residual, worst = max(
        (abs(cycles[size] - start - slope * size) / cycles[size], size) for size in sizes
    )
    bent = (
        f"cycles do not rise as a line does: {worst} bytes lie {residual:.2%} beside the one "
        f"through {near} and {far}, and {TOLERANCE:.1%} is allowed"
    )
    straight = residual <= TOLERANCE
    return FittedLine(*where, start, 16 * slope, residual, worst, None if straight else bent)


def _told(line: FittedLine) -> str:
    return (
        f"{line.platform}, {line.core}, {line.flags}: sizes above {LARGEST_RUN} bytes are not "
        f"extrapolated; {line.reason}"
    )


def _rows(
    asked: FileBench,
    where: tuple[str, str, str],
    cycles: Mapping[int, float],
    line: FittedLine | None,
) -> list[FileRow]:
    rows = []
    for size in asked.sizes:
        if size in cycles:
            rows.append(FileRow(*where, size, None, cycles[size], cycles[size], UNIT))
        elif size > LARGEST_RUN and line is not None and line.reason is None:
            value = round(line.cycles + line.cycles_per_block * size / 16)
            rows.append(FileRow(*where, size, None, value, value, UNIT, extrapolated=True))
    return rows


def _provenance(platform: Platform, row: Row) -> dict[str, Any]:
    return {
        "platform": platform.name,
        "compiler": row.provenance.compiler,
        "target": " ".join(platform.compiler.target),
        "measured_on": f"{row.provenance.rig}, {platform.timing or 'no timing model'}",
        "clock": f"cycles; {row.provenance.memory}",
    }

# SPDX-License-Identifier: MIT
"""Lines that are missing or old, measured or carried over: what tools/make_atlas.py writes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from .._native import version as __version__
from ..building.build import BuildError, build
from ..jobs.job import Job, Row
from ..measuring.measure import Result
from ..platforms.platform import Platform
from .cells import Setting, UnfitRowError, abridged, image_cell, names_image, run_cell
from .lines import REFUSED, SIZES, Group, Line, Subject, sparse
from .look_up import is_current, is_measured_alike, recipe
from .origin import tools_here

Measured = Mapping[tuple[str, int], Result]
"""Of a line: by operation and payload."""


def kept(group: Group | None, jobs: Mapping[Subject, Job]) -> dict[Subject, Line]:
    """Lines that need not be measured; `jobs`: one of each line that is wanted."""
    if group is None or not jobs:
        return {}
    platform = next(iter(jobs.values())).platform
    if group.tools != tools_here(platform):
        return {}
    lines = group.lines.items()
    return {asked: line for asked, line in lines if asked in jobs and is_current(line, jobs[asked])}


def carried(line: Line, job: Job) -> Line | None:
    """An old line with today's key, if today's images are the bytes that were measured.

    Images are built, and nothing runs.  None if how lines are measured has changed too, if an image
    differs, or if the line holds a refusal; `job`: one that the line holds.
    """
    made = recipe(line.asked, job)
    if made is None or not is_measured_alike(line, job) or _refuses(line):
        return None
    for op in line.asked.ops:
        try:
            image = build(replace(job, op=op))
        except BuildError:
            return None
        if not names_image(line.cells(op, SIZES[0])[0], image.sha256):
            return None
    return replace(line, key=made.key)


def _refuses(line: Line) -> bool:
    return any(cell.startswith(REFUSED) for cells in line.runs for cell in cells)


def line_of(asked: Subject, job: Job, measured: Measured, memory: str) -> Line:
    """The line of what was measured; `job`: one that it holds."""
    each = {key: replace(job, op=key[0], bytes=key[1]) for key in measured}
    held = {key: _held(each[key], result, memory) for key, result in measured.items()}
    images = [_image(op, held) for op in asked.ops]
    runs = [[_run(each[op, size], held[op, size], memory) for op in asked.ops] for size in SIZES]
    nothing = [""] * len(asked.ops)
    made = recipe(asked, job)
    if made is None:
        raise UnfitRowError(f"nothing says what the figures of {job.core} depend on")
    return Line(
        asked,
        made.key,
        sparse(images, ["", *images[:-1]]),
        tuple(map(sparse, runs, [nothing, *runs[:-1]])),
    )


def _held(job: Job, result: Result, memory: str) -> Result:
    return abridged(job, result, memory) if isinstance(result, Row) else result


def _image(op: str, measured: Measured) -> str:
    """The cell of the image, with a whole digest where any of its runs may be proved."""
    cells = {image_cell(row) for size in SIZES if isinstance(row := measured[op, size], Row)}
    longest = max(cells, key=len, default="")
    if any(not longest.startswith(cell.partition(":")[0]) for cell in cells):
        raise UnfitRowError(f"{op} has different images by payload")
    return longest


def _run(job: Job, result: Result, memory: str) -> str:
    if isinstance(result, Row):
        return run_cell(job, result, memory)
    return REFUSED + result.reason


def setting_of(platform: Platform, rows: Sequence[Row], before: Group | None) -> Setting:
    """What rows of a platform share; a group that is there has chosen it."""
    if before is not None:
        return before.setting
    memory = min((row.provenance.memory for row in rows), key=len, default="")
    return Setting(tools_here(platform).compiler, __version__, memory)


def group_with(
    platform: Platform, setting: Setting, lines: Mapping[Subject, Line], day: date
) -> Group:
    """The group of these lines, as measured with the tools that are installed."""
    return Group(platform.name, day.isoformat(), tools_here(platform), setting, lines)

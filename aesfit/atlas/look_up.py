# SPDX-License-Identifier: MIT
"""What the atlas knows of jobs: rows as they would be measured, without compiling anything."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..jobs.job import Job, Placement
from ..measuring.measure import Refusal, Result
from ..measuring.proofs import with_proof
from . import keys, lines
from .cells import row_from
from .keys import Recipe, UnknownSourcesError, recipe_of
from .lines import DIRECTIONS, REFUSED, DamagedAtlasError, Group, Line, Subject
from .origin import AtlasOrigin, lacking, others

_recipes: dict[tuple[Subject, str, Placement], Recipe] = {}
"""By what they are about; made once in a process, as closure.digest() is."""


@dataclass(frozen=True)
class AtlasRows:
    """Rows of the atlas."""

    rows: tuple[Result | None, ...]
    """In the order of the jobs; None where the atlas has no row that holds."""
    origin: AtlasOrigin | None = None
    """None where there are no rows."""
    warnings: tuple[str, ...] = ()
    """What is wrong with the file, a sentence each."""


def known(jobs: Sequence[Job]) -> AtlasRows:
    """What the atlas knows of jobs of one platform; milliseconds."""
    nothing = (None,) * len(jobs)
    if not any(map(_may_be_there, jobs)):
        return AtlasRows(nothing)
    platform = jobs[0].platform
    try:
        group = lines.group_of(platform.name, lines.PATH)
    except DamagedAtlasError as error:
        return AtlasRows(nothing, warnings=(str(error),))
    if group is None or others(platform, group.tools):
        return AtlasRows(nothing)
    found = tuple(_result(job, group) if _may_be_there(job) else None for job in jobs)
    number = sum(row is not None for row in found)
    if not number:
        return AtlasRows(nothing)
    told = group.date, group.tools.compiler, lacking(platform)
    return AtlasRows(found, AtlasOrigin(*told, number, len(jobs)))


def is_current(line: Line, job: Job) -> bool:
    """Whether the line would be measured alike today; `job`: one that it holds."""
    found = recipe(line.asked, job)
    return found is not None and line.key == found.key


def is_measured_alike(line: Line, job: Job) -> bool:
    """Whether at most what is compiled changed since the line was measured."""
    found = recipe(line.asked, job)
    return found is not None and line.key.endswith(found.measured)


def recipe(asked: Subject, job: Job) -> Recipe | None:
    """What a line depends on; `job`: one that it holds.  None where that cannot be said."""
    about = asked, job.platform.sha256, job.placed
    if about not in _recipes:
        try:
            _recipes[about] = recipe_of([replace(job, op=op) for op in asked.ops])
        except (UnknownSourcesError, ValueError):  # ValueError: a core that does not run there
            return None
    return _recipes[about]


def forget() -> None:
    """Make keys again, from the sources as they are now."""
    _recipes.clear()
    keys.forget()


def _may_be_there(job: Job) -> bool:
    """Whether it is a question that the atlas is about."""
    usual = job.flags is None and job.text is None and not job.warm
    return (
        usual
        and job.platform.rig == "emulator"
        and job.key_bits == lines.KEY_BITS
        and job.mode in lines.MODES
        and job.bytes in lines.SIZES
    )


def _result(job: Job, group: Group) -> Result | None:
    """The row of a job, or why there is none; None where the atlas does not know."""
    for directions in DIRECTIONS:
        asked = lines.asked_of(job, directions)
        line = group.lines.get(asked)
        if line is None or job.op not in asked.ops:
            continue
        made = recipe(asked, job)
        if made is None or made.key != line.key:
            continue
        image, run = line.cells(job.op, job.bytes or 0)
        if run.startswith(REFUSED):
            return Refusal(job, run.removeprefix(REFUSED))
        return with_proof(job, row_from(job, image, run, made.sources[job.op], group.setting))
    return None

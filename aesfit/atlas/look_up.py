# SPDX-License-Identifier: MIT
"""What the atlas knows of jobs: rows as they would be measured, without compiling anything."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..jobs.job import Job, Placement
from ..measuring.measure import Refusal, Result
from ..measuring.proofs import with_proof
from ..store import stamp
from . import keys, lines
from .cells import row_from
from .keys import Recipe, UnknownSourcesError, recipe_of
from .lines import DIRECTIONS, REFUSED, DamagedAtlasError, Group, Line, Subject
from .origin import AtlasOrigin, lacking, others

_About = tuple[Subject, str, Placement]
_recipes: dict[_About, Recipe] = {}
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
    held = [_lines_of(job, group) if _may_be_there(job) else [] for job in jobs]
    _recall([(line.asked, job) for job, some in zip(jobs, held, strict=True) for line in some])
    found = tuple(_result(job, some, group) for job, some in zip(jobs, held, strict=True))
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
    about = _about(asked, job)
    if about not in _recipes:
        try:
            _recipes[about] = recipe_of([replace(job, op=op) for op in asked.ops])
        except (UnknownSourcesError, ValueError):  # ValueError: a core that does not run there
            return None
    return _recipes[about]


def _about(asked: Subject, job: Job) -> _About:
    return asked, job.platform.sha256, job.placed


def _recall(wanted: Sequence[tuple[Subject, Job]]) -> None:
    """Have the recipes of these lines ready, those from the user's cache without a look at sources.

    Those that cannot be made are left out.
    """
    by_about = {_about(*one): one for one in wanted}
    by_name = {repr(about): one for about, one in by_about.items() if about not in _recipes}

    def make() -> dict[str, Any]:
        made = {name: recipe(*one) for name, one in by_name.items()}
        return {
            name: [one.compiled, one.measured, one.sources]
            for name, one in made.items()
            if one is not None
        }

    if by_name:
        for name, facts in stamp.kept("recipes", list(by_name), make).items():
            _recipes[_about(*by_name[name])] = Recipe(*facts)


def forget() -> None:
    """Make keys again, from the sources as they are now."""
    stamp.doubt()
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


def _lines_of(job: Job, group: Group) -> list[Line]:
    """The lines that hold the job, by the directions of their firmware."""
    found = (group.lines.get(lines.asked_of(job, directions)) for directions in DIRECTIONS)
    return [line for line in found if line is not None and job.op in line.asked.ops]


def _result(job: Job, held: Sequence[Line], group: Group) -> Result | None:
    """The row of a job, or why there is none; None where no line that holds it is current."""
    for line in held:
        made = recipe(line.asked, job)
        if made is None or made.key != line.key:
            continue
        image, run = line.cells(job.op, job.bytes or 0)
        if run.startswith(REFUSED):
            return Refusal(job, run.removeprefix(REFUSED))
        return with_proof(job, row_from(job, image, run, made.sources[job.op], group.setting))
    return None

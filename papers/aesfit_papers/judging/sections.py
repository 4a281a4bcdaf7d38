# SPDX-License-Identifier: MIT
"""Experiments as the report shows them: results, tables and pictures, claims with verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .contract import Experiment, Figure, Measured, Paper, Part
from .run import Judged, command_line, judged, stored
from .verdict import GROUPS, OUTCOMES, Group


@dataclass(frozen=True)
class Section:
    """An experiment with its results, or with how to get them."""

    experiment: Experiment
    measured: Measured | None
    parts: Sequence[Part] = ()
    claims: Sequence[Judged] = ()
    missing: str = ""
    """Why there are no results, and the command that makes them."""


ByPaper = Mapping[Paper, Sequence[Section]]
"""Each paper's experiments, in the order of its text."""


def section(experiment: Experiment, *, drawn: bool = True) -> Section:
    """Render from its CSV; without `drawn` only the claims, not tables and pictures."""
    try:
        measured = stored(experiment)
    except ValueError as error:
        return Section(experiment, None, missing=str(error))
    if measured is None:
        told = f"There are no results yet; measure them with: `{command_line(experiment)}`"
        return Section(experiment, None, missing=told)
    return Section(
        experiment,
        measured,
        experiment.render(measured.rows) if drawn else (),
        judged(experiment, measured.rows),
    )


def figure_named(one: Section, title: str) -> Figure:
    """Its only figure whose title begins so."""
    drawn = [part for part in one.parts if isinstance(part, Figure)]
    found = [each for each in drawn if each.title.startswith(title)]
    if len(found) != 1:
        there = ", ".join(f"'{each.title}'" for each in drawn)
        raise ValueError(
            f"{one.experiment.name} has {len(found)} figures that begin '{title}', of {there}"
        )
    return found[0]


def count_verdicts(claims: Sequence[Judged]) -> dict[Group, int]:
    """Number of claims in each group."""
    return {group: sum(one.verdict.group == group for one in claims) for group in GROUPS}


def outcomes(found: Mapping[Group, int]) -> int:
    """Claims with an outcome."""
    return sum(found[group] for group in OUTCOMES)


def left_out(found: Mapping[Group, int]) -> str:
    """That claims on other code than the paper's are counted only if they hold, and both counts."""
    theirs = found["not judged on their code"]
    return (
        'A claim that holds on code written from the paper\'s words counts as "holds", and one '
        "that fails somewhere because that code is not the paper's is left out: with these "
        f"{theirs} counted, {found['holds']} of {outcomes(found) + theirs} hold."
    )


def claim_name(one: Section, number: int) -> str:
    """The anchor of a claim in the page."""
    return f"{one.experiment.name}-claim-{number}"

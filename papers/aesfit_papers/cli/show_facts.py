# SPDX-License-Identifier: MIT
"""All that the verdict on a claim rests on, as plain values with stable keys."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..judging import results
from ..judging.catalog import results_path
from ..judging.contract import Claim, Measured
from ..judging.maps import MappedClaim
from ..judging.place import ClaimPlace
from ..judging.places import ONE_LEVEL, has_level
from ..judging.run import stored
from ..judging.stated import statements
from ..judging.steps import steps
from ..judging.told import verdict_told
from ..judging.verdict import judge, pair_of
from ..reporting.parts import paragraphs


def facts(some: Sequence[MappedClaim]) -> list[dict[str, Any]]:
    """All that is known of claims of one experiment, with the stable keys."""
    measured = stored(some[0].experiment) if some else None
    if measured is None:
        return []
    return [_facts(one, measured) for one in some]


def _facts(one: MappedClaim, measured: Measured) -> dict[str, Any]:
    claim, verdict = one.one.claim, one.one.verdict
    lines = _lines(one, measured)
    rows = {at for place in one.map.here or claim.found for at in place.rows_of(measured.rows)}
    return {
        "name": one.name,
        "paper": one.experiment.paper.short,
        "sentence": claim.sentence,
        "verdict": verdict_told(verdict),
        "group": verdict.group,
        "stands": _stands(one),
        "code": [*paragraphs(one.experiment.text), *_levels(one)],
        "provenance": list(measured.provenance),
        "places": [_place(claim, place, place in verdict.places) for place in claim.found],
        "where": one.map.where,
        "turned": one.map.turned,
        "cause": one.one.cause,
        "why": claim.by_construction or claim.why,
        "rows": str(results_path(one.experiment.name).name),
        "by_clang": _by_clang(one),
        "path": _path(results_path(one.experiment.name)),
        "columns": lines[0],
        "judged_rows": [_row(at, lines, len(measured.provenance) + 1) for at in sorted(rows)],
    }


def _stands(one: MappedClaim) -> list[str]:
    """What the paper says, the sentence that this claim is about first."""
    listed, name = statements(), one.experiment.name
    own = [
        each
        for each in listed.nearest(name, one.one.claim.sentence)
        if each.paper == one.experiment.paper.key
    ]
    lead = listed.leading.get(one.experiment.paper.key)
    told = [f"{each.place}: {each.says}" for each in own]
    if lead and lead.experiment == name and one.one.claim.sentence.startswith(lead.claim):
        told.insert(0, f"{lead.place}: {lead.says}")
    return told


def _levels(one: MappedClaim) -> list[str]:
    """Why the claim is not judged at several levels of the compiler; nothing if it is."""
    claim, why = one.one.claim, ONE_LEVEL.get(one.experiment.name)
    if why is None or claim.by_construction or all(map(has_level, claim.found)):
        return []
    return [f"One level of the compiler: {why}."]


def _place(claim: Claim, place: ClaimPlace, judged: bool) -> dict[str, Any]:
    pair = pair_of(claim.found[place])
    unable = claim.untestable.get(place, "")
    return {
        "place": str(place),
        "a": pair.a,
        "b": pair.b,
        "judged": judged,
        "steps": f"not testable here: {unable}" if unable else steps(claim, place),
    }


def _by_clang(one: MappedClaim) -> list[dict[str, Any]]:
    """The judged places as clang builds them, which are shown only."""
    if one.by_clang is None:
        return []
    places = judge(one.by_clang, one.experiment.name).places
    return [_place(one.by_clang, place, judged=False) for place in places]


def _path(path: Path) -> str:
    """From the working directory, if the file is below it."""
    here = Path.cwd()
    return os.path.relpath(path, here) if path.is_relative_to(here) else str(path)


def _lines(one: MappedClaim, measured: Measured) -> list[str]:
    """The file's lines without its provenance: the head, then a line for each row."""
    return results.write(one.experiment.columns, Measured(measured.rows, ())).decode().splitlines()


def _row(at: int, lines: Sequence[str], before: int) -> dict[str, Any]:
    """A line of the file, with its number in it; `before` its rows are others."""
    return {"line": before + at + 1, "text": lines[at + 1]}

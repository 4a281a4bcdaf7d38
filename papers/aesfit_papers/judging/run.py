# SPDX-License-Identifier: MIT
"""Running and presenting experiments: stored rows, claims with verdicts, plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import results
from .catalog import results_path
from .contract import UNTESTABLE, Claim, Experiment, Measured, Row
from .place import ClaimPlace
from .told import asked, distance_told, value_told
from .verdict import Verdict, judge, pair_of


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict

    @property
    def cause(self) -> str:
        """The cause of a verdict other than "holds"; otherwise empty."""
        if self.verdict.group in ("holds", "by construction"):
            return ""
        return self.claim.cause if self.verdict.places else UNTESTABLE


def command_line(experiment: Experiment, compiler: str = "") -> str:
    """The command that measures it and writes its results, with another compiler if named."""
    return f"aesfit papers run {experiment.name}" + (f" --{compiler}" if compiler else "")


def timed(experiment: Experiment) -> bool:
    """Whether it holds times of this computer, which are renewed only on request."""
    return not all(column.exact for column in experiment.columns)


def stored(experiment: Experiment, compiler: str = "") -> Measured | None:
    """The content of its CSV; None if there is none, ValueError if it has other columns."""
    path = results_path(experiment.name, compiler)
    if not path.is_file():
        return None
    found = results.read(path)
    wanted = [column.name for column in experiment.columns]
    if not found.rows or list(found.rows[0]) != wanted:
        raise ValueError(
            f"{path.name} has not the columns {', '.join(wanted)} and rows below them; measure "
            f"them anew: {command_line(experiment, compiler)}"
        )
    return found


def check(experiment: Experiment, now: Measured, compiler: str = "") -> list[str]:
    """Sentences on stored exact columns that differ from present measurements; empty if none."""
    kept = stored(experiment, compiler)
    if kept is None:
        again = command_line(experiment, compiler)
        return [f"{experiment.name} has no results yet; measure them: {again}"]
    return results.differences(experiment, kept.rows, now.rows)


def judged(experiment: Experiment, rows: Sequence[Row]) -> list[Judged]:
    """Its claims, judged by the rule."""
    return [Judged(claim, judge(claim, experiment.name)) for claim in experiment.claims(rows)]


def told_of(one: Judged) -> list[str]:
    """The criterion, and a line for each place: judged, only shown, or not testable."""
    claim, verdict = one.claim, one.verdict
    lines = [asked(claim)]
    for place, told in verdict.places.items():
        away = distance_told(claim, claim.found[place])
        told_away = f", {away}" if away else ""
        lines.append(f"  {place}: {value_told(claim, claim.found[place])} ({told}{told_away})")
    for place, told in verdict.swept.items():
        found = value_told(claim, claim.found[place])
        lines.append(f"  {place}: {found} (shown, not judged: {told})")
    for place, reason in verdict.untestable.items():
        found = value_told(claim, claim.found[place])
        lines.append(f"  {place}: {found} (not testable here: {reason})")
    return lines


def listing(experiment: Experiment) -> dict[str, Any]:
    """The experiment as plain values with the stable keys."""
    return {
        "name": experiment.name,
        "paper": experiment.paper.key,
        "number": experiment.number,
        "title": experiment.title,
    }


def as_json(experiment: Experiment, measured: Measured) -> dict[str, Any]:
    """The results as plain values with the stable keys."""
    return {
        **listing(experiment),
        "rows": [dict(row) for row in measured.rows],
        "claims": [_claim(one) for one in judged(experiment, measured.rows)],
        "provenance": list(measured.provenance),
    }


def _claim(one: Judged) -> dict[str, Any]:
    claim, verdict = one.claim, one.verdict
    pairs = {place: pair_of(value) for place, value in claim.found.items()}
    return {
        "sentence": claim.sentence,
        "kind": claim.kind,
        "published": claim.published,
        "form": claim.form,
        "found": {str(place): {"a": pair.a, "b": pair.b} for place, pair in pairs.items()},
        "verdict": verdict.word,
        "tally": verdict.tally,
        "group": verdict.group,
        "places": _by_text(verdict.places),
        "swept": _by_text(verdict.swept),
        "untestable": _by_text(verdict.untestable),
        "by_construction": claim.by_construction,
        "cause": one.cause,
        "why": claim.why,
    }


def _by_text(told: Mapping[ClaimPlace, str]) -> dict[str, str]:
    return {str(place): one for place, one in told.items()}

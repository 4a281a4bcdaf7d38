# SPDX-License-Identifier: MIT
"""`aesfit papers show`: one claim with all that its verdict rests on, to be disputed."""

from collections.abc import Sequence
from typing import Annotated, Any

import click

from aesfit.cli.common import console, print_json, print_text
from aesfit.cli.declared import Argument
from aesfit.cli.options import Json
from aesfit.errors import unknown

from ..judging.catalog import experiment_named, names, results_path
from ..judging.maps import MappedClaim, mapped
from ..judging.places import ONE_LEVEL, has_level
from ..judging.run import stored
from ..judging.stated import statements
from ..judging.steps import steps
from ..judging.told import verdict_told
from ..judging.verdict import pair_of
from ..reporting.parts import paragraphs
from .again import need_extras

EPILOG = (
    "A claim is named by its experiment and its number there, as transposed_table_2:3; an "
    "experiment alone lists its claims. Everything comes from stored results."
)


def command(
    claim: Annotated[str, Argument(metavar="EXPERIMENT[:NUMBER]", help="The claim.")],
    json: Json = False,
) -> None:
    """Show a claim: sentence, code that was run, rows, steps of the rule, and where it holds."""
    need_extras()
    name, _, number = claim.partition(":")
    if name not in names():
        raise click.BadParameter(str(unknown("experiment", name, names())), param_hint="CLAIM")
    some = mapped(experiment_named(name))
    if not number:
        _list(some, json)
        return
    chosen = [one for one in some if str(one.number) == number]
    if not chosen:
        raise click.BadParameter(f"{name} has claims 1 to {len(some)}", param_hint="CLAIM")
    told = facts(chosen[0])
    if json:
        print_json(told)
    else:
        _print(told)


def _list(some: Sequence[MappedClaim], json: bool) -> None:
    if json:
        print_json([facts(one) for one in some])
        return
    for one in some:
        told = verdict_told(one.one.verdict)
        print_text(console(), f"{one.name}: {one.one.claim.sentence} {told}")


def facts(one: MappedClaim) -> dict[str, Any]:
    """All that is known of a claim, with the stable keys."""
    claim, verdict = one.one.claim, one.one.verdict
    measured = stored(one.experiment)
    return {
        "name": one.name,
        "paper": one.experiment.paper.short,
        "sentence": claim.sentence,
        "verdict": verdict_told(verdict),
        "group": verdict.group,
        "stands": [
            f"{each.place}: {each.says}"
            for each in statements().answered_by(one.experiment.name)
            if each.paper == one.experiment.paper.key
        ],
        "code": [*paragraphs(one.experiment.text), *_levels(one)],
        "provenance": [] if measured is None else list(measured.provenance),
        "places": [_place(one, place) for place in claim.found],
        "where": one.map.where,
        "turned": one.map.turned,
        "cause": one.one.cause,
        "why": claim.by_construction or claim.why,
        "rows": str(results_path(one.experiment.name).name),
    }


def _levels(one: MappedClaim) -> list[str]:
    """Why the claim is not judged at several levels of the compiler; nothing if it is."""
    claim, why = one.one.claim, ONE_LEVEL.get(one.experiment.name)
    if why is None or claim.by_construction or all(map(has_level, claim.found)):
        return []
    return [f"One level of the compiler: {why}."]


def _place(one: MappedClaim, place: str) -> dict[str, Any]:
    claim, verdict = one.one.claim, one.one.verdict
    pair = pair_of(claim.found[place])
    unable = verdict.untestable.get(place, "")
    return {
        "place": place,
        "a": pair.a,
        "b": pair.b,
        "judged": place in verdict.places,
        "steps": f"not testable here: {unable}" if unable else steps(claim, place),
    }


def _print(told: dict[str, Any]) -> None:
    out = console()
    print_text(out, f"{told['name']}, {told['paper']}", "bold")
    print_text(out, told["sentence"], "bold")
    print_text(out, f"verdict: {told['verdict']}", "bold")
    for title, lines in (
        ("what the paper says that this experiment answers", told["stands"]),
        ("code that was run", [*told["code"], *told["provenance"]]),
        ("the rule's steps", [_step(one) for one in told["places"]]),
        ("where it holds", [told["where"], f"turned: {told['turned']}"]),
        ("cause", [told["cause"], told["why"]]),
        ("rows", [told["rows"]]),
    ):
        out.print()
        print_text(out, title, "bold")
        for line in filter(None, lines):
            print_text(out, f"  {line}")


def _step(place: dict[str, Any]) -> str:
    shown = "" if place["judged"] or "not testable" in place["steps"] else " (shown, not judged)"
    return f"{place['place']}: {place['steps']}{shown}"

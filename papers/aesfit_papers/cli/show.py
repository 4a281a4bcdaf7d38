# SPDX-License-Identifier: MIT
"""`aesfit papers show`: one claim with all that its verdict rests on, to be disputed."""

from collections.abc import Sequence
from typing import Annotated, Any

import click

from aesfit.cli.common import console, print_json, print_text
from aesfit.cli.declared import Argument
from aesfit.cli.options import Json
from aesfit.errors import unknown

from ..judging.catalog import experiment_named, names
from ..judging.contract import Experiment
from ..judging.maps import MappedClaim, mapped
from ..judging.run import command_line, stored
from ..judging.told import verdict_told
from ..reporting.parts import paragraphs
from .again import need_extras, print_parts
from .show_facts import facts

EPILOG = (
    "A claim is named by its experiment and its number there, as transposed_table_2:3; an "
    "experiment alone lists its claims, or shows its tables if it has none. Everything comes from "
    "stored results."
)
_MOST_ROWS = 40


def command(
    claim: Annotated[str, Argument(metavar="EXPERIMENT[:NUMBER]", help="The claim.")],
    json: Json = False,
) -> None:
    """Show a claim: sentence, code that was run, rows, steps of the rule, and where it holds."""
    need_extras()
    name, _, number = claim.partition(":")
    if name not in names():
        raise click.BadParameter(str(unknown("experiment", name, names())), param_hint="CLAIM")
    experiment = experiment_named(name)
    some = mapped(experiment)
    if not number:
        _list(experiment, some, json)
        return
    chosen = [one for one in some if str(one.number) == number]
    if not chosen:
        there = f"claims 1 to {len(some)}" if some else "no claims"
        raise click.BadParameter(f"{name} has {there}", param_hint="CLAIM")
    (told,) = facts(chosen)
    if json:
        print_json(told)
    else:
        _print(told)


def _list(experiment: Experiment, some: Sequence[MappedClaim], json: bool) -> None:
    if json:
        print_json(facts(some))
        return
    for one in some:
        told = verdict_told(one.one.verdict)
        print_text(console(), f"{one.name}: {one.one.claim.sentence} {told}")
    if not some:
        _print_unjudged(experiment)


def _print_unjudged(experiment: Experiment) -> None:
    """An experiment that only shows something, or that has not been measured."""
    out, measured = console(), stored(experiment)
    print_text(out, f"{experiment.name}, {experiment.paper.short}: {experiment.title}", "bold")
    for text in paragraphs(experiment.text):
        out.print()
        print_text(out, text)
    out.print()
    if measured is None:
        print_text(out, f"There are no results yet; measure them: {command_line(experiment)}")
        return
    print_text(out, "It has no claims: nothing is judged, and its figures are shown.", "bold")
    print_parts(experiment.render(measured.rows))


def _print(told: dict[str, Any]) -> None:
    out = console()
    print_text(out, f"{told['name']}, {told['paper']}", "bold")
    print_text(out, told["sentence"], "bold")
    print_text(out, f"verdict: {told['verdict']}", "bold")
    for title, lines in (
        ("what the paper says that this experiment answers", told["stands"]),
        ("code that was run", [*told["code"], *told["provenance"]]),
        ("the rule's steps", _steps(told)),
        ("where it holds", [told["where"], f"turned: {told['turned']}"]),
        ("cause", [told["cause"], told["why"]]),
    ):
        out.print()
        print_text(out, title, "bold")
        for line in filter(None, lines):
            print_text(out, f"  {line}")
    out.print()
    print_text(out, "rows that it is judged on", "bold")
    for line in _rows(told):
        click.echo(f"  {line}")  # as in the file, whatever the width


def _steps(told: dict[str, Any]) -> list[str]:
    by_clang = [f"{one['place']}: {one['steps']} (clang, shown)" for one in told["by_clang"]]
    return [*map(_step, told["places"]), *by_clang]


def _step(place: dict[str, Any]) -> str:
    shown = "" if place["judged"] or "not testable" in place["steps"] else " (shown, not judged)"
    return f"{place['place']}: {place['steps']}{shown}"


def _rows(told: dict[str, Any]) -> list[str]:
    """The file, its head, and the lines that the claim is judged on, with their numbers."""
    lines = [f"line {one['line']}: {one['text']}" for one in told["judged_rows"]]
    more = len(lines) - _MOST_ROWS
    told_more = [f"and {more} more"] if more > 0 else []
    return [told["path"], told["columns"], *lines[:_MOST_ROWS], *told_more]

# SPDX-License-Identifier: MIT
"""Experiments measured again, to be kept by `run` or compared by `check`."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

import click

from aesfit.cli.common import (
    Align,
    console,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from aesfit.cli.declared import Argument, Option
from aesfit.errors import unknown
from aesfit.extras import EMULATOR, missing
from aesfit.rigs.rig import RigUnavailableError

from ..judging import results
from ..judging.catalog import experiment_named, experiments, names, results_path
from ..judging.contract import Experiment, Measured, Part, ResultTable, Words
from ..judging.rebuilt import CLANG, built_by_clang, rebuildable
from ..judging.run import Judged, as_json, check, judged, timed, told_of
from ..judging.tables import figures
from ..judging.told import verdict_told
from ..judging.verdict import Group

ALL = "all"
_STYLES: Mapping[Group, str] = {
    "holds": "bold green",
    "in part": "bold yellow",
    "other size": "bold yellow",
    "does not hold": "bold red",
    "not judged on their code": "bold",
    "not testable here": "bold",
    "by construction": "bold",
}


ELSEWHERE = {
    "records": "experiments are claims of the papers; `make records` prints the cores in assembly "
    "beside the best published figures and their goals",
}
"""Hints for names that are not experiments, though users may try them."""


@dataclass(frozen=True)
class Asked:
    """Options of a run."""

    checking: bool
    together: bool
    """One of several experiments: a line for each."""
    json: bool
    compiler: str = ""
    """The compiler of the results, if it is not the platform's own."""


Name = Annotated[str, Argument(metavar="NAME|all", help="Experiment, or all of them.")]
Host = Annotated[bool, Option("--host", help="With all: include those that time this computer.")]
Clang = Annotated[
    bool, Option("--clang", help="Build with clang instead of gcc; results are kept apart.")
]


def measure_again(name: str, *, host: bool, clang: bool, json: bool, checking: bool) -> None:
    """Measure what is named; exit with code 1 if something failed or, when checking, changed."""
    need_extras()
    if host and (clang or name != ALL):
        raise click.BadParameter("a named experiment is measured whole, and clang builds only for "
                                 "emulated processors; leave it out",
                                 param_hint="--host")  # fmt: skip
    asked = Asked(checking, name == ALL, json, CLANG if clang else "")
    with built_by_clang() if clang else nullcontext():
        failures = _run(_chosen(name, host, clang), asked)
    if name == ALL and not host and not clang:
        _say_left_out(json)
    _finish(failures)


def need_extras() -> None:
    """Refuse if experiments cannot be loaded, with the command that helps."""
    need("loading experiments", EMULATOR)


def need(what: str, packages: tuple[str, ...]) -> None:
    """Refuse if Python packages are not installed."""
    reason = missing(what, packages)
    if reason:
        raise RigUnavailableError(reason)


def _chosen(name: str, host: bool, clang: bool) -> list[Experiment]:
    """The experiments asked for; with clang, those of them that it can build."""
    every = list(experiments()) if name == ALL else [_named(name)]
    if not clang:
        return [one for one in every if host or name != ALL or not timed(one)]
    some = [one for one in every if rebuildable(one)]
    if not some:
        raise click.BadParameter(f"{name} has no rows of emulated processors by gcc, or needs "
                                 "what clang cannot build; leave it out",
                                 param_hint="--clang")  # fmt: skip
    return some


def _finish(failures: Sequence[str]) -> None:
    """Exit with code 1 if something failed or changed."""
    for sentence in failures:
        click.echo(f"aesfit: {sentence}", err=True)
    if failures:
        raise click.exceptions.Exit(1)


def _named(name: str) -> Experiment:
    if name not in names():
        told = ELSEWHERE.get(name) or str(unknown("experiment", name, names()))
        raise click.BadParameter(told, param_hint="NAME")
    return experiment_named(name)


def _run(chosen: Sequence[Experiment], asked: Asked) -> list[str]:
    """Measure one after the other; failures are reported at the end and stop no others."""
    json, together = asked.json, asked.together
    failures: list[str] = []
    found = []
    for place, one in enumerate(chosen, 1):
        of = f" ({place} of {len(chosen)})" if together else ""
        try:
            with progress_bar(f"{one.name}{of}", quiet=json) as progress:
                measured = results.parse(results.write(one.columns, one.rows(progress)))
            differences = check(one, measured, asked.compiler) if asked.checking else []
            if not asked.checking:
                _keep(one, measured, asked.compiler)
        except (RuntimeError, ValueError, OSError) as error:
            if not together:
                raise
            failures.append(f"{one.name}: {error}")
            continue
        failures += differences
        found.append(as_json(one, measured))
        if not json and (together or asked.checking):
            _print_line(one, measured, asked.checking, len(differences))
        elif not json:
            _print(one, measured)
    if json:
        print_json(found if together else found[0])
    return failures


def _keep(one: Experiment, measured: Measured, compiler: str) -> None:
    path = results_path(one.name, compiler)
    path.parent.mkdir(exist_ok=True, parents=True)
    write_file(path, results.write(one.columns, measured))


def _say_left_out(json: bool) -> None:
    left_out = [one.name for one in experiments() if timed(one)]
    if left_out and not json:
        told = f"left out, as they hold times of this computer: {', '.join(left_out)}; renew them "
        print_text(console(), told + "with: aesfit papers run all --host", style="dim")


def _print_line(one: Experiment, measured: Measured, checking: bool, differences: int) -> None:
    """Print one of several experiments: its rows and its verdicts."""
    words = [each.verdict.group for each in judged(one, measured.rows)]
    fared = ", ".join(f"{words.count(word)} {word}" for word in _STYLES if word in words)
    told = f"{one.name}: {len(measured.rows)} rows; {fared or 'no claims'}"
    if checking:
        told += (
            f"; {differences} difference{'s' if differences > 1 else ''}"
            if differences
            else "; as stored"
        )
    print_text(console(), told)


def _print(one: Experiment, measured: Measured) -> None:
    """Print tables, text, claims and provenance; figures are only named."""
    out = console()
    print_text(out, f"{one.paper.authors}, {one.paper.where}, {one.number}: {one.title}", "bold")
    print_parts(one.render(measured.rows))
    for each in judged(one, measured.rows):
        out.print()
        _print_claim(each)
    out.print()
    for line in (*measured.provenance, f"kept in {results_path(one.name).name}"):
        print_text(out, line, style="dim")


def print_parts(parts: Sequence[Part]) -> None:
    """Print tables and texts; figures are only named."""
    out = console()
    for part in parts:
        out.print()
        if isinstance(part, ResultTable):
            _print_part(part)
        elif isinstance(part, Words):
            print_text(out, part.text)
        else:
            print_text(out, f"figure: {part.title} (drawn by aesfit papers report)", style="dim")


def _print_claim(each: Judged) -> None:
    out, claim = console(), each.claim
    told = f"{verdict_told(each.verdict)}: {claim.sentence}"
    print_text(out, told, _STYLES[each.verdict.group])
    for line in told_of(each):
        print_text(out, line)
    for label, text in (("by construction", claim.by_construction), ("cause", each.cause)):
        if text:
            print_text(out, f"{label}: {text}")
    if claim.why:
        print_text(out, claim.why)


def _print_part(part: ResultTable) -> None:
    out = console()
    print_text(out, part.title, style="bold")
    sides: list[Align] = [
        ">" if figures(column) else "<" for column in zip(*part.lines, strict=True)
    ]
    print_table(out, list(zip(part.head, sides, strict=True)), part.lines)
    if part.note:
        print_text(out, part.note, style="dim")

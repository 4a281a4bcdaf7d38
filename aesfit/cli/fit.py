# SPDX-License-Identifier: MIT
"""`aesfit fit`: which core fits a processor."""

import os
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ..api.fit import fit
from ..choosing.answer import Answer
from ..choosing.ranking import Candidate, Choice
from ..choosing.request import BLOCK, Request
from ..choosing.shown import dropped_by_reason, trades
from ..jobs.job import Row
from ..measuring.evidence import evidence_cell, row_evidence
from ..platforms.boards import with_stored
from ..platforms.platform import Platform
from ..units import count
from .common import (
    Align,
    console,
    emitting_bar,
    platform_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    usage,
    write_file,
)
from .declared import Option, given_words, names_of
from .fit_hardware import print_hardware
from .fit_options import (
    BurstOptions,
    CoreOptions,
    CostedFile,
    GoalOptions,
    LimitOptions,
    MessageOptions,
    PlatformOrThis,
    ResultOptions,
    SweptChipOptions,
)
from .fit_sweep import check_alone, show_sweep
from .options import Csv, DataCacheOptions, Fresh, Json, MemoryOptions
from .records import check_form, print_csv
from .spending import WhyOptions, print_why, why_json

if TYPE_CHECKING:
    from ..choosing.winner_run import WinnerRun
    from ..emitting.emitted import EmittedFiles

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("", ">"),
    ("core", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("key set-up", ">"),
    ("flash", ">"),
    ("RAM", ">"),
    ("stack", ">"),
    ("timing", "<"),
    ("evidence", "<"),
    ("front", "<"),
)
_EXPENDABLE = ("stack", "key set-up", "c/B", "front")
"""Columns that are dropped on a narrow terminal, in this order."""
_FIRST = 3
"""Cores, and reasons for which others were dropped, that are shown whatever they cost."""
_LEGEND = {
    "c/B": "cycles a byte",
    "key set-up": "cycles of one key expansion",
    "flash": "bytes of code and tables",
    "RAM": "bytes of keys and stack",
    "stack": "bytes",
    "timing": "whether the time depends on the key; here: on this memory alone",
    "evidence": "of independence: a proof, runs that agree, or none",
    "front": "* on the Pareto front of cycles, flash and RAM",
}
_PUBLISHED = {"flash": "bytes of tables", "RAM": "bytes of round keys"}
_NOT_THE_QUESTION = (
    *("platform", "json", "csv", "fresh", "deadline", "hardware", "every"),
    *names_of(ResultOptions, WhyOptions),
)
"""Options that do not change the answer, and the platform, which is always named."""


def _platform(name: str | None) -> Platform:
    if name is None and os.uname().machine.lower() not in ("x86_64", "amd64"):
        raise click.BadParameter("name a platform", param_hint="--platform")
    return platform_named(name or "x86-64")


def _row(candidate: Candidate, front: Sequence[str], search: bool) -> tuple[str, ...]:
    row = candidate.row
    return (
        str(candidate.rank),
        row.core,
        count(row.cycles),
        f"{row.cycles_per_byte:.1f}",
        count(candidate.setup_cycles),
        count(row.flash_bytes),
        count(row.ram_bytes),
        "-" if row.stack_bytes is None else count(row.stack_bytes),
        row.timing,
        evidence_cell(row.secrecy),
        "*" if candidate.name in front else "",
        *([candidate.ghash] if candidate.ghash is not None else []),
        *([" ".join(candidate.flags or ())] if search else []),
    )


def _print(answer: Answer, search: bool, every: bool) -> None:
    """The answer first, then the cores behind it, then what the figures mean."""
    out, choice = console(), answer.choice
    print_text(out, answer.asked)
    if choice.winner is not None:
        out.print()
        for line in answer.brief:
            print_text(out, line, style="bold", indent="  ")
        if answer.file:
            print_text(out, answer.file)
        out.print()
    shown = _print_cores(answer, search, every)
    for hint in answer.hints:
        print_text(out, hint)
    if choice.winner is None:
        return
    for note in _notes(choice, choice.winner, shown):
        print_text(out, note, style="dim")
    for own in answer.also:
        print_text(out, f"{own.title}: {own.told}, from the object as it is", style="dim")
    for line in answer.explained:
        print_text(out, line)
    if answer.origin is not None:
        print_text(out, answer.origin.told, style="dim")
    print_text(out, answer.worst_told, style="dim")
    print_hardware(out, answer)


def _print_cores(answer: Answer, search: bool, every: bool) -> tuple[str, ...]:
    """The table of cores and those that were dropped; the headings shown."""
    out, choice, shown = console(), answer.choice, tuple[str, ...]()
    named = set(trades(choice)) | {one.title for one in answer.also}
    ranked = [one for one in choice.ranking if every or one.name in named or one.rank <= _FIRST]
    dropped = dropped_by_reason(choice)
    if every:
        dropped = [(one.core, one.reason) for one in choice.dropped]
    if ranked:
        multiplier: list[tuple[str, Align]] = [("GHASH", "<")] if choice.request.hashes else []
        flags: list[tuple[str, Align]] = [("flags", "<")] if search else []
        rows = [_row(one, choice.pareto, search) for one in ranked]
        columns = (*COLUMNS, *multiplier, *flags)
        shown = print_table(out, columns, rows, expendable=_EXPENDABLE, styles={0: "bold green"})
    if dropped:
        told = dropped if every else dropped[:_FIRST]
        print_table(out, (("dropped", "<"), ("why", "<")), told)
        dropped = dropped[len(told) :]
    hidden = len(choice.ranking) - len(ranked)
    more = [f"{hidden} more, each no better in anything than one of these"] if hidden else []
    more += [f"{len(dropped)} more dropped"] if dropped else []
    if more:
        print_text(out, f"{'; '.join(more)}: --all", style="dim")
    return shown


def _notes(choice: Choice, winner: Candidate, shown: Collection[str]) -> list[str]:
    """Notes on the figures in the columns shown."""
    p = winner.row.provenance
    published = choice.request.platform.rig == "published"
    legend = {**_LEGEND, **(_PUBLISHED if published else {})}
    told = "; ".join(f"{name}: {text}" for name, text in legend.items() if name in shown)
    notes = [f"cycles: {p.window}", told]
    if published:
        return [*notes, p.memory]
    flags = "flags as listed" if "flags" in shown else winner.flags_on(choice.request.platform)
    return [*notes, f"{p.compiler}; {flags}; {p.memory}"]


def _reproduce(context: click.Context, platform: str, *left_out: str) -> str:
    """The command that asks this question again."""
    words = given_words(context, (*_NOT_THE_QUESTION, *left_out))
    return shlex.join(["aesfit", "fit", "--platform", platform, *words])


def _draw(answer: Answer, command: str, result: ResultOptions) -> None:
    if result.plot_file is not None:
        from ..report import plot  # start-up time

        write_file(result.plot_file, plot.render(answer, result.plot_file.suffix))
    if result.html_file is not None:
        from ..report import page  # start-up time

        write_file(result.html_file, page.render(answer, command).encode())


def command(  # long: half of it declares options
    context: click.Context,
    message: MessageOptions,
    limits: LimitOptions,
    goal: GoalOptions,
    chip: SweptChipOptions,
    memory: MemoryOptions,
    cache: DataCacheOptions,
    bursts: BurstOptions,
    cores: CoreOptions,
    result: ResultOptions,
    why: WhyOptions,
    platform: PlatformOrThis = None,
    file: CostedFile = None,
    fresh: Fresh = False,
    json: Json = False,
    csv: Csv = False,
    every: Annotated[
        bool,
        Option(
            "--all", help="Show every core, not only the first three and those that no other beats."
        ),
    ] = False,
) -> None:
    """Measure the cores that a processor can run, and recommend one."""
    where = with_stored(_platform(platform), chip.stored)
    _check_mix(message, file, result, why)
    _check_why(where, why, sweeps=chip.sweeps, csv=csv)
    _check_library(cores, result, file, sweeps=chip.sweeps)
    _check_emit(where, message, result)
    quiet = check_form(json, csv)
    groups = (message, limits, goal, chip, memory, cache, bursts, cores)
    asked = {name: value for one in groups for name, value in one.asked().items()}
    if chip.sweeps:
        more = {"--hardware": cores.hardware or None, "--deadline": goal.deadline}
        check_alone(result, {"--file": file, **more})
        show_sweep(where, {**asked, "fresh": fresh}, result.plot_file, json=json, csv=csv)
        return
    with progress_bar("measuring", quiet=quiet) as progress:
        answer = fit(where, **asked, file=file, fresh=fresh, hints=True, progress=progress)
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    named = platform or where.name
    _draw(answer, _reproduce(context, named), result)
    again = f"{_reproduce(context, Path(named).name, 'file')} --emit fitaes"
    again += " --no-proof" if result.no_proof else ""
    written = _emit(answer, again, result, fresh=fresh, quiet=quiet)
    if csv:
        print_csv(answer.rows)
    else:
        _show(answer, written, why, json=json, search=cores.search, every=every)
    _check_left(answer)


def _check_mix(
    message: MessageOptions, file: Path | None, result: ResultOptions, why: WhyOptions
) -> None:
    """A usage error for what is about messages of one size."""
    asked = {"--file": file, "--emit": result.emit, why.given: why.wanted or None}
    named = [option for option, value in asked.items() if value is not None]
    if message.packets and named:
        raise click.BadParameter(
            f"{' and '.join(named)} needs messages of one size; give --bytes instead",
            param_hint="--packets",
        )


def _check_why(platform: Platform, why: WhyOptions, *, sweeps: bool, csv: bool) -> None:
    """Raise a usage error, before measuring, if --why or --annotate cannot be answered."""
    if why.wanted:
        if sweeps:
            raise click.BadParameter(f"name one clock with {why.given}", param_hint="--clock")
        if csv:
            raise click.BadParameter(f"the table has no room for {why.given}", param_hint="--csv")
        from ..counting.count import check_explained  # needs what only the emulator needs

        with usage(why.given):
            check_explained(platform)


def _check_library(
    cores: CoreOptions, result: ResultOptions, file: Path | None, *, sweeps: bool
) -> None:
    """A usage error for options that exclude a user's own function."""
    asked = {"--file": file, "--emit": result.emit, "--clock sweep": sweeps or None}
    named = [option for option, value in asked.items() if value is not None]
    if cores.also and named:
        raise click.BadParameter(
            f"{' and '.join(named)} would need a core of the library; leave one of them out",
            param_hint="--also",
        )


def _winner_run(answer: Answer, why: WhyOptions) -> "WinnerRun | None":
    """Run the winner once more, if the user asks where its cycles go."""
    winner = answer.choice.winner
    if winner is None or not why.wanted:
        return None
    from ..choosing.winner_run import winner_run  # start-up time

    return winner_run(answer.choice.request, winner, lines=why.annotate, also=answer.also)


def _check_emit(platform: Platform, message: MessageOptions, result: ResultOptions) -> None:
    """A usage error, before measuring, for files that could not be written afterwards."""
    result.check()
    if result.emit is not None:
        from ..api.emit import check_answerable  # start-up time

        bits, alone = message.key_bits, message.encrypt_only
        check_answerable(platform, message.mode, key_bits=bits, encrypt_only=alone)


def _emit(
    answer: Answer, command: str, result: ResultOptions, *, fresh: bool, quiet: bool
) -> "EmittedFiles | None":
    """Write the winner as C, if asked; `command`: what does so again."""
    if result.emit is None or answer.choice.winner is None:
        return None
    from ..api.emit import emit  # start-up time

    winner = answer.choice.winner
    where, left_out = answer.choice.request.platform, result.no_proof
    with emitting_bar(winner.name, winner.ghash, where, no_proof=left_out, quiet=quiet) as progress:
        return emit(
            answer,
            command=command,
            folder=result.emit,
            force=result.force,
            prove=False if left_out else None,
            fresh=fresh,
            progress=progress,
        )


def _unit(request: Request) -> str:
    return "a call" if request.mode == BLOCK else "a message"


def _show(
    answer: Answer,
    written: "EmittedFiles | None",
    why: WhyOptions,
    *,
    json: bool,
    search: bool,
    every: bool,
) -> None:
    """Print the answer."""
    files = written.files if written else ()
    run = _winner_run(answer, why)
    if json:
        more = {} if written is None else {"files": [str(path) for path in files]}
        told = {} if run is None else why_json(why, run.image, run.spent)
        print_json({**answer.as_json(), **more, **told})
    else:
        _print(answer, search, every)
        if run is not None:
            print_why(
                why, run.image, run.spent, f"{_unit(answer.choice.request)} of {run.row.core}"
            )
        for path in files:
            click.echo(f"{path} written")
        if written and written.figures:
            click.echo(f"timing of these files: {_weakest(written.figures.rows)}")
        if written:
            click.echo(f"next: {written.compile}")


def _weakest(rows: Sequence[Row]) -> str:
    """Timing and evidence of the row with the weakest; of equals of a message, not key set-up."""
    row = max(reversed(rows), key=lambda one: one.secrecy.place)
    return row.timing if row.secrecy.kind == "depends" else f"{row.timing}, {row_evidence(row)}"


def _check_left(answer: Answer) -> None:
    """Exit with 1 if no core is left."""
    if answer.choice.winner is None:
        click.echo(f"aesfit: {answer.sentence}", err=True)
        raise click.exceptions.Exit(1)

# SPDX-License-Identifier: MIT
"""`aesfit fit`: which core fits a processor."""

import platform as computer
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..api.fit import check_length
from ..choosing.answer import Answer, fit
from ..choosing.ranking import Candidate, Choice
from ..choosing.request import BLOCK, Request, request_of
from ..choosing.whole_file import pieces
from ..choosing.words import place, question
from ..measuring.evidence import evidence_cell
from ..platforms.boards import with_stored
from ..platforms.platform import Platform
from ..units import count
from .common import (
    Align,
    check_ghash,
    console,
    ghash_named,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    usage,
    write_file,
)
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
from .grouped import given_words, grouped, names_of
from .options import Csv, DataCacheOptions, Fresh, Json, MemoryOptions
from .records import check_form, print_csv
from .spending import WhyOptions, print_why, why_json

if TYPE_CHECKING:
    from ..choosing.winner_run import WinnerRun

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
_NOT_THE_QUESTION = ("platform", "json", "csv", "fresh", *names_of(ResultOptions, WhyOptions))
"""Options that do not change the answer, and the platform, which is always named."""
_Written = tuple[list[Path], str] | None
"""Files of a drop-in and the command that compiles them."""


def _platform(name: str | None) -> Platform:
    if name is None:
        if computer.machine().lower() not in ("x86_64", "amd64"):
            raise typer.BadParameter("name a platform", param_hint="--platform")
        name = "x86-64"
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def _check_message(
    request: Request, file: Path | None, result: ResultOptions, why: WhyOptions
) -> None:
    _check_mix(request, file, result, why)
    with usage():
        check_length(request)
        if file is not None:
            pieces(request, file.stat().st_size)


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


def _print(answer: Answer, search: bool) -> None:
    out, choice = console(), answer.choice
    request = choice.request
    print_text(out, f"{place(request)}: {question(request)}")
    shown: tuple[str, ...] = ()
    if choice.ranking:
        multiplier: list[tuple[str, Align]] = [("GHASH", "<")] if request.mode == "gcm" else []
        flags: list[tuple[str, Align]] = [("flags", "<")] if search else []
        columns = (*COLUMNS, *multiplier, *flags)
        rows = [_row(one, choice.pareto, search) for one in choice.ranking]
        shown = print_table(out, columns, rows, expendable=_EXPENDABLE, styles={0: "bold green"})
    if choice.dropped:
        print_table(
            out, (("dropped", "<"), ("why", "<")), [(d.core, d.reason) for d in choice.dropped]
        )
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
    out.print()
    for line in answer.brief:
        print_text(out, line, style="bold", indent="  ")
    if answer.file:
        print_text(out, answer.file)


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


def _reproduce(context: typer.Context, platform: str, *left_out: str) -> str:
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


@grouped
def command(
    context: typer.Context,
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
) -> None:
    """Measure every core that a processor can run, and recommend one."""
    request = _request(_platform(platform), message, limits, goal, chip, memory, cache, bursts)
    _check_message(request, file, result, why)
    result.check()
    quiet = check_form(json, csv)
    _check_why(request, why, sweeps=chip.sweeps, csv=csv)
    names = _names(request, cores, result, file, sweeps=chip.sweeps)
    if chip.sweeps:
        check_alone(result, file)
        show_sweep(request, names, cores, result.plot_file, fresh=fresh, json=json, csv=csv)
        return
    _check_emit(request, names[0], result)
    answer = _answer(request, names, cores, file, fresh=fresh, explain=bursts.explain, quiet=quiet)
    asked = platform or request.platform.name
    _draw(answer, _reproduce(context, asked), result)
    again = _reproduce(context, Path(asked).name, "file")
    written = _emit(answer, again, result, fresh=fresh, quiet=quiet)
    if csv:
        print_csv(answer.rows)
    else:
        _show(answer, written, why, json=json, search=cores.search)
    _check_left(answer)


def _check_mix(request: Request, file: Path | None, result: ResultOptions, why: WhyOptions) -> None:
    """A usage error for what is about messages of one size."""
    asked = {"--file": file, "--emit": result.emit, why.given: why.wanted or None}
    named = [option for option, value in asked.items() if value is not None]
    if request.packets and named:
        raise typer.BadParameter(
            f"{' and '.join(named)} needs messages of one size; give --bytes instead",
            param_hint="--packets",
        )


def _check_why(request: Request, why: WhyOptions, *, sweeps: bool, csv: bool) -> None:
    """Raise a usage error, before measuring, if --why or --annotate cannot be answered."""
    if why.wanted:
        if sweeps:
            raise typer.BadParameter(f"name one clock with {why.given}", param_hint="--clock")
        if csv:
            raise typer.BadParameter(f"the table has no room for {why.given}", param_hint="--csv")
        from ..counting.count import check_explained  # needs what only the emulator needs

        with usage(why.given):
            check_explained(request.counted_on)


def _names(
    request: Request, cores: CoreOptions, result: ResultOptions, file: Path | None, *, sweeps: bool
) -> list[str]:
    """The cores; a usage error for options that exclude a user's own function."""
    asked = {"--file": file, "--emit": result.emit, "--clock sweep": sweeps or None}
    named = [option for option, value in asked.items() if value is not None]
    if cores.also and named:
        raise typer.BadParameter(
            f"{' and '.join(named)} would need a core of the library; leave one of them out",
            param_hint="--also",
        )
    return cores.cores(request.platform)


def _winner_run(answer: Answer, why: WhyOptions) -> "WinnerRun | None":
    """Run the winner once more, if the user asks where its cycles go."""
    winner = answer.choice.winner
    if winner is None or not why.wanted:
        return None
    from ..choosing.winner_run import winner_run  # start-up time

    return winner_run(answer.choice.request, winner, lines=why.annotate, also=answer.also)


def _answer(
    request: Request,
    names: Sequence[str],
    cores: CoreOptions,
    file: Path | None,
    *,
    fresh: bool,
    explain: bool,
    quiet: bool,
) -> Answer:
    also = cores.own(request)
    with progress_bar(f"measuring {len(names)} cores", quiet=quiet) as progress:
        answer = fit(
            request,
            names,
            cores.variants,
            also=also,
            file=file,
            fresh=fresh,
            explained=explain,
            progress=progress,
        )
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    return answer


def _request(
    platform: Platform,
    message: MessageOptions,
    limits: LimitOptions,
    goal: GoalOptions,
    chip: SweptChipOptions,
    memory: MemoryOptions,
    cache: DataCacheOptions,
    bursts: BurstOptions,
) -> Request:
    """The question; a usage error if it cannot be answered."""
    mode = message.mode_on(platform)
    check_ghash(message.ghash, mode)
    with usage():
        return request_of(
            with_stored(platform, chip.stored),
            mode=mode,
            bytes=message.message_bytes,
            key_bits=message.key_bits,
            limits=limits.limits(),
            encrypt_only=message.encrypt_only,
            messages_per_key=message.messages_per_key,
            objective=goal.least,
            clock_hz=chip.clock_hz,
            rate=goal.bit_per_s,
            placement=memory.placement(),
            buffers=chip.buffers,
            ghash=message.ghash and ghash_named(message.ghash, platform),
            bursts=bursts.bursts(mode, message.message_bytes),
            geometry=cache.given(),
            packets=message.sizes(),
        )


def _check_emit(request: Request, core: str, result: ResultOptions) -> None:
    if result.emit is not None:
        if request.mode == BLOCK:
            raise typer.BadParameter(
                f"a drop-in is made for a mode of operation; name one, not {BLOCK}",
                param_hint="--emit",
            )
        from .emit_files import checked, choice_of  # start-up time

        checked(choice_of(request, core), result.emit, force=result.force)
    elif result.force:
        raise typer.BadParameter("nothing is written; give --emit too", param_hint="--force")


def _emit(
    answer: Answer, again: str, result: ResultOptions, *, fresh: bool, quiet: bool
) -> _Written:
    """Write the winner as C, if asked; `again`: the command that asks this question."""
    if result.emit is None:
        return None
    from .emit_files import put_winner  # start-up time

    command = f"{again} --emit fitaes"
    return put_winner(answer, command, result.emit, force=result.force, fresh=fresh, quiet=quiet)


def _unit(request: Request) -> str:
    return "a call" if request.mode == BLOCK else "a message"


def _show(answer: Answer, written: _Written, why: WhyOptions, *, json: bool, search: bool) -> None:
    """Print the answer."""
    files, compiles = written or ([], "")
    run = _winner_run(answer, why)
    if json:
        more = {} if written is None else {"files": [str(path) for path in files]}
        told = {} if run is None else why_json(why, run.image, run.spent)
        print_json({**answer.as_json(), **more, **told})
    else:
        _print(answer, search=search)
        if run is not None:
            print_why(
                why, run.image, run.spent, f"{_unit(answer.choice.request)} of {run.row.core}"
            )
        for path in files:
            typer.echo(f"{path} written")
        if compiles:
            typer.echo(f"next: {compiles}")


def _check_left(answer: Answer) -> None:
    """Exit with 1 if no core is left."""
    if answer.choice.winner is None:
        typer.echo(f"aesfit: {answer.sentence}", err=True)
        raise typer.Exit(1)

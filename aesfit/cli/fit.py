# SPDX-License-Identifier: MIT
"""`aesfit fit`: which core fits a processor."""

import platform as computer
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ..answer import Answer, fit, pieces
from ..expected import calls_of
from ..fit import (
    OBJECTIVES,
    SEARCHED_FLAGS,
    Bursts,
    Candidate,
    Choice,
    Limits,
    Objective,
    Request,
)
from ..fit import jobs as jobs_of
from ..misses import check as check_bursts
from ..platforms import Platform
from ..quantity import (
    count,
    parse_clock,
    parse_key_changes,
    parse_rate,
    parse_share,
    parse_size,
)
from ..rigs.firmware import message
from ..verdict import question
from .common import (
    Align,
    able_cores,
    check_ghash,
    check_message,
    check_picture,
    console,
    ghash_named,
    mode_named,
    names_given,
    placement_given,
    platforms_behind,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .options import CacheSize, FlashWait, Fresh, Ghash, Json, Line, MissPenalty, Tables, Ways

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("", ">"),
    ("core", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("key set-up", ">"),
    ("flash", ">"),
    ("RAM", ">"),
    ("stack", ">"),
    ("constant-time", "<"),
    ("front", "<"),
)
_NOT_THE_QUESTION = ("json", "plot_file", "html_file", "fresh", "explain", "emit", "force")
Value = TypeVar("Value")


def _quantity(parse: Callable[[str], Value], text: str | None, option: str) -> Value | None:
    if text is None:
        return None
    try:
        return parse(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def _platform(name: str | None) -> Platform:
    if name is None:
        if computer.machine().lower() not in ("x86_64", "amd64"):
            raise typer.BadParameter("name a platform", param_hint="--platform")
        name = "x86-64"
    found = platforms_named(name)
    if len(found) > 1:
        raise typer.BadParameter("name one platform", param_hint="--platform")
    return found[0]


def _cores(platform: Platform, names: Sequence[str]) -> list[str]:
    wanted = [name for text in names for name in names_given(text, "--core")]
    return able_cores(platform, wanted)


def _objective(name: str) -> Objective:
    for objective in OBJECTIVES:
        if name == objective:
            return objective
    raise typer.BadParameter(
        f"'{name}' is none of {', '.join(OBJECTIVES)}", param_hint="--objective"
    )


def _bursts(calls: int | None, evicted: str | None, size: int, explain: bool) -> Bursts | None:
    """One message a burst where only the others are given."""
    if calls is None and evicted is None and not explain:
        return None
    share = _quantity(parse_share, evicted, "--evicted-between-bursts")
    return Bursts(calls_of(size) if calls is None else calls, 1.0 if share is None else share)


def _check_message(request: Request, file: Path | None) -> None:
    try:
        for job in jobs_of(request, ["any"]):
            check_message(job)
        check_bursts(request)
        if file is not None:
            pieces(request, file.stat().st_size)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _check_outputs(plot_file: Path | None, html_file: Path | None) -> None:
    check_picture(plot_file)
    if html_file is not None:
        from ..report import page  # start-up time

        check_picture(html_file, "--html", page.SUFFIXES)


def _variants(flags: str | None) -> tuple[tuple[str, ...] | None, ...]:
    if flags == "search":
        return SEARCHED_FLAGS
    return (tuple(flags.split()) if flags is not None else None,)


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
        row.constant_time,
        "*" if candidate.name in front else "",
        *([" ".join(candidate.flags or ())] if search else []),
    )


def _print(answer: Answer, search: bool) -> None:
    out, choice = console(), answer.choice
    request = choice.request
    print_text(out, f"{request.platform.title}: {question(request)}")
    if choice.ranking:
        columns = (*COLUMNS, ("flags", "<")) if search else COLUMNS
        rows = [_row(one, choice.pareto, search) for one in choice.ranking]
        expendable = ("stack", "key set-up", "front")
        print_table(out, columns, rows, expendable=expendable, styles={0: "bold green"})
    if choice.dropped:
        print_table(
            out, (("dropped", "<"), ("why", "<")), [(d.core, d.reason) for d in choice.dropped]
        )
    if choice.winner is None:
        return
    for note in _notes(choice, choice.winner, search):
        print_text(out, note, style="dim")
    for line in answer.explained:
        print_text(out, line)
    if answer.file:
        print_text(out, answer.file)
    print_text(out, answer.sentence, style="bold")


def _notes(choice: Choice, winner: Candidate, search: bool) -> list[str]:
    """What holds for the figures."""
    p = winner.row.provenance
    flags = "flags as listed" if search else winner.flags_on(choice.request.platform)
    return [
        f"cycles, c/B (cycles a byte): {p.window}",
        "flash (code and tables), RAM (keys and stack), stack: bytes; *: on the Pareto front of "
        "cycles, flash and RAM",
        f"{p.compiler}; {flags}; {p.memory}",
    ]


def _reproduce(context: typer.Context, platform: str, *left_out: str) -> str:
    """The command that asks this question again, but for options that change no answer."""
    words = ["aesfit", "fit", "--platform", platform]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if name in (*_NOT_THE_QUESTION, *left_out, "platform") or value in (None, False, (), []):
            continue
        if value == parameter.default:
            continue
        values = value if isinstance(value, list | tuple) else [value]
        for one in values:
            words += [parameter.opts[0]] if one is True else [parameter.opts[0], str(one)]
    return shlex.join(words)


def _draw(answer: Answer, command: str, plot_file: Path | None, html_file: Path | None) -> None:
    if plot_file is not None:
        from ..report import plot  # start-up time

        write_file(plot_file, plot.render(answer, plot_file.suffix))
    if html_file is not None:
        from ..report import page  # start-up time

        write_file(html_file, page.render(answer, command).encode())


def command(
    context: typer.Context,
    platform: Annotated[
        str | None,
        typer.Option(metavar="<p>", help="By name or TOML file; on x86-64, this computer."),
    ] = None,
    mode: Annotated[
        str, typer.Option(metavar="<mode>", help="ecb, cbc, ctr, xts, cmac, ccm, gcm ...")
    ] = "ccm",
    message_bytes: Annotated[
        int, typer.Option("--bytes", metavar="<n>", help="Payload of one message.", min=1)
    ] = 1504,
    key_bits: Annotated[int, typer.Option(metavar="<n>", help="128, 192 or 256.")] = 128,
    max_flash: Annotated[
        str | None, typer.Option(metavar="<4K>", help="Bytes of code and tables allowed.")
    ] = None,
    max_ram: Annotated[
        str | None, typer.Option(metavar="<1K>", help="Bytes of keys and stack allowed.")
    ] = None,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="Time must not tell about secrets there.")
    ] = False,
    encrypt_only: Annotated[
        bool, typer.Option("--encrypt-only", help="Leave decryption out of the firmware.")
    ] = False,
    key_changes: Annotated[
        str,
        typer.Option(metavar="<n>|never", help="Messages between new keys, whose set-up counts."),
    ] = "never",
    objective: Annotated[
        str, typer.Option(metavar="|".join(OBJECTIVES), help="What to have least of.")
    ] = "cycles",
    clock: Annotated[
        str | None, typer.Option(metavar="<72MHz>", help="Instead of the platform's.")
    ] = None,
    rate: Annotated[
        str | None, typer.Option(metavar="<54Mbit/s>", help="Payload to keep up with.")
    ] = None,
    flash_wait: FlashWait = None,
    tables: Tables = None,
    cache: CacheSize = None,
    ways: Ways = None,
    line: Line = None,
    miss_penalty: MissPenalty = None,
    ghash: Ghash = None,
    file: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Say what this costs, cut in messages."),
    ] = None,
    core: Annotated[
        list[str] | None, typer.Option(metavar="<core,..>", help="Only these cores.")
    ] = None,
    flags: Annotated[
        str | None,
        typer.Option(
            metavar="<flags>|search", help="Optimisation flags, as one word; or try some."
        ),
    ] = None,
    calls_per_burst: Annotated[
        int | None,
        typer.Option(
            metavar="<n>", help="Blocks of 16 bytes between others' turns in the caches.", min=1
        ),
    ] = None,
    evicted_between_bursts: Annotated[
        str | None,
        typer.Option(metavar="<100%>", help="Of the caches, taken by others in such a turn."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how expected cache misses decide.")
    ] = False,
    fresh: Fresh = False,
    json: Json = False,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", metavar="<file.png|svg>", help="Draw the cores.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="<file.html>", help="Write a page.")
    ] = None,
    emit: Annotated[
        Path | None, typer.Option("--emit", metavar="<folder>", help="Write the winner as C.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the files of --emit where they exist.")
    ] = False,
) -> None:
    """Measure every core that a processor can run, and say which one to take."""
    (target,) = platforms_behind([_platform(platform)], cache, ways, line, miss_penalty)
    mode = mode_named(mode)
    check_ghash(ghash, mode)
    request = Request(
        platform=target,
        mode=mode,
        bytes=message_bytes,
        key_bits=key_bits,
        limits=Limits(
            _quantity(parse_size, max_flash, "--max-flash"),
            _quantity(parse_size, max_ram, "--max-ram"),
            constant_time,
        ),
        encrypt_only=encrypt_only or not message.MODES[mode].verifies,
        messages_per_key=_quantity(parse_key_changes, key_changes, "--key-changes"),
        objective=_objective(objective),
        clock_hz=_quantity(parse_clock, clock, "--clock"),
        rate=_quantity(parse_rate, rate, "--rate"),
        placement=placement_given(flash_wait, tables),
        ghash=ghash_named(ghash, target),
        bursts=_bursts(calls_per_burst, evicted_between_bursts, message_bytes, explain),
    )
    _check_message(request, file)
    _check_outputs(plot_file, html_file)
    cores = _cores(target, core or ())
    if emit is not None:
        from .emit_files import checked, choice_of  # start-up time

        checked(choice_of(request, cores[0]), emit, force=force)
    elif force:
        raise typer.BadParameter("nothing is written; give --emit too", param_hint="--force")
    with progress_bar(f"measuring {len(cores)} cores", quiet=json) as progress:
        answer = fit(
            request,
            cores,
            _variants(flags),
            file=file,
            fresh=fresh,
            explain=explain,
            progress=progress,
        )
    _draw(answer, _reproduce(context, platform or target.name), plot_file, html_file)
    written: list[Path] = []
    compiles = ""
    if emit is not None:
        from .emit_files import put_winner  # start-up time

        again = _reproduce(context, Path(platform or target.name).name, "file") + " --emit fitaes"
        written, compiles = put_winner(answer, again, emit, force=force, fresh=fresh, quiet=json)
    if json:
        files = {"files": [str(path) for path in written]} if emit is not None else {}
        print_json({**answer.as_json(), **files})
    else:
        _print(answer, search=flags == "search")
        for path in written:
            typer.echo(f"{path} written")
        if compiles:
            typer.echo(f"next: {compiles}")
    if answer.choice.winner is None:
        typer.echo(f"aesfit: {answer.sentence}", err=True)
        raise typer.Exit(1)

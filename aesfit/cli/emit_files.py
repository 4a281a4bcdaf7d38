# SPDX-License-Identifier: MIT
"""What `aesfit emit` and `aesfit fit --emit` share: checks, measuring, writing, telling."""

import shlex
from pathlib import Path
from typing import Any

import typer

from ..choosing.answer import Answer
from ..choosing.request import Request
from ..emitting import head
from ..emitting.choice import DropInChoice, public_functions
from ..emitting.figures import Figures, contexts, repeats
from ..emitting.source import files
from ..emitting.write import check_folder, write
from ..units import count
from .common import Align, check_message, console, print_table, print_text, progress_bar

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("mode", "<"),
    ("key", ">"),
    ("op", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("stack", ">"),
    ("constant-time", "<"),
)


def checked(choice: DropInChoice, folder: Path, *, force: bool) -> None:
    """A usage error for what cannot be made or written, before anything is measured."""
    try:
        files(choice)
        check_folder(folder, force=force)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def figures_of(
    choice: DropInChoice, origin: head.Origin, size: int, *, fresh: bool, quiet: bool
) -> Figures | None:
    """What the files measure on the choice's platform; None where nothing that repeats can."""
    if not repeats(choice.platform):
        return None
    from ..emitting import measured  # brings the rigs, which files alone do without

    jobs = measured.jobs(choice, size, origin.flags, origin.placement)
    try:
        for job in jobs:
            check_message(job)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--bytes") from None
    with progress_bar(f"measuring {len(jobs)} operations", quiet=quiet) as progress:
        return measured.measure(jobs, choice, fresh=fresh, progress=progress)


def put(
    choice: DropInChoice, origin: head.Origin, figures: Figures | None, folder: Path, *, force: bool
) -> list[Path]:
    """Write the files; their paths."""
    made = files(choice, head.head(choice, origin, figures))
    write(folder, made, force=force)
    return [folder / name for name in made]


def choice_of(request: Request, core: str) -> DropInChoice:
    """A drop-in of that core for the question of `aesfit fit`."""
    return DropInChoice(
        core=core,
        modes=(request.mode,),
        key_bits=(request.key_bits,),
        encrypt_only=request.only_encrypts,
        platform=request.platform,
        ghash=request.ghash,
    )


def put_winner(
    answer: Answer, command: str, folder: Path, *, force: bool, fresh: bool, quiet: bool
) -> tuple[list[Path], str]:
    """Write the winner's files; their paths and the next command, none where nobody won."""
    request, winner = answer.choice.request, answer.choice.winner
    if winner is None:
        return [], ""
    choice = choice_of(request, winner.name)
    told = answer.sentence if repeats(choice.platform) else f"Take {winner.name}."
    origin = head.Origin(command, told, winner.flags, request.placement)
    figures = figures_of(choice, origin, request.bytes, fresh=fresh, quiet=quiet)
    written = put(choice, origin, figures, folder, force=force)
    return written, _compile(choice, origin, written)


def _compile(choice: DropInChoice, origin: head.Origin, written: list[Path]) -> str:
    """The command that compiles the .c from here."""
    line = head.compile_line(choice, origin.flags)
    return line.removesuffix(written[0].name) + shlex.quote(str(written[0]))


def _rows(figures: Figures) -> list[tuple[str, ...]]:
    return [
        (
            str(row.mode),
            str(row.key_bits),
            row.op,
            count(row.cycles),
            "" if row.cycles_per_byte is None else f"{row.cycles_per_byte:.1f}",
            "-" if row.stack_bytes is None else count(row.stack_bytes),
            row.constant_time,
        )
        for row in figures.rows
    ]


def show(
    choice: DropInChoice, origin: head.Origin, figures: Figures | None, written: list[Path]
) -> None:
    """Print what was made and what to do next."""
    out = console()
    for path in written:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        print_text(out, f"{path}: {count(lines)} lines")
    print_text(out, f"functions: {', '.join(_functions(choice))}")
    held = ", ".join(f"{name} {count(size)} bytes" for name, size in contexts(choice).items())
    in_ram = figures.tables_in_ram if figures is not None else 0
    print_text(out, f"RAM: {held}" + (f", tables {count(in_ram)} bytes" if in_ram else ""))
    if figures is not None and choice.platform is not None:
        flash = figures.flash
        print_text(
            out,
            f"flash: {count(flash.code + flash.tables)} bytes ({count(flash.code)} code, "
            f"{count(flash.tables)} tables); {head.rest(choice)} {count(flash.rest)} more",
        )
        print_table(out, COLUMNS, _rows(figures), expendable=("stack",))
        told = figures.rows[0].provenance
        print_text(out, f"{choice.platform.title}; {told.compiler}; {told.memory}", style="dim")
    # In one line: folded, it would be another command where it is copied.
    command = f"next: {_compile(choice, origin, written)}"
    out.print(command, style="bold", markup=False, soft_wrap=True)


def _functions(choice: DropInChoice) -> list[str]:
    return [head.renamed(name, choice.prefix) for name in public_functions(choice)]


def as_json(
    choice: DropInChoice, origin: head.Origin, figures: Figures | None, written: list[Path]
) -> dict[str, Any]:
    """The stable keys."""
    return {
        "files": [str(path) for path in written],
        "prefix": choice.prefix,
        "core": choice.core,
        "modes": list(choice.modes),
        "key_bits": list(choice.key_bits),
        "encrypt_only": choice.encrypt_only,
        "platform": choice.platform.name if choice.platform else None,
        "functions": _functions(choice),
        "context_bytes": contexts(choice),
        "flash_bytes": figures.flash.code + figures.flash.tables if figures else None,
        "stack_bytes": figures.stack_bytes if figures else None,
        "compile": _compile(choice, origin, written),
        "rows": [row.as_json() for row in figures.rows] if figures else [],
    }

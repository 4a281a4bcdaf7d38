# SPDX-License-Identifier: MIT
"""What `aesfit emit` and `aesfit fit --emit` share: checks, measuring, writing, printing."""

from pathlib import Path

from ..api import emit
from ..choosing.answer import Answer
from ..choosing.request import Request
from ..emitting import head
from ..emitting.choice import DropInChoice
from ..emitting.figures import Figures, contexts, repeats
from ..measuring.evidence import evidence_cell
from ..units import count
from .common import Align, console, print_table, print_text, progress_bar, usage

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("mode", "<"),
    ("key", ">"),
    ("op", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("stack", ">"),
    ("timing", "<"),
    ("evidence", "<"),
)


def checked(choice: DropInChoice, folder: Path, *, force: bool) -> None:
    """Raise a usage error, before measuring, for files that cannot be made or written."""
    with usage():
        emit.check(choice, folder, force=force)


def figures_of(
    choice: DropInChoice,
    origin: head.Origin,
    size: int,
    *,
    prove: bool = False,
    fresh: bool,
    quiet: bool,
) -> Figures | None:
    """Measure the files on the choice's platform; a usage error for a wrong payload."""
    with usage("--bytes"):
        jobs = emit.jobs_of(choice, origin, size)
    with progress_bar(f"measuring {len(jobs)} operations", quiet=quiet or not jobs) as progress:
        return emit.figures_of(choice, jobs, prove=prove, fresh=fresh, progress=progress)


def choice_of(request: Request, core: str, ghash: str | None = None) -> DropInChoice:
    """The drop-in of a core and GHASH multiplier that answers the question of `aesfit fit`."""
    return DropInChoice(
        core=core,
        modes=(request.mode,),
        key_bits=(request.key_bits,),
        encrypt_only=request.only_encrypts,
        platform=request.platform,
        ghash=ghash or request.ghashes[0],
    )


def put_winner(
    answer: Answer, command: str, folder: Path, *, force: bool, fresh: bool, quiet: bool
) -> tuple[list[Path], str]:
    """Write the winner's files; returns paths and next command, nothing without a winner."""
    request, winner = answer.choice.request, answer.choice.winner
    if winner is None:
        return [], ""
    choice = choice_of(request, winner.name, winner.ghash)
    told = answer.sentence if repeats(choice.platform) else f"Take {winner.title}."
    origin = head.Origin(command, told, winner.flags, request.placement)
    figures = figures_of(choice, origin, request.bytes, fresh=fresh, quiet=quiet)
    written = emit.put(choice, origin, figures, folder, force=force)
    return list(written.files), written.compile


def _rows(figures: Figures) -> list[tuple[str, ...]]:
    return [
        (
            str(row.mode),
            str(row.key_bits),
            row.op,
            count(row.cycles),
            "" if row.cycles_per_byte is None else f"{row.cycles_per_byte:.1f}",
            "-" if row.stack_bytes is None else count(row.stack_bytes),
            row.timing,
            evidence_cell(row.secrecy),
        )
        for row in figures.rows
    ]


def show(answer: emit.EmittedFiles) -> None:
    """Print what was made and what to do next."""
    out, choice, figures = console(), answer.choice, answer.figures
    for path in answer.files:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        print_text(out, f"{path}: {count(lines)} lines")
    print_text(out, f"functions: {', '.join(answer.functions)}")
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
    # On one line: a folded command could not be copied.
    out.print(f"next: {answer.compile}", style="bold", markup=False, soft_wrap=True)

# SPDX-License-Identifier: MIT
"""`aesfit fit`: which core fits this processor, measured on a real file."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from .. import _native
from ..catalog import Core
from ..fit import Candidate, Fit, choose
from ..rigs.host import HostRun, Job, make_job, measure
from .common import (
    Align,
    console,
    cores_named,
    mode_named,
    print_json,
    print_table,
    print_text,
)

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("", ">"),
    ("core", "<"),
    ("least", ">"),
    ("median", ">"),
    ("tables", ">"),
    ("keys", ">"),
    ("code", ">"),
    ("constant-time", "<"),
)
MOST_BYTES = 1 << 16  # a pass of the slowest core takes 4 ms, short enough to go undisturbed


def default_file() -> Path:
    """Return the README of the checkout; once installed without one, the library itself."""
    readme = Path(__file__).parents[2] / "README.md"
    return readme if readme.is_file() else Path(_native.__file__)


def _measure(cores: list[Core], job: Job, quiet: bool) -> HostRun:
    error_console = console(stderr=True)
    if quiet or not error_console.is_terminal:
        return measure(cores, job)
    with Progress(console=error_console, transient=True) as progress:
        task = progress.add_task(f"measuring {len(cores)} cores", total=None)
        return measure(
            cores, job, lambda done, total: progress.update(task, completed=done, total=total)
        )


def _row(c: Candidate) -> tuple[str, ...]:
    return (
        str(c.rank),
        c.core.name,
        f"{c.per_byte_min:.2f}",
        f"{c.per_byte_median:.2f}",
        str(c.table_bytes),
        str(c.round_key_bytes),
        "-" if c.code_bytes is None else str(c.code_bytes),
        "yes" if c.constant_time else "no",
    )


def _print(fit: Fit, path: Path, file_bytes: int) -> None:
    p = fit.provenance
    out = console()
    part = "" if p.data_bytes == file_bytes else f"{p.data_bytes} of the "
    print_text(
        out,
        f"{path.name} ({part}{file_bytes} bytes) in {p.mode}, {p.key_bits}-bit key, messages of "
        f"{p.message_bytes} bytes, on {p.processor}",
    )
    print_table(out, COLUMNS, [_row(c) for c in fit.candidates], expendable=("median", "code"))
    print_text(
        out,
        f"least and median: {p.unit} a byte over {p.repeats} interleaved batches; tables, keys "
        f"(round keys), code: bytes.  All {len(fit.candidates)} outputs are equal.",
    )
    if _native.code_bytes_reason:
        print_text(out, f"code is not given: {_native.code_bytes_reason}")
    print_text(out, fit.sentence, style="bold")


def command(
    mode: Annotated[
        str, typer.Option(metavar="<mode>", help="ecb, cbc, ctr, xts, ccm, gcm ...")
    ] = "ccm",
    message_bytes: Annotated[
        int, typer.Option("--bytes", metavar="<n>", help="Bytes of one message.")
    ] = 1504,
    key_bits: Annotated[int, typer.Option(metavar="<n>", help="128, 192 or 256.")] = 128,
    file: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, readable=True, help="Encrypt this (the README otherwise)."
        ),
    ] = None,
    core: Annotated[
        list[str] | None, typer.Option(metavar="<core>", help="Only this core; repeatable.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure every core on this processor with a real file, and say which one to take.

    Every core encrypts the same file; the outputs are checked to be equal.  Of a file above
    64 KiB the first 64 KiB are taken.
    """
    mode = mode_named(mode)
    cores = cores_named(core)
    path = file or default_file()
    with path.open("rb") as stream:
        data = stream.read(MOST_BYTES)
    try:
        job = make_job(mode, key_bits, message_bytes, data)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    fit = choose(_measure(cores, job, quiet=json or not sys.stderr.isatty()))
    if json:
        print_json({"file": path.name, **fit.as_json()})
    else:
        _print(fit, path, path.stat().st_size)

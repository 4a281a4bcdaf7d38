# SPDX-License-Identifier: MIT
"""`aesfit measure`: cycles and sizes of cores on platforms."""

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer

from ..catalog import Core
from ..errors import unknown
from ..measure import Refusal, Result, cores_for, measure
from ..platforms import Platform
from ..rigs.rig import BLOCK_OPS, MODE_OPS, Job, Placement, Provenance, Row
from .common import (
    Align,
    check_output,
    console,
    ghash_named,
    listed,
    mode_named,
    placement_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("core", "<"),
    ("op", "<"),
    ("cycles", ">"),
    ("c/B", ">"),
    ("instr", ">"),
    ("code", ">"),
    ("tables", ">"),
    ("keys", ">"),
    ("context", ">"),
    ("stack", ">"),
    ("constant-time", "<"),
)


def _ops(op: str | None, mode: str | None) -> tuple[str, ...]:
    allowed = MODE_OPS if mode else BLOCK_OPS
    if op is None:
        return MODE_OPS[:1] if mode else BLOCK_OPS
    ops = listed(op)
    for one in ops:
        if one not in allowed:
            kind = "operation of a mode" if mode else "operation without --mode"
            raise typer.BadParameter(str(unknown(kind, one, allowed)), param_hint="--op")
    return ops


def _cores(platform: Platform, names: tuple[str, ...]) -> list[Core]:
    able = {core.name: core for core in cores_for(platform)}
    for name in names:
        if name not in able:
            error = unknown("core", name, list(able))
            raise typer.BadParameter(f"on {platform.name} {error}", param_hint="--core")
    return [able[name] for name in names] if names else list(able.values())


def make_jobs(
    platforms: Sequence[Platform],
    cores: tuple[str, ...],
    key_bits: Sequence[int],
    ops: Sequence[str],
    ghash: str | None = None,
    **options: Any,  # noqa: ANN401 - fields of Job
) -> list[Job]:
    """Every combination, platform by platform, core by core."""
    return [
        Job(platform, core.name, bits, op, ghash=ghash_named(ghash, platform), **options)
        for platform in platforms
        for core in _cores(platform, cores)
        for bits, op in product(key_bits, ops)
    ]


def _number(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _row(row: Row) -> tuple[str, ...]:
    return (
        row.platform,
        row.core,
        row.op if row.mode is None else f"{row.mode} {row.op}",
        _number(row.cycles),
        _number(row.cycles_per_byte, 1),
        _number(row.instructions),
        str(row.code_bytes),
        str(row.table_bytes),
        str(row.round_key_bytes),
        str(row.context_bytes),
        _number(row.stack_bytes),
        row.constant_time,
    )


def _notes(rows: Sequence[Row]) -> list[str]:
    """What holds for the figures, each sentence once."""
    windows = [f"{row.op}: {row.provenance.window}." for row in rows]
    memory = [f"{row.platform}: {row.provenance.memory}; {row.provenance.flags}." for row in rows]
    return list(dict.fromkeys([*windows, *memory]))


def _csv(rows: Sequence[Row]) -> str:
    """Rows as CSV; the provenance in columns of its own."""
    text = io.StringIO()
    names = [field.name for field in fields(Row) if field.name != "provenance"]
    facts = [field.name for field in fields(Provenance)]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *facts])
    for row in rows:
        values = [getattr(row, name) for name in names]
        writer.writerow([*values, *(getattr(row.provenance, name) for name in facts)])
    return text.getvalue()


def _print(rows: Sequence[Row]) -> None:
    out = console()
    print_table(out, COLUMNS, [_row(row) for row in rows], expendable=("instr", "keys", "context"))
    for note in _notes(rows):
        print_text(out, note)


def _key_sizes(key_bits: str) -> list[int]:
    sizes = listed(key_bits)
    for size in sizes:
        if size not in ("128", "192", "256"):
            raise typer.BadParameter(
                f"'{size}' is no key size; choose from 128, 192, 256", param_hint="--key-bits"
            )
    return [int(size) for size in sizes]


def command(
    platform: Annotated[
        str, typer.Option(metavar="<p,..>", help="Platforms by name or TOML file.")
    ],
    core: Annotated[str, typer.Option(metavar="<core,..>", help="Only these cores.")] = "",
    key_bits: Annotated[str, typer.Option(metavar="<n,..>", help="128, 192, 256.")] = "128",
    op: Annotated[
        str | None,
        typer.Option(
            metavar="<op,..>",
            help=f"{', '.join(BLOCK_OPS)}; with --mode: {', '.join(MODE_OPS)}.",
        ),
    ] = None,
    mode: Annotated[str | None, typer.Option(metavar="<mode>", help="ecb, ctr, ccm ...")] = None,
    message_bytes: Annotated[
        int, typer.Option("--bytes", metavar="<n>", help="Payload bytes of one message.", min=1)
    ] = 1504,
    ghash: Annotated[
        str | None,
        typer.Option(metavar="<ghash>", help="Multiplier of GCM; shift32 or clmul otherwise."),
    ] = None,
    flags: Annotated[
        str | None, typer.Option(metavar="<flags>", help="Optimisation flags, as one word.")
    ] = None,
    flash_wait: Annotated[
        int | None,
        typer.Option(metavar="<n>", help="Flash wait states; the platform's otherwise.", min=0),
    ] = None,
    tables: Annotated[
        str | None,
        typer.Option(metavar="flash|ram", help="Where tables lie; as the platform otherwise."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="<file.csv>", help="Write the rows as CSV.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore stored results.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure cores on platforms: cycles, instructions, flash, RAM, stack."""
    check_output(output, "-o")
    placement: Placement = placement_given(flash_wait, tables)
    jobs = make_jobs(
        platforms_named(platform),
        listed(core),
        _key_sizes(key_bits),
        _ops(op, mode),
        mode=mode_named(mode) if mode else None,
        bytes=message_bytes if mode else None,
        flags=tuple(flags.split()) if flags is not None else None,
        ghash=ghash,
        placement=placement,
    )
    with progress_bar(f"measuring {len(jobs)} jobs", quiet=json) as progress:
        results = measure(jobs, fresh=fresh, progress=progress)
    _show(results, output, json)


def _show(results: Sequence[Result], output: Path | None, json: bool) -> None:
    rows = [result for result in results if isinstance(result, Row)]
    if output is not None:
        write_file(output, _csv(rows).encode())
    if json:
        print_json([row.as_json() for row in rows])
    elif rows:
        _print(rows)
    refused = [result for result in results if isinstance(result, Refusal)]
    for one in refused:
        typer.echo(f"aesfit: {one.job.platform.name}, {one.job.core}: {one.reason}", err=True)
    if refused:
        raise typer.Exit(1)

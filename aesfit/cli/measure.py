# SPDX-License-Identifier: MIT
"""`aesfit measure`: cycles and sizes of cores on platforms."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from ..cachemodel.versions import hierarchy
from ..choosing.request import GivenCache, with_cache
from ..errors import unknown
from ..jobs.job import Job, Provenance, Row
from ..measuring.measure import Refusal, Result, measure
from ..platforms.names import BLOCK_OPS, MODE_OPS
from ..platforms.platform import Platform
from .common import (
    Align,
    able_cores,
    check_ghash,
    check_message,
    check_output,
    console,
    count_on_host,
    ghash_named,
    mode_named,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from .grouped import grouped
from .options import Cores, DataCacheOptions, Fresh, Ghash, Json, MemoryOptions, Warm

_BYTES = 1504
"""Of a message when nothing is said: a full frame of IEEE 802.11."""
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


@dataclass(frozen=True)
class MeasuredOptions:
    """What is measured."""

    core: Cores = None
    key_bits: Annotated[str, typer.Option(metavar="<n,..>", help="128, 192, 256.")] = "128"
    op: Annotated[
        str | None,
        typer.Option(
            metavar="<op,..>",
            help=f"{', '.join(BLOCK_OPS)}; with --mode: {', '.join(MODE_OPS)}.",
        ),
    ] = None
    mode: Annotated[str | None, typer.Option(metavar="<mode>", help="ecb, ctr, ccm ...")] = None
    message_bytes: Annotated[
        int | None,
        typer.Option(
            "--bytes",
            metavar="<n>",
            help=f"Payload bytes of one message; {_BYTES} otherwise.",
            min=1,
        ),
    ] = None
    ghash: Ghash = None
    flags: Annotated[
        str | None, typer.Option(metavar="<flags>", help="Optimisation flags, as one word.")
    ] = None

    def jobs(self, platforms: Sequence[Platform], memory: MemoryOptions, warm: bool) -> list[Job]:
        """Every combination, platform by platform, core by core."""
        mode = None if self.mode is None else mode_named(self.mode)
        check_ghash(self.ghash, mode)
        cores = () if self.core is None else names_given(self.core, "--core")
        sizes, ops, size = self._key_sizes(), self._ops(mode), self._sized(mode)
        flags = None if self.flags is None else tuple(self.flags.split())
        placement = memory.placement()
        return [
            Job(
                platform=platform,
                core=core,
                key_bits=bits,
                op=op,
                mode=mode,
                bytes=size,
                flags=flags,
                ghash=ghash_named(self.ghash, platform),
                placement=placement,
                warm=warm,
            )
            for platform in platforms
            for core in able_cores(platform, cores)
            for bits, op in product(sizes, ops)
        ]

    def _ops(self, mode: str | None) -> tuple[str, ...]:
        allowed = MODE_OPS if mode else BLOCK_OPS
        if self.op is None:
            return MODE_OPS[:1] if mode else BLOCK_OPS
        ops = names_given(self.op, "--op", allowed)
        for one in ops:
            if one not in allowed:
                where = "with --mode" if mode else "without --mode"
                raise typer.BadParameter(
                    f"{where} {unknown('operation', one, allowed)}", param_hint="--op"
                )
        return ops

    def _sized(self, mode: str | None) -> int | None:
        """Payload of a message, where there are messages."""
        if mode is None and self.message_bytes is not None:
            raise typer.BadParameter(
                "a message needs a mode; give --mode too", param_hint="--bytes"
            )
        return None if mode is None else self.message_bytes or _BYTES

    def _key_sizes(self) -> list[int]:
        sizes = names_given(self.key_bits, "--key-bits", ("128", "192", "256"))
        for size in sizes:
            if size not in ("128", "192", "256"):
                raise typer.BadParameter(
                    f"'{size}' is no key size; choose from 128, 192, 256", param_hint="--key-bits"
                )
        return [int(size) for size in sizes]


def _check_messages(jobs: Sequence[Job]) -> None:
    try:
        for job in jobs:
            if job.mode:
                check_message(job)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _check_warm(platforms: Sequence[Platform], warm: bool) -> None:
    for one in platforms:
        if warm and not (one.rig == "rtl" and one.caches):
            raise typer.BadParameter(
                f"on {one.name} no caches can be warm; leave it out, or take vexriscv-cached",
                param_hint="--warm",
            )


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


def _geometry(platform: Platform) -> str:
    """The data cache and what a miss costs."""
    data = hierarchy(platform).data
    return (
        f"; data cache of {data.size} bytes, {data.ways} ways, lines of {data.line} bytes, "
        f"{hierarchy(platform).penalty.of(data.line):g} cycles a miss"
    )


def _told(result: Result, geometries: dict[str, str]) -> Result:
    """With the geometry that was given in its provenance."""
    if isinstance(result, Refusal) or result.platform not in geometries:
        return result
    memory = result.provenance.memory + geometries[result.platform]
    return replace(result, provenance=replace(result.provenance, memory=memory))


def _behind(platforms: Sequence[Platform], given: GivenCache) -> list[Platform]:
    """The platforms with the data cache that is given, for their own."""
    try:
        return [with_cache(one, given) for one in platforms]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@grouped
def command(
    platform: Annotated[
        str, typer.Option(metavar="<p,..>", help="Platforms by name or TOML file.")
    ],
    measured: MeasuredOptions,
    memory: MemoryOptions,
    cache: DataCacheOptions,
    warm: Warm = False,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="<file.csv>", help="Write the rows as CSV.")
    ] = None,
    instructions: Annotated[
        bool,
        typer.Option(
            "--instructions", help="Have valgrind count instructions on this computer too."
        ),
    ] = False,
    fresh: Fresh = False,
    json: Json = False,
) -> None:
    """Measure cores on platforms: cycles, instructions, flash, RAM, stack."""
    check_output(output, "-o")
    named = platforms_named(platform)
    chosen = _behind(named, cache.given())
    _check_warm(chosen, warm)
    jobs = measured.jobs(chosen, memory, warm)
    _check_messages(jobs)
    count_on_host(instructions)
    with progress_bar(f"measuring {len(jobs)} jobs", quiet=json) as progress:
        results = measure(jobs, fresh=fresh, progress=progress)
    geometries = {one.name: _geometry(one) for one in chosen if one not in named}
    _show([_told(result, geometries) for result in results], output, json)


def _refusals(refused: Sequence[Refusal]) -> list[str]:
    """One sentence for each reason, with the jobs that it stopped."""
    by_reason: dict[tuple[str, str], list[Refusal]] = {}
    for one in refused:
        by_reason.setdefault((one.job.platform.name, one.reason), []).append(one)
    sentences = []
    for (platform, reason), some in by_reason.items():
        cores = ", ".join(dict.fromkeys(one.job.core for one in some))
        times = f" ({len(some)} jobs)" if len(some) > 1 else ""
        sentences.append(f"{platform}, {cores}{times}: {reason}")
    return sentences


def _show(results: Sequence[Result], output: Path | None, json: bool) -> None:
    rows = [result for result in results if isinstance(result, Row)]
    if output is not None:
        write_file(output, _csv(rows).encode())
    if json:
        print_json([row.as_json() for row in rows])
    elif rows:
        _print(rows)
    refused = [result for result in results if isinstance(result, Refusal)]
    for sentence in _refusals(refused):
        typer.echo(f"aesfit: {sentence}", err=True)
    if refused:
        raise typer.Exit(1)

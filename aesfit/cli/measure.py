# SPDX-License-Identifier: MIT
"""`aesfit measure`: cycles and sizes of cores on platforms."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import click

from ..api.arguments import chip_of
from ..api.measure import BYTES, Measurements, measure
from ..choosing.worst import UNINTERRUPTED, WorstCase
from ..jobs.job import Row
from ..measuring.board_store import was_stored
from ..measuring.evidence import evidence_cell, row_evidence
from ..measuring.flat import empty
from ..measuring.measure import Refusal
from ..platforms.boards import with_stored
from ..platforms.names import BLOCK_OPS, MODE_OPS
from ..rigs.emulator.trust import Trust, trust
from .common import (
    Align,
    check_output,
    console,
    cores_given,
    names_given,
    payload_size,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    sizes_given,
    write_file,
)
from .declared import Asked, Option
from .options import (
    ChipOptions,
    Cores,
    Csv,
    DataCacheOptions,
    Flags,
    Fresh,
    Ghash,
    Json,
    MemoryOptions,
    Stored,
    Warm,
)
from .records import check_form, csv_of, print_csv

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("core", "<"),
    ("op", "<"),
    ("cycles", ">"),
    ("worst", ">"),
    ("c/B", ">"),
    ("instr", ">"),
    ("code", ">"),
    ("tables", ">"),
    ("keys", ">"),
    ("context", ">"),
    ("stack", ">"),
    ("timing", "<"),
    ("evidence", "<"),
)
_EXPENDABLE = ("instr", "keys", "context", "tables", "c/B", "worst", "stack", "code")
"""Columns that are dropped on a narrow terminal, in this order."""


_WORST = (
    "worst: cycles at the worst placement of the code, of the first call if that takes more, with "
    "the error of what was published; stack: the deepest"
)


@dataclass(frozen=True)
class MeasuredOptions:
    """What is measured."""

    cores: Cores = None
    key_bits: Annotated[str, Option(metavar="<n,..>", help="Key sizes in bits: 128, 192, 256.")] = (
        "128"
    )
    ops: Annotated[
        str | None,
        Option(
            "--op",
            metavar="<op,..>",
            help=f"{', '.join(BLOCK_OPS)}; with --mode: {', '.join(MODE_OPS)}. [all]",
        ),
    ] = None
    mode: Annotated[
        str | None, Option(metavar="<mode>", help="Mode: ecb, ctr, ccm ... [blocks alone]")
    ] = None
    encrypt_only: Annotated[
        bool, Option("--encrypt-only", help="Leave out operations that decrypt.")
    ] = False
    payload_bytes: Annotated[
        int | None,
        Option(
            "--bytes",
            metavar="<n>",
            help=f"Payload bytes of one message. [{BYTES}]",
            parser=payload_size,
        ),
    ] = None
    ghash: Ghash = None
    flags: Flags = None

    def asked(self) -> Asked:
        """Arguments; a usage error says what is wrong with a list."""
        return {
            **asdict(self),
            "cores": cores_given(self.cores) or None,
            "key_bits": sizes_given(self.key_bits),
            "ops": None if self.ops is None else self._ops(self.ops),
        }

    def _ops(self, text: str) -> tuple[str, ...]:
        return names_given(text, "--op", MODE_OPS if self.mode else BLOCK_OPS)


def _number(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _cycles(row: Row, basis: Trust) -> str:
    """Cycles; on a chip with their range over placements, which holds what is known of silicon."""
    middle = _number(row.cycles)
    ends = basis.ends(row.cycles_min, row.cycles_max)
    return f"{middle} ({ends[0]} to {ends[1]})" if ends else middle


def _row(row: Row, basis: Trust, worst: WorstCase | None) -> tuple[str, ...]:
    return (
        f"{row.platform} (stored)" if was_stored(row) else row.platform,
        row.core,
        row.op if row.mode is None else f"{row.mode} {row.op}",
        _cycles(row, basis),
        _number(worst.cycles if worst else None),
        _number(row.cycles_per_byte, 1),
        _number(row.instructions),
        str(row.code_bytes),
        str(row.table_bytes),
        str(row.round_key_bytes),
        str(row.context_bytes),
        _number(row.stack_bytes),
        row.timing,
        evidence_cell(row.secrecy),
    )


def _notes(rows: Sequence[Row]) -> list[str]:
    """Notes on the figures, each sentence once."""
    windows = [f"{row.op}: {row.provenance.window}." for row in rows]
    memory = [f"{row.platform}: {row.provenance.memory}; {row.provenance.flags}." for row in rows]
    proofs = [f"{row.op}: {row_evidence(row)}." for row in rows if row.proved or row.unproved]
    return [*dict.fromkeys([*windows, *proofs, *memory]), f"{_WORST}; {UNINTERRUPTED}."]


def _print(answer: Measurements, bases: Mapping[str, Trust]) -> None:
    out, rows = console(), answer.measured
    each = zip(rows, answer.worst, strict=True)
    table = [_row(row, bases[row.platform], worst) for row, worst in each]
    print_table(out, COLUMNS, table, expendable=_EXPENDABLE)
    for note in _notes(rows):
        print_text(out, note)


def command(
    platform: Annotated[str, Option(metavar="<p,..>", help="Platforms by name or TOML file.")],
    what: MeasuredOptions,
    chip: ChipOptions,
    memory: MemoryOptions,
    cache: DataCacheOptions,
    warm: Warm = False,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="<file.csv>", help="Write the rows as CSV. [none]"),
    ] = None,
    instructions: Annotated[
        bool,
        Option("--instructions", help="On this computer, also count instructions with valgrind."),
    ] = False,
    fresh: Fresh = False,
    stored: Stored = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure cores on platforms: cycles, instructions, flash, RAM, stack."""
    check_output(output, "-o")
    quiet = check_form(json, csv)
    asked = [with_stored(one, stored) for one in platforms_named(platform)]
    with progress_bar("measuring", quiet=quiet) as progress:
        answer = measure(
            asked,
            **what.asked(),
            **chip.asked(),
            **memory.asked(),
            **cache.asked(),
            warm=warm,
            instructions=instructions,
            fresh=fresh,
            progress=progress,
        )
    chips = [chip_of(one, **chip.asked()) for one in asked]
    bases = {one.name: trust(one, memory.flash_wait) for one in chips}
    _show(answer, bases, output, json=json, csv=csv)


def _refusals(refused: Sequence[Refusal]) -> list[str]:
    """Print one sentence per reason, with the jobs that it stopped."""
    by_reason: dict[tuple[str, str], list[Refusal]] = {}
    for one in refused:
        by_reason.setdefault((one.job.platform.name, one.reason), []).append(one)
    sentences = []
    for (platform, reason), some in by_reason.items():
        cores = ", ".join(dict.fromkeys(one.job.core for one in some))
        times = f" ({len(some)} jobs)" if len(some) > 1 else ""
        sentences.append(f"{platform}, {cores}{times}: {reason}")
    return sentences


def _show(
    answer: Measurements,
    bases: Mapping[str, Trust],
    output: Path | None,
    *,
    json: bool,
    csv: bool,
) -> None:
    if output is not None:
        write_file(output, csv_of(answer.rows, empty()).encode())
    if csv:
        print_csv(answer.rows, empty())
    elif json:
        print_json(answer.as_json())
    elif answer.measured:
        _print(answer, bases)
    for sentence in _refusals(answer.refused):
        click.echo(f"aesfit: {sentence}", err=True)
    if answer.refused:
        raise click.exceptions.Exit(1)

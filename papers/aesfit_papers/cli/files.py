# SPDX-License-Identifier: MIT
"""`aesfit papers files`: CBC over a file at the 20 sizes of a paper, and its ratios beside ours."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import click

from aesfit.cli.common import (
    Align,
    able_cores,
    check_not_input,
    check_output,
    console,
    names_given,
    platforms_named,
    print_json,
    print_table,
    print_text,
    progress_bar,
    write_file,
)
from aesfit.cli.declared import Argument, Option
from aesfit.cli.options import Fresh, Json
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not
from aesfit.rigs.rig import RigUnavailableError
from aesfit.units import count, parse_size, seconds

from ..file_bench import emulated as file_emulated
from ..file_bench import host as file_host
from ..file_bench import javed
from ..file_bench.question import (
    KEY_SETUP,
    LEVELS,
    NO_READING,
    FileBench,
    FileOutcome,
    FileRow,
    FileSource,
    Flags,
    fitting,
    joined,
    source,
)
from ..file_bench.ratios import Ratio, judged, ratios
from ..file_bench.table import FileTable, figures, ratio_table, size_told

_BLOCK = 16
_BITS = (128, 192, 256)
_UNDISTURBED = 0.95
"""Share of the processor above which there is no warning about other programs."""
_WORTH_TELLING = 5e9
"""Estimated nanoseconds above which the user is told the duration beforehand."""


def _sizes(text: str | None) -> tuple[int, ...]:
    """The sizes asked for; a usage error says what is allowed."""
    if text is None:
        return javed.SIZES
    try:
        sizes = [parse_size(name) for name in names_given(text, "--sizes")]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--sizes") from None
    for size in sizes:
        if size % _BLOCK or not _BLOCK <= size <= javed.SIZES[-1]:
            most = size_told(javed.SIZES[-1])
            raise click.BadParameter(
                f"CBC takes whole blocks, {_BLOCK} bytes to {most} here, not {size}",
                param_hint="--sizes",
            )
    return tuple(sorted(set(sizes)))


def _levels(text: str | None) -> tuple[Flags, ...]:
    if text is None:
        return LEVELS
    return tuple(tuple(one.split()) for one in names_given(text, "--flags"))


@dataclass(frozen=True)
class BenchOptions:
    """What is timed."""

    platform: Annotated[str, Option(metavar="<p,..>", help="Platforms by name or TOML file.")] = (
        "x86-64,arm7tdmi"
    )
    core: Annotated[
        str, Option(metavar="<core,..>", help="Cores to time; ratios compare the first two.")
    ] = f"{javed.FINAL},{javed.V1}"
    key_bits: Annotated[int, Option(metavar="128|192|256", help="Key size in bits.")] = 128
    flags: Annotated[
        str | None,
        Option(metavar="<flags,..>", help="Optimisation levels. [-O0,-Os,-O2,-O3]"),
    ] = None
    sizes: Annotated[
        str | None,
        Option(metavar="<16,1K,8M>", help="Bytes to encrypt. [the paper's 20, 16 to 8M]"),
    ] = None
    repeats: Annotated[
        int, Option(metavar="<n>", help="Runs of each size on this computer.", min=1)
    ] = javed.REPEATS


def _experiment(given: BenchOptions) -> FileBench:
    """The question; usage errors name the option."""
    bits = given.key_bits
    if bits not in _BITS:
        raise click.BadParameter(
            f"'{bits}' is not a key size; choose: 128, 192, 256", param_hint="--key-bits"
        )
    platforms = tuple(platforms_named(given.platform))
    cores = names_given(given.core, "--core")
    for one in platforms:
        able_cores(one, cores)
    levels, sizes = _levels(given.flags), _sizes(given.sizes)
    return FileBench(platforms, cores, levels, sizes, bits, given.repeats)


def _check_available(platforms: Sequence[Platform]) -> None:
    for one in platforms:
        reason = why_not(one)
        if reason:
            raise RigUnavailableError(reason)


def _available(asked: FileBench, found: FileSource) -> tuple[FileBench, tuple[int, ...]]:
    """The experiment with the sizes that fit in the file, and the sizes left out."""
    there, left_out = fitting(asked.sizes, len(found.data))
    if not there:
        raise ValueError(
            f"'{found.path}' is too short: {len(found.data)} bytes, and the smallest size asked "
            f"for is {asked.sizes[0]}"
        )
    return replace(asked, sizes=there), left_out


def _run(
    platform: Platform, asked: FileBench, data: FileSource, fresh: bool, quiet: bool
) -> FileOutcome:
    if platform.rig != "host":
        with progress_bar(f"emulating {platform.name}", quiet=quiet) as progress:
            return file_emulated.run(platform, asked, data, progress, fresh=fresh)
    with progress_bar(f"building for {platform.name}", quiet=quiet):
        speeds = file_host.pilot(platform, asked, data)
    foretold = file_host.foretold(asked, speeds)
    if not quiet and foretold >= _WORTH_TELLING:
        print_text(console(stderr=True), _plan(platform, asked, foretold))
    spent = 0.0
    with progress_bar(f"timing on {platform.name}", quiet=quiet) as progress:

        def spend(nanoseconds: float) -> None:
            nonlocal spent
            spent += nanoseconds
            progress(round(spent), round(foretold))

        return file_host.run(platform, asked, data, speeds, spend)


def _plan(platform: Platform, asked: FileBench, nanoseconds: float) -> str:
    programs, sizes = len(asked.cores) * len(asked.levels), len(asked.sizes)
    minutes = nanoseconds / 60e9
    long = f"{minutes:.0f} minutes" if minutes >= 2 else seconds(nanoseconds * 1e-9)
    return (
        f"{platform.name}: about {long}, programs x sizes x runs = {programs} x {sizes} x "
        f"{asked.repeats}, reading included and not; less with --flags, --sizes, --repeats."
    )


def _csv(rows: Sequence[FileRow]) -> bytes:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, [field.name for field in fields(FileRow)])
    writer.writeheader()
    writer.writerows(row.as_json() for row in rows)
    return stream.getvalue().encode()


def _json(
    asked: FileBench,
    data: FileSource,
    found: FileOutcome,
    every: Sequence[Ratio],
    left_out: Sequence[int],
) -> dict[str, Any]:
    emulated = [one.name for one in asked.platforms if one.rig != "host"]
    return {
        "paper": javed.TITLE,
        "file": {"name": data.title, "bytes": len(data.data), "sha256": data.sha256},
        "key_bits": asked.key_bits,
        "key_setup": KEY_SETUP,
        "repeats": asked.repeats,
        "rows": [row.as_json() for row in found.rows],
        "reading_is_null": dict.fromkeys(emulated, NO_READING),
        "operations": [asdict(row) for row in found.ops],
        "ratios": [ratio.as_json() for ratio in every],
        "verdicts": judged(every),
        "linearity": [asdict(line) for line in found.lines],
        "left_out": list(left_out),
        "refused": list(found.refused),
        "provenance": [dict(facts) for facts in found.provenance],
    }


def _print_table(table: FileTable) -> None:
    sides: list[tuple[str, Align]] = [
        (heading, "<" if at < table.words else ">") for at, heading in enumerate(table.headings)
    ]
    print_table(console(), sides, table.rows)


def _print(asked: FileBench, found: FileOutcome, every: Sequence[Ratio]) -> None:
    levels = [" ".join(level) for level in asked.levels]
    known = {facts["platform"]: facts for facts in found.provenance}
    for platform in (one for one in asked.platforms if one.name in known):
        name, out, facts = platform.name, console(), known[platform.name]
        some = "1 run" if asked.repeats == 1 else f"{asked.repeats} runs"
        runs = f", {some}" if platform.rig == "host" else ""
        print_text(out, f"{name}: CBC, {asked.key_bits}-bit keys{runs}; {_told(facts)}", "bold")
        _print_table(figures(name, found, levels))
        for sentence in _notes(platform, found, facts):
            print_text(out, sentence)
        if any(one.platform == name for one in every):
            out.print()
            print_text(
                out, f"{name}: times that {javed.FINAL} is as fast as {javed.V1}", style="bold"
            )
            _print_table(ratio_table(name, every, levels))
        out.print()
    for sentence in judged(every):
        print_text(console(), sentence)


def _told(facts: Mapping[str, Any]) -> str:
    return f"{facts['measured_on']}; {facts['compiler']} {facts['target']}; {facts['clock']}"


def _notes(platform: Platform, found: FileOutcome, facts: Mapping[str, Any]) -> list[str]:
    """Notes on the figures of a platform."""
    if platform.rig == "host":
        share: float = facts["processor_share"]
        return [] if share >= _UNDISTURBED else [_disturbed(platform, share)]
    notes = [f"Reading is not timed: {NO_READING}."]
    lines = [line for line in found.lines if line.platform == platform.name and not line.reason]
    if lines:
        worst = max(line.residual for line in lines)
        notes.append(
            f"~ extrapolated: sizes up to {size_told(file_emulated.LARGEST_RUN)} were run, and lie "
            f"on lines with a residual of at most {worst:.3%}."
        )
    return notes


def _disturbed(platform: Platform, share: float) -> str:
    return (
        f"Other programs disturbed: these runs had {platform.name} for {share:.0%} of their time, "
        "so averages and minima of large sizes are too high; run again on an idle computer."
    )


def _left_out_told(data: FileSource, left_out: Sequence[int]) -> str:
    sizes = ", ".join(map(size_told, left_out))
    return f"aesfit: {data.title} has {count(len(data.data))} bytes; left out: {sizes}"


def command(
    timed: BenchOptions,
    file: Annotated[
        Path | None,
        Argument(metavar="FILE", exists=True, help="File to encrypt. [8 MiB of generated data]"),
    ] = None,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="<file.csv>", help="Write the rows as CSV. [none]"),
    ] = None,
    fresh: Fresh = False,
    json: Json = False,
) -> None:
    """Time CBC over a file by size and compiler level, beside a paper's figures."""
    check_output(output, "-o")
    check_not_input(output, "-o", file)
    asked = _experiment(timed)
    _check_available(asked.platforms)
    with source(file, asked.sizes[-1]) as data:
        asked, left_out = _available(asked, data)
        if left_out:
            click.echo(_left_out_told(data, left_out), err=True)
        found = joined([_run(one, asked, data, fresh, json) for one in asked.platforms])
    every = ratios(found, asked.key_bits)
    if output is not None:
        write_file(output, _csv(found.rows))
    if json:
        print_json(_json(asked, data, found, every, left_out))
    else:
        _print(asked, found, every)
    for sentence in found.refused:
        click.echo(f"aesfit: {sentence}", err=True)
    if found.refused:
        raise click.exceptions.Exit(1)

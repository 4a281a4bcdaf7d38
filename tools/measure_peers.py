# SPDX-License-Identifier: MIT
"""Measure other libraries' AES beside ours, and write bench/peers.csv and bench/peers_timing.csv.

`python tools/measure_peers.py PORTS.toml` measures what the file lists: objects that whoever owns
the libraries compiled, with the entry points of docs/peers.md in them; then it examines where their
timing depends on key or text.  With `--timing` it only examines.  Nothing is compiled here but our
own cores, and nothing of the libraries is kept but figures.  Rows of a platform are replaced as a
whole, ours among them, so that all of them are of one run.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from peers_listing import Listed, listed
from peers_rows import (
    BLOCK_OPS,
    CSV,
    MODES,
    OURS,
    SIZES,
    PeerRow,
    TimingRow,
    read,
    read_timing,
    timing_beside,
    write,
    write_timing,
)

import aesfit
from aesfit.api.prove import check_prover
from aesfit.counting.ported import port_row
from aesfit.jobs.job import Job, Row
from aesfit.platforms.find import platform_named

CORES = {
    "cortex-m3": ("ttable1_armv7m", "ttable1_wide", "fixslice_armv7m", "fixslice_4k_armv7m"),
    "cortex-m4": ("ttable1_armv7m", "sbox_columns_dsp", "fixslice_armv7m", "fixslice_4k_armv7m"),
    "cortex-m0plus": ("ttable_diffused", "transposed_armv6m", "fixslice_armv6m"),
    "rv32im-e31": ("ttable4", "ttable1", "fixslice_rv32", "bitslice_rv32"),
    **dict.fromkeys(
        ("arm7tdmi", "arm9tdmi"), ("ttable1_armv4", "transposed_armv4", "fixslice_armv4")
    ),
}
"""Ours with the platform's flags: some of the fastest on the processor, with and without tables."""
SMALL_CORES = ("sbox_columns", "tiny", "transposed")
"""Ours with -Os."""
MULTIPLIERS = {
    "cortex-m3": ("mul_low", "table4"),
    "cortex-m4": ("mul32", "table4"),
    "cortex-m0plus": ("mul_low", "table4"),
    "rv32im-e31": ("mul32", "table4"),
    **dict.fromkeys(("arm7tdmi", "arm9tdmi"), ("shift32", "table4")),
}
"""Of GHASH: one that is constant-time on the processor, and one that reads a table."""


def jobs(one: Listed) -> Iterator[Job]:
    """What is measured of an entry."""
    platform = platform_named(one.platform)
    for op in one.operations:
        if one.mode == "block":
            yield Job(platform, "", 128, op)
        else:
            for size in SIZES if op == "encrypt" else SIZES[:1]:
                yield Job(platform, "", 128, op, mode=one.mode, bytes=size)


def peer_rows(one: Listed) -> list[PeerRow]:
    """Rows of an entry; WrongOutputError where it computes something else than our library."""
    measured = [port_row(job, one.port) for job in jobs(one)]
    return [
        _row(row, one.mode, one.library, one.version, one.configuration, one.flags, one.source)
        for row in measured
    ]


def our_rows(platform: str) -> list[PeerRow]:
    """Rows of our cores, with the platform's flags and the small ones with -Os."""
    rows: list[PeerRow] = []
    for mode, (cores, flags) in product(MODES, ((CORES[platform], None), (SMALL_CORES, "-Os"))):
        for ghash in MULTIPLIERS[platform] if mode == "gcm" else (None,):
            rows += _ours(platform, mode, cores, flags, ghash)
    return rows


def _ours(
    platform: str, mode: str, cores: Sequence[str], flags: str | None, ghash: str | None
) -> list[PeerRow]:
    asked: list[tuple[str, int | None]] = [(op, None) for op in BLOCK_OPS]
    if mode != "block":
        asked = [("key-setup", SIZES[0]), *(("encrypt", size) for size in SIZES)]
    rows: list[PeerRow] = []
    for op, size in asked:
        answer = aesfit.measure(
            platform, cores=cores, ops=op, mode=mode, payload_bytes=size, flags=flags, ghash=ghash
        )
        if answer.refused:
            raise RuntimeError(str(answer.refused[0]))
        for row in answer.measured:
            name = row.core if ghash is None else f"{row.core}, GHASH {ghash}"
            told = flags or " ".join(platform_named(platform).compiler.optimise)
            rows.append(_row(row, mode, OURS, row.provenance.version, name, told, "this tree"))
    return rows


def _row(  # long: every column of the file is named here
    row: Row, mode: str, library: str, version: str, configuration: str, flags: str, source: str
) -> PeerRow:
    return PeerRow(
        platform=row.platform,
        mode=mode,
        op=row.op,
        bytes=row.bytes,
        library=library,
        version=version,
        configuration=configuration,
        flags=flags,
        compiler=row.provenance.compiler,
        cycles=round(row.cycles),
        instructions=row.instructions or 0,
        flash_bytes=row.flash_bytes,
        context_bytes=row.context_bytes,
        stack_bytes=row.stack_bytes or 0,
        timing=row.timing,
        evidence=row.evidence or "",
        image_sha256=row.provenance.image_sha256,
        source=source,
    )


def examined_rows(one: Listed) -> list[TimingRow]:
    """Where the timing of an entry depends on a secret."""
    from peers_timing import timing_rows  # it cannot be imported without the extra

    return timing_rows(one)


def _measured(entries: Sequence[Listed], kept: Sequence[PeerRow]) -> list[PeerRow]:
    """Rows with those of the entries' platforms anew."""
    found = list(kept)
    for platform in dict.fromkeys(one.platform for one in entries):
        rows = [row for one in entries if one.platform == platform for row in peer_rows(one)]
        found = [row for row in found if row.platform != platform]
        found = [*found, *rows, *our_rows(platform)]
    return found


def _examined(entries: Sequence[Listed], kept: Sequence[TimingRow]) -> list[TimingRow]:
    """Rows with those of the entries' platforms anew."""
    platforms = {one.platform for one in entries}
    rows = [row for one in entries for row in examined_rows(one)]
    return [*(row for row in kept if row.platform not in platforms), *rows]


def _renew(entries: Sequence[Listed], output: Path, timing_alone: bool) -> None:
    """Measure, examine, and write; nothing is written where something fails."""
    beside = timing_beside(output)
    known = read_timing(beside) if beside.exists() else []
    kept = read(output) if output.exists() and not timing_alone else []
    check_prover()
    measured = [] if timing_alone else _measured(entries, kept)
    examined = _examined(entries, known)
    if not timing_alone:
        write(measured, output)
    write_timing(examined, beside)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and examine, and write the rows of every platform that the file names."""
    parser = ArgumentParser(description="Measure other libraries' AES beside ours.")
    parser.add_argument("ports", type=Path, help="TOML file that lists compiled libraries")
    parser.add_argument("--platform", help="only this platform of the file")
    parser.add_argument("--timing", action="store_true", help="examine the timing, and no more")
    parser.add_argument("--output", type=Path, default=CSV, help="default: bench/peers.csv")
    given = parser.parse_args(arguments)
    try:
        entries = [one for one in listed(given.ports) if given.platform in (None, one.platform)]
        if not entries or not {one.platform for one in entries} <= set(CORES):
            raise ValueError(f"the file has to name one of {', '.join(CORES)}")
        _renew(entries, given.output, given.timing)
    except ValueError as error:
        print(f"measure_peers: {error}", file=sys.stderr)
        return 2
    except (RuntimeError, OSError) as error:
        print(f"measure_peers: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Measure other libraries' AES beside ours, and write bench/peers.csv and bench/peers_timing.csv.

`python tools/measure_peers.py PORTS.toml` measures what the file lists: objects that whoever owns
the libraries compiled, with the entry points of docs/peers.md in them; then it examines where their
timing depends on key or text.  With `--timing` it only examines.  Nothing is compiled here but our
own cores, and nothing of the libraries is kept but figures.

Without a file it measures ours again.  Rows of libraries that are not measured stay where images of
ours that have not changed are counted as before, which shows that the rows can stand side by side.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from peers_listing import Listed, listed
from peers_ours import CORES, our_rows
from peers_rows import (
    CSV,
    OURS,
    SIZES,
    PeerRow,
    TimingRow,
    read,
    read_timing,
    row_of,
    timing_beside,
    write,
    write_timing,
)

from aesfit.api.prove import check_prover
from aesfit.counting.ported import port_row
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named


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
    told = (one.library, one.version, one.configuration, one.flags, one.source)
    return [row_of(row, *told) for row in measured]


def examined_rows(one: Listed) -> list[TimingRow]:
    """Where the timing of an entry depends on a secret."""
    from peers_timing import timing_rows  # it cannot be imported without the extra

    return timing_rows(one)


def _measured(
    entries: Sequence[Listed], known: Sequence[PeerRow], platforms: Sequence[str]
) -> list[PeerRow]:
    """Rows with those of the entries' libraries anew, and ours on these platforms."""
    found = list(known)
    for platform in platforms:
        here = [one for one in entries if one.platform == platform]
        rows = [row for one in here for row in peer_rows(one)]
        ours, renewed = our_rows(platform), {OURS, *(one.library for one in here)}
        if any(row.platform == platform and row.library not in renewed for row in known):
            check_counts_agree(ours, known, platform)
        found = [row for row in found if row.platform != platform or row.library not in renewed]
        found = [*found, *rows, *ours]
    return found


def check_counts_agree(ours: Sequence[PeerRow], known: Sequence[PeerRow], platform: str) -> None:
    """Raise ValueError unless rows of other libraries may stay beside rows measured now.

    They may where images of ours that did not change are counted as they were.
    """
    told = {_image(row): row for row in known if row.library == OURS and row.platform == platform}
    pairs = [(told[_image(row)], row) for row in ours if _image(row) in told]
    odd = next((row for before, row in pairs if _counts(before) != _counts(row)), None)
    if pairs and odd is None:
        return
    why = (
        f"{odd.configuration}, {odd.mode} {odd.op} takes {odd.cycles:,} cycles now, and not "
        f"{told[_image(odd)].cycles:,}, or differs in size, in the same image"
        if odd
        else "no image of ours is as it was, so nothing shows that they are counted alike"
    )
    raise ValueError(
        f"rows of libraries that are not listed cannot stay on {platform}: {why}; list every "
        "library of the platform in PORTS.toml"
    )


def _image(row: PeerRow) -> tuple[str, str, str, int]:
    return (row.image_sha256, row.mode, row.op, row.bytes)


def _counts(row: PeerRow) -> tuple[int, int, int, int, int, str]:
    sizes = (row.flash_bytes, row.context_bytes, row.stack_bytes)
    return (row.cycles, row.instructions, *sizes, row.timing)


def _examined(entries: Sequence[Listed], known: Sequence[TimingRow]) -> list[TimingRow]:
    """Rows with those of the entries' libraries anew."""
    renewed = {(one.platform, one.library) for one in entries}
    rows = [row for one in entries for row in examined_rows(one)]
    return [*(row for row in known if (row.platform, row.library) not in renewed), *rows]


def _renew(given: Namespace, entries: Sequence[Listed], platforms: Sequence[str]) -> None:
    """Measure, examine, and write; nothing is written where something fails."""
    beside = timing_beside(given.output)
    timing = read_timing(beside) if beside.exists() else []
    known = read(given.output) if given.output.exists() and not given.timing else []
    if entries:
        check_prover()
    measured = [] if given.timing else _measured(entries, known, platforms)
    examined = _examined(entries, timing)
    if not given.timing:
        write(measured, given.output)
    if entries:
        write_timing(examined, beside)


def _platforms(given: Namespace, entries: Sequence[Listed]) -> list[str]:
    """Those that are measured: of the listing, or of the file that is renewed."""
    named = [one.platform for one in (entries if given.ports else read(given.output))]
    found = [one for one in dict.fromkeys(named) if given.platform in (None, one)]
    if not found or not set(found) <= set(CORES):
        what = given.ports or given.output
        raise ValueError(f"{what} has to name one of {', '.join(CORES)}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and examine, and write the rows of every platform that the file names."""
    parser = ArgumentParser(description="Measure other libraries' AES beside ours.")
    told = "TOML file that lists compiled libraries [none: measure ours alone again]"
    parser.add_argument("ports", type=Path, nargs="?", help=told)
    parser.add_argument("--platform", help="only this platform [all of the file]")
    parser.add_argument("--timing", action="store_true", help="examine the timing, and no more")
    parser.add_argument("--output", type=Path, default=CSV, help="default: bench/peers.csv")
    given = parser.parse_args(arguments)
    try:
        if given.timing and not given.ports:
            raise ValueError("--timing examines what a PORTS.toml lists; name the file too")
        every = listed(given.ports) if given.ports else []
        entries = [one for one in every if given.platform in (None, one.platform)]
        _renew(given, entries, _platforms(given, entries))
    except ValueError as error:
        print(f"measure_peers: {error}", file=sys.stderr)
        return 2
    except (RuntimeError, OSError) as error:
        print(f"measure_peers: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Count published AES routines, and compare with the cycles that were measured on silicon.

The routines are their authors': what is asked for is a folder with your own checkouts, in which you
have assembled the sources for the platform's processor, each object beside its source and named
like it.  tests/evidence/published.toml says which routines, how they are called, and what was
published.  The caller's call instruction is counted, as it was measured.  Every output is compared
with this library's before a figure counts.  What was published of a chip whose flash waits is
counted behind its flash, at every placement of the code within a line.
"""

import argparse
import csv
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import shake_256
from pathlib import Path
from typing import Any

from aesfit import Cipher
from aesfit.counting.foreign import Function, function_in
from aesfit.counting.price import Priced, price
from aesfit.jobs.job import Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, at
from aesfit.rigs.emulator.chip_evidence import PlacedCall, chip_record, write_chip_evidence
from aesfit.rigs.emulator.evidence import PublishedCall, published_record, write_evidence
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.recording import Recorded

EVIDENCE = Path(__file__).parents[1] / "tests" / "evidence"
DATA, FOUND = EVIDENCE / "published.toml", EVIDENCE / "silicon.csv"
FOUND_WAITING = EVIDENCE / "chips.csv"
COMMAND = "python tools/make_evidence_silicon.py --repos FOLDER"
BUFFERS = {"rk": 2048, "key": 32, "in": 4096, "out": 4096}
"""Bytes; key and in hold made-up bytes, the others zeros."""
ROUTINES = "routines with tables in RAM"
"""What the records of chips are made of: no source has cycles of tables in a flash that waits."""
WINDOW = "one call, the caller's call instruction included"


@dataclass(frozen=True)
class Row:
    """One routine: what was published, and what is counted; a line of the CSV file."""

    platform: str
    chip: str
    repository: str
    commit: str
    call: str
    key_bits: int
    does: str
    tables: str
    window: str
    units: int
    """Parts of a call that cycles are given for: 1, or its bytes or blocks."""
    published: float
    counted: float
    error_percent: float


@dataclass(frozen=True)
class WaitingRow:
    """One routine on a chip whose flash waits; a line of the other CSV file."""

    platform: str
    clock_mhz: float
    wait_states: int
    repository: str
    commit: str
    call: str
    key_bits: int
    does: str
    tables: str
    window: str
    published: int
    counted: int
    """At the middle of the placements of the code within a line of the flash."""
    counted_min: int
    counted_max: int
    error_percent: float
    """At the middle."""
    error_worst_percent: float
    """At the placement that is furthest off."""


class NotThereError(Exception):
    """Something that the user has to put there."""


def why_not() -> str | None:
    """Nothing but aesfit itself is needed."""
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Count every routine, print and write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, metavar="FOLDER")
    folder = parser.parse_args(arguments).repos
    try:
        found = [row for one in published() for row in compared(folder, one)]
        waiting = [row for one in published() for row in compared_waiting(folder, one)]
    except (NotThereError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, NotThereError) else 1
    write_rows(FOUND, Row, found)
    write_rows(FOUND_WAITING, WaitingRow, waiting)
    for model, calls in by_model(found).items():
        record = published_record(model, calls, COMMAND)
        print(f"{model}: {record.checked_against}, {record.max_error}")
        write_evidence(model, record)
    for chip, placed in by_chip(waiting).items():
        seen = chip_record(chip, ROUTINES, placed, COMMAND)
        print(f"{chip.name}: {seen.checked_against}, {seen.max_error}")
        write_chip_evidence(chip, seen)
    for one in data()["left_out"]:
        print(f"not counted: {one['routines']} of {one['source']}: {one['reason']}")
    return 0


def write_rows(path: Path, kind: type, rows: Sequence[Row | WaitingRow]) -> None:
    """A CSV file of rows of one kind."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([field.name for field in fields(kind)])
        writer.writerows(asdict(row).values() for row in rows)


def data() -> dict[str, list[dict[str, Any]]]:
    """What the data file has."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def published() -> list[dict[str, Any]]:
    """The sets of routines to count."""
    return data()["set"]


def by_model(rows: Sequence[Row]) -> dict[str, list[PublishedCall]]:
    """The calls of each timing model."""
    found: dict[str, list[PublishedCall]] = {}
    for row in rows:
        model = str(platform_named(row.platform).timing)
        cycles_each = (row.published * row.units, row.counted * row.units)
        call = PublishedCall(*cycles_each, tables_in_flash=row.tables == "flash")
        found.setdefault(model, []).append(call)
    return found


def by_chip(rows: Sequence[WaitingRow]) -> dict[Platform, list[PlacedCall]]:
    """The calls of each chip, which is at the clock of its rows."""
    found: dict[Platform, list[PlacedCall]] = {}
    for row in rows:
        chip = at(platform_named(row.platform), row.clock_mhz)
        call = PlacedCall(row.published, row.counted_min, row.counted, row.counted_max)
        found.setdefault(chip, []).append(call)
    return found


def compared(folder: Path, one: Mapping[str, Any]) -> list[Row]:
    """Rows of a set."""
    checkout = folder / one["folder"]
    commit = commit_of(checkout, one["repository"])
    platform = platform_named(one["platform"])
    rows = []
    for routine in one["routines"]:
        units = routine.get("units", 1)
        counted = count(platform, objects_of(checkout, one, routine), routine).runs[-1] / units
        rows.append(
            Row(
                platform=one["platform"],
                chip=one["chip"],
                repository=one["repository"],
                commit=commit,
                call=routine["call"],
                key_bits=routine["key_bits"],
                does=routine["does"],
                tables=one["tables"],
                window=WINDOW,
                units=units,
                published=routine["cycles"],
                counted=round(counted, 3),
                error_percent=round(100 * (counted / routine["cycles"] - 1), 2),
            )
        )
        print(f"{rows[-1].error_percent:+6.2f} %  {one['platform']:10}  {routine['call']}")
    return rows


def compared_waiting(folder: Path, one: Mapping[str, Any]) -> list[WaitingRow]:
    """Rows of a set at the clock where its chip's flash waits; none where none were published."""
    if "waiting" not in one:
        return []
    checkout = folder / one["folder"]
    commit = commit_of(checkout, one["repository"])
    chip = at(platform_named(one["waiting"]["platform"]), one["waiting"]["clock"])
    if one["tables"] != "ram":
        raise ValueError(f'{one["source"]}: with `waiting`, tables must lie in "ram"')
    rows = []
    for routine in one["routines"]:
        if "cycles_waiting" not in routine:
            continue
        counted = count(chip, objects_of(checkout, one, routine), routine)
        rows.append(waiting_row(chip, one, commit, routine, counted))
        print(f"{rows[-1].error_percent:+6.2f} %  {chip.name:10}  {routine['call']}")
    return rows


def waiting_row(
    chip: Platform, one: Mapping[str, Any], commit: str, routine: Mapping[str, Any], counted: Priced
) -> WaitingRow:
    """What was published beside what is counted."""
    least, middle, most = counted.placed
    placed = PlacedCall(routine["cycles_waiting"], least, middle, most)
    return WaitingRow(
        platform=chip.name,
        clock_mhz=one["waiting"]["clock"],
        wait_states=int(chip.memory("flash").wait_states.value),
        repository=one["repository"],
        commit=commit,
        call=routine["call"],
        key_bits=routine["key_bits"],
        does=routine["does"],
        tables=one["tables"],
        window=WINDOW,
        published=routine["cycles_waiting"],
        counted=middle,
        counted_min=least,
        counted_max=most,
        error_percent=round(placed.percent, 2),
        error_worst_percent=round(placed.worst_percent, 2),
    )


def objects_of(checkout: Path, one: Mapping[str, Any], routine: Mapping[str, Any]) -> list[Path]:
    """The object files of a routine."""
    return [checkout / name for name in (*routine["object"].split(), *one["objects"])]


def commit_of(checkout: Path, repository: str) -> str:
    """The commit of an unchanged checkout."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(checkout), *words]
        done = subprocess.run(  # noqa: S603 - git, in a folder that the user names
            command, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NotThereError(f"{checkout} is no checkout; clone {repository} there")
        return done.stdout.strip()

    if git("status", "--porcelain", "--untracked-files=no"):
        raise NotThereError(f"{checkout} has changes of your own; take them back with: git stash")
    return git("rev-parse", "HEAD")


def count(platform: Platform, objects: Sequence[Path], routine: Mapping[str, Any]) -> Priced:
    """Cycles of one call, after the calls that prepare it; RuntimeError when its output is wrong.

    The linker keeps what the counted function reaches, so the set-up has a program of its own, and
    the round keys are carried over.
    """
    for path in objects:
        if not path.is_file():
            raise NotThereError(
                f"there is no {path}; assemble its source with {' '.join(platform.compiler.target)}"
            )
    kept = contents(routine["key_bits"])
    for call in routine["setup"]:
        kept = run(platform, objects, call, kept).kept
    ran = run(platform, objects, routine["call"], kept)
    check(routine, kept, ran.kept)
    return ran.priced


def contents(key_bits: int) -> dict[str, bytes]:
    """Buffers before the first call."""
    made_up = {name: shake_256(name.encode()).digest(BUFFERS[name]) for name in ("key", "in")}
    made_up["key"] = made_up["key"][: key_bits // 8]
    return {name: made_up.get(name, b"").ljust(size, b"\0") for name, size in BUFFERS.items()}


@dataclass(frozen=True)
class Ran:
    """One call."""

    kept: dict[str, bytes]
    """What it left in the buffers."""
    priced: Priced


def run(platform: Platform, objects: Sequence[Path], call: str, before: Mapping[str, bytes]) -> Ran:
    """Run one call with these buffers."""
    function, *words = call.split()
    if function == "copy":
        return Ran(copied(before, *words), Priced((0,), "a copy needs no program"))
    with function_in(platform, objects, function) as called:
        machine = Machine(called.image, platform)
        places = {name: machine.reserve(len(content), 4) for name, content in before.items()}
        for name, content in before.items():
            machine.write(places[name], content)
        values = [value(word, places) for word in words]
        found = priced(platform, machine, called, values)
        return Ran(
            {name: machine.read(place, BUFFERS[name]) for name, place in places.items()}, found
        )


def value(word: str, places: Mapping[str, int]) -> int:
    """A number, or the address of a buffer, with an offset in bytes."""
    name, _, offset = word.partition("+")
    return int(word) if word.isdigit() else places[name] + int(offset or 0)


def copied(before: Mapping[str, bytes], to: str, source: str, size: str) -> dict[str, bytes]:
    """The buffers after the first bytes of one were copied into another."""
    name, _, offset = to.partition("+")
    at, many = int(offset or 0), int(size)
    content = before[name][:at] + before[source][:many] + before[name][at + many :]
    return {**before, name: content}


def priced(platform: Platform, machine: Machine, called: Function, values: Sequence[int]) -> Priced:
    """Cycles of a call at the platform's own wait states, the caller's instruction included."""
    done = machine.call(called.address, *values, record=platform.chip is not None)
    seen = Recorded(done, machine.records(), machine.order())
    own = Placement(flash_wait=int(platform.memory("flash").wait_states.value))
    return price(platform, machine, called, [seen], own, include_call=True)


def check(
    routine: Mapping[str, Any], before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> None:
    """The output is what this library computes; key schedules are checked by those who use them."""
    cipher = Cipher(before["key"][: routine["key_bits"] // 8], "ecb")
    units = routine.get("units", 16)
    match routine["does"]:
        case "encrypt":
            want = cipher.encrypt(before["in"][:units])
        case "decrypt":
            want = cipher.decrypt(before["in"][:units])
        case "ctr":  # the first block, whose counter is 0
            pad = cipher.encrypt(bytes(16))
            want = bytes(a ^ b for a, b in zip(pad, before["in"], strict=False))
        case _:
            want = b""
            if after["rk"] == before["rk"]:
                raise RuntimeError(f"{routine['call']} leaves the round keys as they were")
    if after["out"][: len(want)] != want:
        raise RuntimeError(f"{routine['call']} computes something else than AES")


if __name__ == "__main__":
    sys.exit(main())

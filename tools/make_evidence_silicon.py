# SPDX-License-Identifier: MIT
"""Count published AES routines, and compare with the cycles that were measured on silicon.

The routines are their authors': what is asked for is a folder with your own checkouts, in which you
have assembled the sources for the platform's processor, each object beside its source and named
like it.  tests/evidence/published.toml says which routines, how they are called, and what was
published.  The caller's call instruction is counted, as it was measured.  Every output is compared
with this library's before a figure counts.
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
from aesfit.counting.caller import call_cycles
from aesfit.counting.foreign import function_in
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.evidence import PublishedCall, published_record, write_evidence
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.profile import Execution

EVIDENCE = Path(__file__).parents[1] / "tests" / "evidence"
DATA, FOUND = EVIDENCE / "published.toml", EVIDENCE / "silicon.csv"
COMMAND = "python tools/make_evidence_silicon.py --repos FOLDER"
BUFFERS = {"rk": 2048, "key": 32, "in": 4096, "out": 4096}
"""Bytes; key and in hold made-up bytes, the others zeros."""
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
    except (NotThereError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, NotThereError) else 1
    with FOUND.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([field.name for field in fields(Row)])
        writer.writerows(asdict(row).values() for row in found)
    for model, calls in by_model(found).items():
        record = published_record(model, calls, COMMAND)
        print(f"{model}: {record.checked_against}, {record.max_error}")
        write_evidence(model, record)
    for one in data()["left_out"]:
        print(f"not counted: {one['routines']} of {one['source']}: {one['reason']}")
    return 0


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


def compared(folder: Path, one: Mapping[str, Any]) -> list[Row]:
    """Rows of a set."""
    checkout = folder / one["folder"]
    commit = commit_of(checkout, one["repository"])
    rows = []
    for routine in one["routines"]:
        objects = [checkout / name for name in (*routine["object"].split(), *one["objects"])]
        units = routine.get("units", 1)
        counted = count(one["platform"], objects, routine) / units
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


def count(platform_name: str, objects: Sequence[Path], routine: Mapping[str, Any]) -> int:
    """Cycles of one call, after the calls that prepare it; RuntimeError when its output is wrong.

    The linker keeps what the counted function reaches, so the set-up has a program of its own, and
    the round keys are carried over.
    """
    platform = platform_named(platform_name)
    for path in objects:
        if not path.is_file():
            raise NotThereError(
                f"there is no {path}; assemble its source with {' '.join(platform.compiler.target)}"
            )
    kept = contents(routine["key_bits"])
    for call in routine["setup"]:
        ran = Run(platform_name, objects, call, kept)
        kept = ran.kept
    ran = Run(platform_name, objects, routine["call"], kept)
    check(routine, kept, ran.kept)
    return ran.cycles


def contents(key_bits: int) -> dict[str, bytes]:
    """Buffers before the first call."""
    made_up = {name: shake_256(name.encode()).digest(BUFFERS[name]) for name in ("key", "in")}
    made_up["key"] = made_up["key"][: key_bits // 8]
    return {name: made_up.get(name, b"").ljust(size, b"\0") for name, size in BUFFERS.items()}


class Run:
    """One call; `kept` is what it left in the buffers."""

    def __init__(
        self, platform_name: str, objects: Sequence[Path], call: str, before: Mapping[str, bytes]
    ) -> None:
        """Run it; a "copy" needs no program."""
        function, *words = call.split()
        self.cycles = 0
        if function == "copy":
            self.kept = copied(before, *words)
            return
        platform = platform_named(platform_name)
        with function_in(platform, objects, function) as called:
            machine = Machine(called.image, platform)
            places = {name: machine.reserve(len(content), 4) for name, content in before.items()}
            for name, content in before.items():
                machine.write(places[name], content)
            values = [value(word, places) for word in words]
            self.cycles = priced(machine, called.address, machine.call(called.address, *values))
            self.kept = {name: machine.read(at, BUFFERS[name]) for name, at in places.items()}


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


def priced(machine: Machine, address: int, seen: Execution) -> int:
    """Cycles of a call by the platform's timing model, the caller's instruction included."""
    platform = machine.platform
    model = timing_model(platform)
    instructions = decode_blocks(machine.code, seen.profile.blocks, platform.isa)
    first = instructions[address & ~1]
    return cycles(model, seen.profile, instructions) + call_cycles(model, platform.isa, first)


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

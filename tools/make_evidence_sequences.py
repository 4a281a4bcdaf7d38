# SPDX-License-Identifier: MIT
"""Count short sequences of instructions behind a chip's flash, and compare with measured cycles.

tests/evidence/sequences.toml lists sequences of kinds of instructions with published cycles; the
code is generated here.  A sequence runs between two loads, as it was measured between two reads of
a cycle counter, and the time of the two loads alone is subtracted.
"""

import csv
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from aesfit.counting.foreign import function_in
from aesfit.counting.price import Priced, price
from aesfit.jobs.job import Placement
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, at
from aesfit.rigs.emulator.chip_evidence import PlacedCall
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.recording import Recorded
from aesfit.rigs.emulator.tracer import why_not as tracer_why_not

EVIDENCE = Path(__file__).parents[1] / "tests" / "evidence"
DATA, FOUND = EVIDENCE / "sequences.toml", EVIDENCE / "sequences.csv"
KINDS = {
    "h": "c.nop",
    "w": "addi a2, a1, 1",
    "l": "c.lw a0, 0(a1)",
    "L": "lw a0, 0(a1)",
}
"""An instruction of each kind; a1 points to RAM, and .option says which size is meant."""
FULL = "wL"
LEAD, TAIL = "wL", "Lllllll"
"""Before and behind a sequence.  After the second full load, compressed ones let the queue of
fetches fill up, so that the return costs the same wherever it lies."""


@dataclass(frozen=True)
class Row:
    """One sequence: what was published, and what is counted; a line of the CSV file."""

    platform: str
    clock_mhz: float
    wait_states: int
    instructions: str
    published: int
    counted: int
    """Median over placements of the code within a line of the flash."""
    counted_min: int
    counted_max: int
    error_percent: float
    """Difference at the median."""
    error_worst_percent: float
    """Largest difference over placements."""


def why_not() -> str | None:
    """None if tracer and compilers are available; otherwise what is missing."""
    return tracer_why_not()


def main() -> int:
    """Count every sequence, print and write the results."""
    found = []
    for one in sets():
        chip = at(platform_named(one["platform"]), one["clock"])
        rows = compared(chip, one)
        for each in rows:
            print(f"{each.counted - each.published:+3} cycles  {chip.name}  {each.instructions}")
        found += rows
    with FOUND.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([field.name for field in fields(Row)])
        writer.writerows(asdict(each).values() for each in found)
    return 0


def sets() -> list[dict[str, Any]]:
    """The content of the data file: one chip per set."""
    found: list[dict[str, Any]] = tomllib.loads(DATA.read_text(encoding="utf-8"))["set"]
    return found


def compared(chip: Platform, one: Mapping[str, Any]) -> list[Row]:
    """Rows of a set."""
    without = counted(chip, "")
    return [
        row(chip, one["clock"], each, counted(chip, each["instructions"]), without)
        for each in one["sequences"]
    ]


def row(chip: Platform, mhz: float, each: Mapping[str, Any], whole: Priced, without: Priced) -> Row:
    """The published figure with the counted one."""
    least, middle, most = (a - b for a, b in zip(whole.placed, without.placed, strict=True))
    placed = PlacedCall(each["cycles"], least, middle, most)
    return Row(
        platform=chip.name,
        clock_mhz=mhz,
        wait_states=waits(chip),
        instructions=each["instructions"],
        published=each["cycles"],
        counted=middle,
        counted_min=least,
        counted_max=most,
        error_percent=round(placed.percent, 2),
        error_worst_percent=round(placed.worst_percent, 2),
    )


def waits(chip: Platform) -> int:
    """Wait states of its flash at its clock."""
    return int(chip.memory("flash").wait_states.value)


def source(kinds: str) -> str:
    """Assembly of a function that runs the sequence between its loads."""

    def lines(some: str) -> list[str]:
        sizes = ["norvc" if kind in FULL else "rvc" for kind in some]
        return [f".option {size}\n{KINDS[kind]}" for size, kind in zip(sizes, some, strict=True)]

    head = [".globl f", ".type f, @function", ".balign 8", "f:"]
    return "\n".join([*head, *lines(LEAD + kinds + TAIL), "ret", ".size f, . - f", ""])


def counted(chip: Platform, kinds: str) -> Priced:
    """Cycles of the function around a sequence."""
    with tempfile.TemporaryDirectory(prefix="aesfit-sequence-") as folder:
        code, made = Path(folder) / "f.S", Path(folder) / "f.o"
        code.write_text(source(kinds), encoding="utf-8")
        compiler = chip.compiler
        command = [compiler.command, *compiler.target, "-Wa,-mno-relax", "-c", str(code)]
        subprocess.run([*command, "-o", str(made)], check=True)  # noqa: S603 - as the platform says
        with function_in(chip, [made], "f") as called:
            machine = Machine(called.image, chip)
            done = machine.call(called.address, 0, machine.reserve(4), record=True)
            seen = Recorded(done, machine.records(), machine.order())
            return price(chip, machine, called, [seen], Placement(flash_wait=waits(chip)))


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Say how well the ranges that are printed for chips hold what was published of silicon.

For each published routine of tests/evidence/chips.csv the range is made as `aesfit fit` and
`aesfit count` make it: over placements of the code, and widened by the largest error that is known
of the chip.  That error comes from all routines, so that every one lies inside; on chips that have
others, how many blind ones lie in a range made of those alone is printed too.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from statistics import median

from make_evidence_silicon import FOUND_WAITING

from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import at
from aesfit.rigs.emulator.chip_evidence import PlacedCall
from aesfit.rigs.emulator.trust import trust


@dataclass(frozen=True)
class Held:
    """A published routine, and the range that is printed for it."""

    chip: str
    call: PlacedCall
    least: int
    most: int

    @property
    def inside(self) -> bool:
        """The range holds the published cycles."""
        return self.least <= self.call.published <= self.most

    @property
    def half_width(self) -> float:
        """Per cent of its middle."""
        return 100 * (self.most - self.least) / (self.most + self.least)


def call_of(row: Mapping[str, str]) -> PlacedCall:
    """Cycles of the whole call of a line of the CSV file."""
    names = ("published", "counted_min", "counted", "counted_max")
    published, least, middle, most = (float(row[name]) * int(row["units"]) for name in names)
    return PlacedCall(published, least, middle, most, row["blind"] == "yes")


def held(row: Mapping[str, str]) -> Held:
    """A line of the CSV file with the range that is printed."""
    call, chip = call_of(row), at(platform_named(row["platform"]), float(row["clock_mhz"]))
    ends = trust(chip).ends(call.least, call.most)
    least, most = ends or (floor(call.least), ceil(call.most))
    return Held(chip.name, call, least, most)


def without_blind(rows: Sequence[Held]) -> list[bool]:
    """Of each blind routine of a chip that has others: whether a range made of those holds it."""
    found = []
    for chip in {one.chip for one in rows}:
        calls = [one.call for one in rows if one.chip == chip]
        beyond = [one.beyond for one in calls if not one.blind]
        if not beyond:
            continue
        less, more = (max(ends) for ends in zip(*beyond, strict=True))
        for one in (one for one in calls if one.blind):
            least, most = one.least * (1 - less / 100), one.most * (1 + more / 100)
            found.append(floor(least) <= one.published <= ceil(most))
    return found


def told(rows: Sequence[Held]) -> Iterable[str]:
    """The figures in words."""
    blind = [one for one in rows if one.call.blind]
    yield f"{sum(one.inside for one in rows)} of {len(rows)} published figures are in the range"
    yield f"{sum(one.inside for one in blind)} of {len(blind)} blind ones are"
    alone = without_blind(rows)
    yield f"{sum(alone)} of {len(alone)} blind ones are in the range that the chip's others make"
    yield f"half-width of a range: {median(one.half_width for one in rows):.1f} % in the median"
    for chip in sorted({one.chip for one in rows}):
        widths = [one.half_width for one in rows if one.chip == chip]
        yield f"  {chip}: {min(widths):.1f} to {max(widths):.1f} % in {len(widths)} figures"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code is 1 where one is outside its range."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    with FOUND_WAITING.open(encoding="utf-8", newline="") as stream:
        rows = [held(row) for row in csv.DictReader(stream)]
    print("\n".join(told(rows)))
    return 0 if all(one.inside for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Measure optimisation flags for a platform file, and print which ones to write there.

The rule: of -Os, -O2 and -O3, with the platform's own scheduling options if it has any, choose the
fastest whose image takes at most a third more flash than the smallest; both as geometric means over
all cores, of CCM messages of 256 bytes, encrypted (cycles) and both ways (flash).
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import cores_for, measure
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.platform import Platform

LEVELS = ("-Os", "-O2", "-O3")
MOST_FLASH = 4 / 3
MESSAGE_BYTES = 256


@dataclass(frozen=True)
class Level:
    """Flags with their results: geometric means over the cores."""

    flags: tuple[str, ...]
    cycles: float
    flash_bytes: float


def levels(platform: Platform) -> list[tuple[str, ...]]:
    """Flags to try: each level with the platform's further options, and without."""
    more = tuple(flag for flag in platform.compiler.optimise if flag not in LEVELS)
    return [(level, *options) for options in dict.fromkeys([(), more]) for level in LEVELS]


def level(platform: Platform, flags: tuple[str, ...]) -> Level:
    """Measure every core with these flags."""
    names = [core.name for core in cores_for(platform)]

    def rows(op: str) -> Sequence[Row]:
        jobs = [Job(platform, name, 128, op, "ccm", MESSAGE_BYTES, flags) for name in names]
        results = measure(jobs)
        refused = [result.reason for result in results if not isinstance(result, Row)]
        if refused:
            raise RuntimeError(refused[0])
        return [result for result in results if isinstance(result, Row)]

    cycles = geometric_mean(row.cycles for row in rows("encrypt"))
    return Level(flags, cycles, geometric_mean(row.flash_bytes for row in rows("both")))


def choose(tried: Sequence[Level]) -> Level:
    """The flags chosen by the rule."""
    most = MOST_FLASH * min(one.flash_bytes for one in tried)
    return min((one for one in tried if one.flash_bytes <= most), key=lambda one: one.cycles)


def main() -> None:
    """Print a table for each named platform, or for all emulated ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", nargs="*")
    names = parser.parse_args().platform
    named = [platform_named(name) for name in names]
    every = [one for one in platforms() if one.rig == "emulator" and one.kind == "processor"]
    for platform in named or every:
        tried = [level(platform, flags) for flags in levels(platform)]
        for one in tried:
            mark = "*" if one is choose(tried) else " "
            sizes = f"{one.cycles:10,.0f} cycles  {one.flash_bytes:8,.0f} bytes of flash"
            print(f"{mark} {platform.name:14}{sizes}  {' '.join(one.flags)}", flush=True)


if __name__ == "__main__":
    main()

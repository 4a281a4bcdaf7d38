#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what changed since the atlas was made: aesfit/atlas/atlas.csv.

`aesfit fit` answers from that file where sources and tools are the same.  The file is written after
each mode of a platform, so an interrupted run goes on where it ended.  Processors come first, then
chips, because chips share the objects that were compiled for their processor.  `--check` says what
is missing or old and measures nothing.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from aesfit.atlas import lines
from aesfit.atlas.lines import MODES, SIZES, DamagedAtlasError, Group, Subject
from aesfit.atlas.origin import tools_here
from aesfit.atlas.renewal import group_with, kept, line_of, setting_of
from aesfit.choosing.request import BLOCK, Request, jobs, request_of
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import Result, cores_for, measure
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not

Wanted = Mapping[Subject, Job]
"""Lines, each with one of its jobs."""


def covered() -> list[str]:
    """Platforms of the atlas: those that are emulated, processors first."""
    return [one.name for one in platforms() if one.rig == "emulator"]


def question(platform: Platform, mode: str) -> Request:
    """What `fit` asks by default of a mode; the block cipher alone only encrypts."""
    if mode == "ecb":
        return request_of(platform, mode=BLOCK, encrypt_only=True)
    return request_of(platform, mode=mode, bytes=SIZES[0])


def wanted(platform: Platform, mode: str) -> Wanted:
    """The lines of a mode."""
    request = question(platform, mode)
    directions = "encrypt" if request.only_encrypts else "both"
    names = [core.name for core in cores_for(platform)]
    return {lines.asked_of(job, directions): job for job in jobs(request, names)}


def stale(group: Group | None, asked: Wanted) -> dict[Subject, Job]:
    """The lines that have to be measured."""
    current = kept(group, asked)
    return {one: job for one, job in asked.items() if one not in current}


def today() -> date:
    """The date that the lines get."""
    return datetime.now(UTC).date()


def renewed(group: Group | None, platform: Platform, left: Wanted) -> Group:
    """The group with these lines measured."""
    measured = _measured(left)
    rows = [one for line in measured.values() for one in line.values() if isinstance(one, Row)]
    setting = setting_of(platform, rows, group)
    fresh = {one: line_of(one, job, measured[one], setting.memory) for one, job in left.items()}
    before = {} if group is None else group.lines
    return group_with(platform, setting, {**before, **fresh}, today())


def _measured(left: Wanted) -> dict[Subject, dict[tuple[str, int], Result]]:
    each = [
        (asked, replace(job, op=op, bytes=size))
        for asked, job in left.items()
        for size in SIZES
        for op in asked.ops
    ]
    found: dict[Subject, dict[tuple[str, int], Result]] = {asked: {} for asked in left}
    for (asked, job), result in zip(each, measure([job for _, job in each]), strict=True):
        found[asked][job.op, job.bytes or 0] = result
    return found


def group_before(platform: Platform, path: Path) -> Group | None:
    """The group in the file; None where it is damaged or was measured with other tools."""
    try:
        group = lines.group_of(platform.name, path)
    except DamagedAtlasError as error:
        print(error, file=sys.stderr)
        return None
    return group if group is not None and group.tools == tools_here(platform) else None


def write(group: Group, path: Path) -> None:
    """Put a group into the file, in the place of the one that was there."""
    rest = (name for name in lines.platforms(path) if name != group.platform)
    others = [one for one in map(partial(_sound, path), rest) if one is not None]
    scratch = path.with_suffix(".new")
    scratch.write_text(lines.file_text([*others, group]), encoding="utf-8")
    scratch.replace(path)


def _sound(path: Path, name: str) -> Group | None:
    try:
        return lines.group_of(name, path)
    except DamagedAtlasError:
        return None


def renew(platform: Platform, modes: Sequence[str], path: Path, *, check: bool) -> int:
    """Measure what is missing or old of a platform; how many lines that were."""
    found = 0
    for mode in modes:
        group = group_before(platform, path)
        left = stale(group, wanted(platform, mode))
        found += len(left)
        if left and not check:
            before = time.monotonic()
            write(renewed(group, platform, left), path)
            took = time.monotonic() - before
            print(f"{platform.name} {mode}: {len(left)} lines in {took:.0f} s", flush=True)
    return found


def main() -> int:
    """Renew the file, or say what would be renewed."""
    ask = argparse.ArgumentParser(description="Measure what changed since the atlas was made.")
    ask.add_argument("--platform", help="these alone, with commas between them")
    ask.add_argument("--mode", default=",".join(MODES), help="these alone")
    ask.add_argument("--output", type=Path, default=lines.PATH, help="the file to write")
    ask.add_argument("--check", action="store_true", help="count what is old, measure nothing")
    given = ask.parse_args()
    names = given.platform.split(",") if given.platform else covered()
    modes = given.mode.split(",")
    for text, known in ((names, covered()), (modes, MODES)):
        if wrong := [one for one in text if one not in known]:
            ask.error(f"there is no {wrong[0]} in the atlas; choose from: {', '.join(known)}")
    failed = [_renew(name, modes, given.output, check=given.check) for name in names]
    return int(any(failed))


def _renew(name: str, modes: Sequence[str], path: Path, *, check: bool) -> bool:
    """Whether something is left to do."""
    platform = platform_named(name)
    if reason := why_not(platform):
        print(reason, file=sys.stderr)
        return True
    left = renew(platform, modes, path, check=check)
    if check and left:
        print(f"{name}: {left} lines are missing or old; measure them with: make atlas")
    return check and left > 0


if __name__ == "__main__":
    sys.exit(main())

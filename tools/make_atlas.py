#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what changed since the atlas was made: aesfit/atlas/atlas.csv.

`aesfit fit` answers from that file where sources and tools are the same.  The file is written after
each mode of a platform, so an interrupted run goes on where it ended.  Processors come first, then
chips, because chips share the objects that were compiled for their processor.  An old line of which
only the sources changed is not measured again if they still compile to the images that it names.
Lines of what exists no longer, such as a core or a platform, are removed.  `--check` says what is
missing, old or to be removed, and measures nothing.
"""

import argparse
import os
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path

from aesfit.atlas import lines
from aesfit.atlas.holding import job_of
from aesfit.atlas.lines import MODES, SIZES, DamagedAtlasError, Group, Line, Subject
from aesfit.atlas.look_up import is_measured_alike
from aesfit.atlas.origin import tools_here
from aesfit.atlas.renewal import carried, group_with, kept, line_of, setting_of
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.request import BLOCK, BLOCK_ALONE, jobs
from aesfit.choosing.usual import usual_request
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import Result, measure
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not

Wanted = Mapping[Subject, Job]
"""Lines, each with one of its jobs."""
_STORED = {BLOCK: BLOCK_ALONE}
"""Modes that lines name otherwise than `fit`; they are taken under both names."""
_TOLD = {stored: told for told, stored in _STORED.items()}


@cache
def covered() -> tuple[str, ...]:
    """Platforms of the atlas: those that are emulated, processors first."""
    return tuple(one.name for one in platforms() if one.rig == "emulator")


def wanted(platform: Platform, mode: str) -> Wanted:
    """The lines of a mode."""
    request = usual_request(platform, mode, SIZES[0])
    directions = "encrypt" if request.only_encrypts else "both"
    names = ranked_cores(platform)
    return {lines.asked_of(job, directions): job for job in jobs(request, names)}


def stale(group: Group | None, asked: Wanted) -> dict[Subject, Job]:
    """The lines that have to be measured."""
    current = kept(group, asked)
    return {one: job for one, job in asked.items() if one not in current}


def gone(group: Group | None, mode: str, asked: Wanted) -> set[Subject]:
    """Lines that nobody wants any longer: of another core, multiplier or mode than there are."""
    held = () if group is None else group.lines
    return {one for one in held if one.mode not in MODES or (one.mode == mode and one not in asked)}


def today() -> date:
    """The date that the lines get."""
    return datetime.now(UTC).date()


def without(group: Group, dropped: Collection[Subject]) -> Group:
    """The group without these lines."""
    held = {one: line for one, line in group.lines.items() if one not in dropped}
    return replace(group, lines=held)


def renewed(group: Group | None, platform: Platform, left: Wanted) -> Group:
    """The group with these lines measured."""
    measured = _measured(left)
    rows = [one for line in measured.values() for one in line.values() if isinstance(one, Row)]
    setting = setting_of(platform, rows, group)
    fresh = {one: line_of(one, job, measured[one], setting.memory) for one, job in left.items()}
    before = {} if group is None else group.lines
    return group_with(platform, setting, {**before, **fresh}, today())


def carried_lines(group: Group | None, left: Wanted) -> dict[Subject, Line]:
    """Of the lines that are old, those whose images are as they were, with today's keys."""
    held = {} if group is None else group.lines
    old = [(held[one], job) for one, job in left.items() if one in held]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as builders:
        found = builders.map(lambda one: carried(*one), old)
    return {line.asked: line for line in found if line is not None}


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
    """The group in the file; None where no line can be kept or carried over.

    Then what its lines share is chosen anew.
    """
    try:
        group = lines.group_of(platform.name, path)
    except DamagedAtlasError as error:
        print(error, file=sys.stderr)
        return None
    if group is None or group.tools != tools_here(platform):
        return None
    held = group.lines.items()
    alike = (is_measured_alike(line, job_of(platform, one)) for one, line in held)
    return group if any(alike) else None


def write(group: Group, path: Path) -> None:
    """Put a group into the file, in the place of the one that was there."""
    _put([*_sound_groups(path, {group.platform}), group], path)


def remove(names: Collection[str], path: Path) -> None:
    """Take the groups of these platforms out of the file."""
    _put(_sound_groups(path, names), path)


def _put(groups: Sequence[Group], path: Path) -> None:
    scratch = path.with_suffix(".new")
    scratch.write_text(lines.file_text(groups), encoding="utf-8")
    scratch.replace(path)


def _sound_groups(path: Path, left_out: Collection[str]) -> list[Group]:
    """Groups of the other platforms, apart from damaged ones."""
    rest = (name for name in lines.platforms(path) if name not in left_out)
    return [one for one in map(partial(_sound, path), rest) if one is not None]


def _sound(path: Path, name: str) -> Group | None:
    try:
        return lines.group_of(name, path)
    except DamagedAtlasError:
        return None


def renew(platform: Platform, modes: Sequence[str], path: Path, *, check: bool) -> int:
    """Measure what is missing or old of a platform, remove what is gone; how many lines that were.

    `modes`: of MODES.
    """
    found, group = 0, group_before(platform, path)
    for mode in modes:
        asked = wanted(platform, mode)
        left, dropped = stale(group, asked), gone(group, mode, asked)
        found += len(left) + len(dropped)
        if check:
            continue
        if group is not None and dropped:
            group = without(group, dropped)
            write(group, path)
        if left:
            _renew_mode(group, platform, mode, left, path)
            group = group_before(platform, path)
    return found


def _renew_mode(
    group: Group | None, platform: Platform, mode: str, left: Wanted, path: Path
) -> None:
    before = time.monotonic()
    same = carried_lines(group, left)
    if group is not None and same:
        group = replace(group, lines={**group.lines, **same})
        write(group, path)
    rest = {asked: job for asked, job in left.items() if asked not in same}
    if rest:
        write(renewed(group, platform, rest), path)
    took = time.monotonic() - before
    told = f"{len(rest)} lines measured, {len(same)} carried over"
    print(f"{platform.name} {_TOLD.get(mode, mode)}: {told} in {took:.0f} s", flush=True)


def main() -> int:
    """Renew the file, or say what would be renewed."""
    ask = argparse.ArgumentParser(description="Measure what changed since the atlas was made.")
    ask.add_argument("--platform", help="these alone, with commas between them")
    ask.add_argument("--mode", default=",".join(MODES), help="these alone, as fit names them")
    ask.add_argument("--output", type=Path, default=lines.PATH, help="the file to write")
    ask.add_argument("--check", action="store_true", help="count what is old, measure nothing")
    given = ask.parse_args()
    names = given.platform.split(",") if given.platform else covered()
    modes = [_STORED.get(mode, mode) for mode in given.mode.split(",")]
    for text, known in ((names, covered()), (modes, MODES)):
        if wrong := [one for one in text if one not in known]:
            choice = ", ".join(_TOLD.get(one, one) for one in known)
            ask.error(f"there is no {wrong[0]} in the atlas; choose from: {choice}")
    failed = _leave_out(given.output, check=given.check)
    for name in names:
        failed |= _renew(name, modes, given.output, check=given.check)
    return int(failed)


def _leave_out(path: Path, *, check: bool) -> bool:
    """Remove platforms that are not covered, such as those without a file; whether any is left."""
    names = [name for name in lines.platforms(path) if name not in covered()]
    for name in names:
        told = "can be removed with: make atlas" if check else "are removed"
        print(f"{name}: there is no such emulated platform; its lines {told}")
    if names and not check:
        remove(names, path)
    return check and bool(names)


def _renew(name: str, modes: Sequence[str], path: Path, *, check: bool) -> bool:
    """Whether something is left to do."""
    platform = platform_named(name)
    if reason := why_not(platform):
        print(reason, file=sys.stderr)
        return True
    left = renew(platform, modes, path, check=check)
    if check and left:
        print(f"{name}: {left} lines are missing, old or gone; renew them with: make atlas")
    return check and left > 0


if __name__ == "__main__":
    sys.exit(main())

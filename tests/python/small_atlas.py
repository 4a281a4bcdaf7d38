# SPDX-License-Identifier: MIT
"""A small atlas of made-up figures for tests: two cores on one chip, in CTR."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from aesfit.atlas import lines
from aesfit.atlas.cells import Setting
from aesfit.atlas.lines import Group, Line, Subject
from aesfit.atlas.look_up import recipe
from aesfit.atlas.origin import Tools
from aesfit.choosing.request import Request, jobs, request_of
from aesfit.extras import EMULATOR
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.store.closure import package_version

CHIP = "stm32f103"
CORES = ("ttable1", "fixslice")
COMPILER, LINKER = "a compiler 12.2", "a linker 2.40"
TOOLS = Tools(COMPILER, LINKER, {name: package_version(name) for name in EMULATOR})
SETTING = Setting(COMPILER, "0.1.0", "code and tables in flash")
IMAGES = ("01234567:300:1024:180", "ba987654:900:1024:180", "")
RUNS = (
    ("700~5:600:80:n", "1000~10:900:100:n:990-1010s", "1700::100:n"),
    ("", "3000~10:2900:100:n", "3700::100:n"),
    ("", "70000~10:69000:100:n", "70700::100:n"),
)
OTHER_IMAGES = ("fedcba98:310:1034:190", "fedcba99:910:1044:200", "")
OTHER_RUNS = (
    ("710:610:90:u", "1010:910:110:u", "1710::110:u"),
    ("", "3010:2910:110:u", "3710::110:u"),
    ("", "70010:69010:110:u", "70710::110:u"),
)


def question(size: int = 64, platform: Platform | None = None) -> Request:
    return request_of(platform or platform_named(CHIP), mode="ctr", bytes=size)


def asked_jobs(size: int = 64, cores: Sequence[str] = CORES) -> list[Job]:
    return jobs(question(size), cores)


def line(job: Job) -> Line:
    asked = lines.asked_of(job, "both")
    made = recipe(asked, job)
    assert made is not None
    return Line(asked, made.key, IMAGES, RUNS)


def group(cores: Sequence[str] = CORES) -> Group:
    found: dict[Subject, Line] = {}
    for job in asked_jobs(cores=cores):
        one = line(job)
        found[one.asked] = one
    return Group(CHIP, "2026-11-23", TOOLS, SETTING, found)


def other_group() -> Group:
    """Lines of a chip that nobody asks about; their figures are others."""
    found = {}
    for one in group().lines.values():
        asked = replace(one.asked, platform="elsewhere")
        found[asked] = Line(asked, one.key, OTHER_IMAGES, OTHER_RUNS)
    return replace(group(), platform="elsewhere", lines=found)


def write(path: Path, *groups: Group) -> Path:
    path.write_text(lines.file_text(groups), encoding="utf-8")
    return path

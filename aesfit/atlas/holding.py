# SPDX-License-Identifier: MIT
"""What the atlas has of a platform, and how much of it holds."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from ..jobs.job import Job
from ..platforms.find import platform_named
from ..platforms.platform import Platform
from . import lines
from .lines import DamagedAtlasError, Group, Subject
from .look_up import is_current
from .origin import others


@dataclass(frozen=True)
class Holding:
    """Lines of a platform."""

    platform: str
    lines: int
    current: int
    """Lines that `fit` answers from: their sources and tools are those that are here."""
    date: str
    """YYYY-MM-DD of the latest measurement."""
    compiler: str
    linker: str
    emulator: str
    damaged: str = ""
    """Why the lines are not used, whatever their keys; empty where they may be."""

    @property
    def old(self) -> int:
        """Lines that are measured again when somebody asks."""
        return self.lines - self.current

    def as_json(self) -> dict[str, Any]:
        """The stable keys."""
        return {**asdict(self), "old": self.old, "damaged": self.damaged or None}


def holdings() -> tuple[Holding, ...]:
    """What there is, platform by platform."""
    return tuple(map(holding, lines.platforms(lines.PATH)))


def holding(name: str) -> Holding:
    """What there is of a platform that lines.platforms() names."""
    try:
        group = lines.group_of(name, lines.PATH)
    except DamagedAtlasError as error:
        return Holding(name, 0, 0, "", "", "", "", str(error))
    if group is None:
        return Holding(name, 0, 0, "", "", "", "")
    try:
        platform = platform_named(name)
    except ValueError:
        return _unknown(name, group)
    current = 0
    if not others(platform, group.tools):
        each = group.lines.items()
        current = sum(is_current(line, job_of(platform, about)) for about, line in each)
    packages = group.tools.packages
    return Holding(
        name,
        len(group.lines),
        current,
        group.date,
        group.tools.compiler,
        group.tools.linker,
        ", ".join(f"{package} {version}" for package, version in sorted(packages.items())),
    )


def _unknown(name: str, group: Group) -> Holding:
    """Lines of a platform that was removed."""
    told = (
        f"there is no platform {name}, so its lines are not used; in a checkout, make atlas "
        "removes them"
    )
    compiler, linker = group.tools.compiler, group.tools.linker
    return Holding(name, len(group.lines), 0, group.date, compiler, linker, "", told)


def job_of(platform: Platform, about: Subject, op: str = "encrypt", size: int = 16) -> Job:
    """A job of a line."""
    job = Job(platform, about.core, lines.KEY_BITS, op, about.mode, size)
    return replace(job, ghash=about.ghash or job.ghash)

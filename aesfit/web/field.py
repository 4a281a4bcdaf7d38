# SPDX-License-Identifier: MIT
"""The cores that the cache model compares on a platform: coefficients and sizes."""

from dataclasses import dataclass

from ..catalog import cores as all_cores
from ..measure import Refusal, measure
from ..model.question import Version
from ..platforms import Platform
from ..rigs import why_not
from ..rigs.rig import ConstantTime, Job, Progress, RigUnavailableError
from ..versions import modelled_cores, versions
from .schema import Left, constant_time_of


@dataclass(frozen=True)
class Member:
    """A core as the page compares it."""

    version: Version
    flash: int
    ram: int
    constant_time: ConstantTime

    @property
    def name(self) -> str:
        """Of the core."""
        return self.version.core


@dataclass(frozen=True)
class Field:
    """What does not hang on the sliders: the cores with their coefficients and sizes."""

    members: tuple[Member, ...]
    lacking: tuple[Left, ...]


def field_of(platform: Platform, key_bits: int, progress: Progress) -> Field:
    """Coefficients and sizes of every core; takes seconds the first time, where they are measured.

    RigUnavailableError tells what is missing.
    """
    if platform.rig == "published":
        found = versions(platform, modelled_cores(platform), key_bits=key_bits)
        return Field(tuple(_published(one, key_bits) for one in found), ())
    reason = why_not(platform)
    if reason:
        raise RigUnavailableError(reason)
    names = modelled_cores(platform)
    jobs = [Job(platform, name, key_bits, "encrypt-block") for name in names]
    rows = measure(jobs, progress=lambda done, total: progress(done, 2 * len(names)))
    members: list[Member] = []
    lacking: list[Left] = []
    for done, (name, row) in enumerate(zip(names, rows, strict=True), 1):
        if isinstance(row, Refusal):
            lacking.append(Left(core=name, reason=row.reason))
        else:
            try:
                (version,) = versions(platform, [name], key_bits=key_bits)
                sizes = row.flash_bytes, row.ram_bytes
                members.append(Member(version, *sizes, constant_time_of(name)))
            except RigUnavailableError:
                raise
            except (RuntimeError, ValueError) as error:
                lacking.append(Left(core=name, reason=str(error)))
        progress(len(names) + done, 2 * len(names))
    return Field(tuple(members), tuple(lacking))


def _published(version: Version, key_bits: int) -> Member:
    """Sizes that the core's own description gives: its tables, and the keys of one direction."""
    core = next(one for one in all_cores() if one.name == version.core)
    keys = core.round_key_bytes[str(key_bits)]["encrypt"]
    return Member(version, core.table_bytes, keys, constant_time_of(version.core))

# SPDX-License-Identifier: MIT
"""Energy of cores and of a processor's programs at every level of the compiler."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from aesfit.hardware.designs import design_named
from aesfit.hardware.energy import SOFTWARE, EnergyRow, energy_rows, software
from aesfit.hardware.pool import Pool
from aesfit.jobs.job import Progress

from .levels import LEVELS, OWN_FLAGS
from .places import RELEASE


@dataclass(frozen=True)
class EnergyByLevel:
    """Energy of cores, and of a processor's programs by level."""

    cores: Sequence[EnergyRow]
    programs: Mapping[str | None, Sequence[EnergyRow]]

    def best(self, level: str | None) -> EnergyRow:
        """The program that takes the least energy for a bit."""
        return min(self.programs[level], key=lambda one: one.pj_per_bit)


def priced(designs: Sequence[str], progress: Progress) -> EnergyByLevel:
    """Designs, and SOFTWARE with the processor's own flags and at each level."""
    every = energy_rows([design_named(name) for name in designs], progress)
    asked = list(product(RELEASE, SOFTWARE))
    taken = Pool(len(asked), progress).map(lambda one: software(one[1], flags=(one[0],)), asked)
    programs: dict[str | None, list[EnergyRow]] = {level: [] for level in LEVELS}
    programs[OWN_FLAGS] = every[len(designs) :]
    for (level, _), row in zip(asked, taken, strict=True):
        programs[level].append(row)
    return EnergyByLevel(every[: len(designs)], programs)


def tools_told(row: EnergyRow) -> str:
    """Tools behind the row, as a line of provenance."""
    return ", ".join(f"{name} {version}" for name, version in row.tool_versions.items())

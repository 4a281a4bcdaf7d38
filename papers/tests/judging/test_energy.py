# SPDX-License-Identifier: MIT
"""What is priced, and which packets are asked for, at each level of the compiler."""

import pytest

from aesfit.hardware.energy import EnergyRow
from aesfit_papers.judging.energy import EnergyByLevel
from aesfit_papers.judging.levels import LEVELS, OWN_FLAGS
from aesfit_papers.judging.platforms import OPS, Packet


def program(name: str, watts: float, cycles: int) -> EnergyRow:
    return EnergyRow(name, "software", 100, None, cycles, 0.1, watts, 1e-9, 200.0, {})


def test_the_best_program_takes_the_least_energy_at_its_level() -> None:
    quick, frugal = program("quick", 0.03, 3000), program("frugal", 0.01, 8000)
    found = EnergyByLevel(
        (), {OWN_FLAGS: [quick, frugal], "-O2": [program("slow", 0.03, 9000), quick]}
    )
    assert found.best(OWN_FLAGS) is frugal
    assert found.best("-O2") is quick


@pytest.mark.parametrize("level", LEVELS)
def test_a_packet_is_compiled_at_its_level_and_read_from_its_memory(level: str | None) -> None:
    jobs = Packet("vexriscv-cached", level, 3).jobs
    assert [job.op for job in jobs] == list(OPS.values())
    assert {job.flags for job in jobs} == {None if level is None else (level,)}
    assert {job.placed.flash_wait for job in jobs} == {3}

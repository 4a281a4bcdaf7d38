# SPDX-License-Identifier: MIT
"""Cortex-M7: windows of two blocks before each block give what one schedule of the whole gives."""

from array import array
from collections.abc import Sequence

import pytest
from few import slow_but

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.recording import Recorded, Recording
from aesfit.rigs.emulator.rig import decoded
from aesfit.rigs.emulator.timing import _cortex_m7_issue as issuing
from aesfit.rigs.emulator.timing import cortex_m7
from aesfit.rigs.emulator.timing.model import Step, Window, _code, cycles
from aesfit.rigs.firing import firing_of

OPS = ("key-setup-encrypt", "encrypt-block", "decrypt-block")
CORES = (
    *("ttable1", "fixslice", "bytewise", "tiny", "ttable1_armv7m", "fixslice_armv7m"),
    *("sbox_columns_dsp", "transposed", "equivalent_inverse", "sbox_columns", "bytewise_unrolled"),
    *("compact", "ttable4", "ttable8", "ttable1_otf"),
)
MOST = 17
"""Cycles by which they differ, but in three operations with loops of more than two blocks."""
LOOPS = {
    ("bytewise", "key-setup-encrypt"): 136,
    ("compact", "key-setup-encrypt"): 134,
    ("tiny", "encrypt-block"): 72,
}


def steps_of(call: Recorded, machine: Machine) -> list[Step]:
    """Every executed instruction, in order."""
    profile = call.execution.profile
    code = _code(cortex_m7.MODEL, profile, decoded(machine, [call.execution]))
    paths = list(profile.paths)
    return [one for at in array("I", call.order) for one in code.steps(*paths[at][2:])]


def scheduled(steps: Sequence[Step]) -> int:
    """Cycles of one schedule, in which the end of each loop is seen."""
    pipeline = issuing._DualPipeline(cortex_m7._own, apart=False)
    for at, step in enumerate(steps):
        found = pipeline.issue(step)
        if issuing.left_loop(Window(step, tuple(steps[max(0, at - issuing.DEPTH) : at]))):
            pipeline.free += issuing.mispredicted(found)
    return pipeline.free


@pytest.mark.parametrize("core", slow_but(CORES[:1], CORES))
@pytest.mark.parametrize("op", OPS)
def test_windows_give_what_the_whole_gives(core: str, op: str) -> None:
    job = Job(platform_named("cortex-m7"), core, 128, op)
    firing = firing_of(job)
    machine = Machine(build.build(firing.job).elf, job.platform)
    recording = Recording(machine)
    firing.fire(recording, 0)
    by_windows = whole = 0
    for call in (recording.heard[name] for name in firing.window):
        instructions = decoded(machine, [call.execution])
        by_windows += cycles(cortex_m7.MODEL, call.execution.profile, instructions)
        whole += scheduled(steps_of(call, machine))
    assert abs(by_windows - whole) <= LOOPS.get((core, op), MOST)

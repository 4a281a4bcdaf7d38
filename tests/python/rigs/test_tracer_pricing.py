# SPDX-License-Identifier: MIT
"""Pricing a profile, which keeps little, gives what pricing every step in order gives."""

import struct
from importlib import import_module
from itertools import product

import pytest
from few import slow_but
from tracer_machines import load

from aesfit.building import build
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.timing.model import NO, Step, TimingModel, Window, cycles, memories
from aesfit.rigs.profile import Execution

MODELLED = ("arm7tdmi", "cortex-m0plus", "cortex-m3", "cortex-m4", "rv32im-e31", "rv32i")
EVERY = (*MODELLED, "arm9tdmi", "cortex-m0")
CORES = ("bytewise", "transposed_otf", "fixslice")


def model_of(machine: Machine) -> TimingModel:
    module = import_module(f"aesfit.rigs.emulator.timing.{machine.platform.timing}")
    model: TimingModel = module.MODEL
    return model


def steps(
    machine: Machine, instructions: dict[int, Instruction], accessed: dict[int, frozenset[str]]
) -> list[Step]:
    """Every step of the last call, which was recorded."""
    records = struct.iter_unpack("<IHH", machine.records())
    run = [(instructions[a], kind == 0) for a, _, kind in records if kind in (0, 3)]
    found = []
    later = [one for one, _ in run[1:]]
    for (one, executed), following in zip(run, [*later, None], strict=True):
        jumps = following is None or following.address != one.address + one.size
        if one.writes_pc and executed and (jumps or not one.conditional):
            found.append(Step(one, True, following, True, memories=accessed.get(one.address, NO)))
        else:
            ran = executed and not (one.writes_pc and one.conditional)
            found.append(Step(one, ran, memories=accessed.get(one.address, NO)))
    return found


def priced_in_order(
    machine: Machine, execution: Execution, instructions: dict[int, Instruction]
) -> int:
    model, run = model_of(machine), steps(machine, instructions, memories(execution.profile))
    before = [tuple(run[max(0, at - model.depth) : at]) for at in range(len(run))]
    total = sum(model.price(Window(one, last)) for one, last in zip(run, before, strict=True))
    return total + sum(
        times * model.operand_cycles(instructions[address], first, second)
        for (address, first, second), times in execution.profile.operands.items()
    )


def check(machine: Machine, execution: Execution) -> None:
    decoded = decode_blocks(machine.code, execution.profile.blocks, machine.platform.isa)
    in_order = priced_in_order(machine, execution, decoded)
    assert in_order > execution.instructions // 2
    assert cycles(model_of(machine), execution.profile, decoded) == in_order


@pytest.mark.parametrize("name", MODELLED)
@pytest.mark.parametrize("function", ["short_blocks", "calls", "conditions", "copies"])
def test_short_blocks_and_conditions(name: str, function: str) -> None:
    machine = load(name)
    check(machine, machine.call(function, machine.reserve(256), 37, 0x1234_5678, record=True))


IN_TURN = [(name, CORES[at % len(CORES)]) for at, name in enumerate(EVERY)]


@pytest.mark.parametrize(("name", "core"), slow_but(IN_TURN, [*product(EVERY, CORES)]))
def test_cores(name: str, core: str) -> None:
    job = Job(platform_named(name), core, 128, "decrypt-block")
    machine = Machine(build.build(job).elf, job.platform)
    setup, block = build.entries(job)
    context, key, data = (machine.reserve(size) for size in (4096, 16, 256))
    check(machine, machine.call(setup, context, key, record=True))
    check(machine, machine.call(block, context, data, data, 2, record=True))

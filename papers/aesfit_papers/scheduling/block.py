# SPDX-License-Identifier: MIT
"""Executes a block of a core: on RISC-V as the stand-in for the Lx, and on the Hexagon."""

from typing import Protocol

from aesfit import _native
from aesfit.building import build
from aesfit.building.unit import entries
from aesfit.jobs import message
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.rigs.firing import WrongOutputError
from aesfit.rigs.hexagon.rig import machine_of

from . import hexagon, riscv
from .operation import Executed
from .program import program
from .riscv_machine import RiscvMachine

HEXAGON = "hexagon"
_OP, _KEY_BITS, _BLOCK = "encrypt-block", 128, 16


class _Buffers(Protocol):
    """The interface that a machine needs to run a block."""

    def symbol(self, name: str) -> int: ...
    def reserve(self, size: int) -> int: ...
    def write(self, address: int, data: bytes) -> None: ...
    def read(self, address: int, size: int) -> bytes: ...


def job_of(core: str) -> Job:
    """The job whose block is scheduled: encryption with a 128-bit key."""
    return Job(platform_named(HEXAGON), core, _KEY_BITS, _OP)


def on_riscv(core: str) -> Executed:
    """Run a block on the interpreter, as operations of the Lx; its output is checked."""
    job = job_of(core)
    machine = RiscvMachine(program(job))
    setup, block = entries(job)
    context, key, source, target = _place(machine, job)
    machine.call(setup, context, key)
    steps = machine.call(block, context, target, source, 1)
    _check(machine, job, target)
    return riscv.executed(steps, machine.stack)


def on_hexagon(core: str) -> Executed:
    """Run a block on the rig's Hexagon, as executed packets; its output is checked."""
    job = job_of(core)
    machine = machine_of(job)
    try:
        setup, block = entries(job)
        context, key, source, target = _place(machine, job)
        machine.call(setup, context, key)
        machine.call(block, context, target, source, 1, record=True)
        _check(machine, job, target)
        records = machine.records()
    finally:
        machine.close()
    ram = next(one for one in job.platform.memories if "stack" in one.holds)
    elf = build.build(job).elf
    return hexagon.executed(elf, block, records, (ram.start, ram.start + ram.size))


def _secrets(job: Job) -> tuple[bytes, bytes]:
    drawn = message.made_up("scheduling", _KEY_BITS // 8 + _BLOCK)
    return drawn[: _KEY_BITS // 8], drawn[_KEY_BITS // 8 :]


def _place(machine: _Buffers, job: Job) -> tuple[int, int, int, int]:
    """Addresses of context, key, input and output."""
    key, text = _secrets(job)
    size = int.from_bytes(machine.read(machine.symbol("rig_context_bytes"), 4), "little")
    context, at, source, target = (machine.reserve(n) for n in (size, len(key), _BLOCK, _BLOCK))
    machine.write(at, key)
    machine.write(source, text)
    return context, at, source, target


def _check(machine: _Buffers, job: Job, target: int) -> None:
    key, text = _secrets(job)
    other = "bytewise" if job.core != "bytewise" else "transposed"
    if machine.read(target, _BLOCK) != _native.AES(key, other).encrypt_block(text):
        raise WrongOutputError(f"{job.core}: the code to be scheduled did not compute AES")

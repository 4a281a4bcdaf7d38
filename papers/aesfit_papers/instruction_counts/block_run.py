# SPDX-License-Identifier: MIT
"""Runs and checks one block of a core on an emulated platform, with reduced rounds on request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aesfit._native import AES
from aesfit.building import build
from aesfit.building.unit import entries
from aesfit.catalog import core_named
from aesfit.jobs.job import Job
from aesfit.jobs.message import made_up
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import WrongOutputError
from aesfit.rigs.profile import Execution, Profile

from .operation_model import Direction

STEPS_APART = "-DAESFIT_STEPS_APART"
"""Definition that keeps the bytewise family's steps separate functions (steps/bytewise_plain.h)."""
Arrangement = Callable[[bytes], bytes]


@dataclass(frozen=True)
class BlockQuestion:
    """The core, platform and settings to run."""

    platform: Platform
    core: str
    key_bits: int
    rounds: int
    """The standard's number, or fewer if the core supports that."""
    flags: tuple[str, ...] | None = None
    """Optimisation flags; None: those of the platform file."""

    @property
    def optimise(self) -> tuple[str, ...]:
        """The optimisation flags in use."""
        return self.platform.compiler.optimise if self.flags is None else self.flags

    @property
    def blocks(self) -> int:
        """Blocks of one call: as many as the core works on at once."""
        return core_named(self.core).lanes

    def job(self, direction: Direction, extra: tuple[str, ...] = ()) -> Job:
        """The job whose image is run; `extra` are macro definitions."""
        if self.rounds != standard_rounds(self.key_bits):
            extra = (*extra, f"-DRIG_ROUNDS={self.rounds}")
        flags = (*self.optimise, *extra)
        op = f"{direction}-block"
        return Job(self.platform, self.core, self.key_bits, op, flags=flags)


@dataclass(frozen=True)
class BlockRun:
    """An executed key set-up and one call of the block function, decoded."""

    job: Job
    image: build.Image
    setup: Execution
    block: Execution
    instructions: Mapping[int, Instruction]
    """Executed instructions of both, by address."""

    def cycles(self, profile: Profile) -> int:
        """Cycles of a profile or a part of it, by the platform's timing model."""
        model = timing_model(self.job.platform)
        return cycles(model, profile, self.instructions, self.job.placed)


def standard_rounds(key_bits: int) -> int:
    """Rounds of FIPS 197."""
    return key_bits // 32 + 6


def run(
    asked: BlockQuestion,
    direction: Direction,
    extra: tuple[str, ...] = (),
    arranged: Arrangement = bytes,
) -> BlockRun:
    """Run it; WrongOutputError if the output differs from that of another core on the host.

    `arranged` permutes the bytes of texts to the order in which the core expects and leaves them.
    """
    job = asked.job(direction, extra)
    image = build.build(job)
    machine = Machine(image.elf, asked.platform)
    setup, block = _call(machine, asked, job, arranged)
    seen = {one for each in (setup, block) for one in each.profile.blocks}
    instructions = decode_blocks(machine.code, seen, asked.platform.isa)
    return BlockRun(job, image, setup, block, instructions)


def _call(
    machine: Machine, asked: BlockQuestion, job: Job, arranged: Arrangement
) -> tuple[Execution, Execution]:
    secrets = made_up("0", asked.key_bits // 8 + 16 * asked.blocks)
    key, text = secrets[: asked.key_bits // 8], secrets[asked.key_bits // 8 :]
    held = int.from_bytes(machine.read(machine.symbol("rig_context_bytes"), 4), "little")
    context, key_at, text_at, out = map(machine.reserve, (held, len(key), len(text), len(text)))
    machine.write(key_at, key)
    machine.write(text_at, arranged(text))
    setup, block = entries(job)
    seen = (
        machine.call(setup, context, key_at),
        machine.call(block, context, out, text_at, asked.blocks),
    )
    if machine.read(out, len(text)) != arranged(_wanted(asked, job, key, text)):
        raise WrongOutputError(
            f"{asked.core} on {asked.platform.name}, {job.op}, {asked.rounds} rounds: "
            "the output differs from the host's"
        )
    return seen


def _wanted(asked: BlockQuestion, job: Job, key: bytes, text: bytes) -> bytes:
    """The output of another core on the host."""
    another = "transposed" if asked.core.startswith("bytewise") else "bytewise"
    reference = AES.study(key, asked.rounds, another)
    step = reference.encrypt_block if job.op == "encrypt-block" else reference.decrypt_block
    return b"".join(step(text[at : at + 16]) for at in range(0, len(text), 16))

# SPDX-License-Identifier: MIT
"""Measures CCM on an emulated platform with MACs of other lengths than the rigs' 8 bytes.

The image is the one measured for CCM; only its message differs.
"""

from dataclasses import replace

from aesfit._native import AESCCM
from aesfit.building import build
from aesfit.building.unit import entries
from aesfit.jobs.job import Job
from aesfit.jobs.message import Message, messages
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import WrongOutputError

_OTHER = "transposed"
"""The core that computes the reference."""


def ccm_cycles(job: Job, tag_bytes: int) -> int:
    """Cycles of encrypting the job's message with a MAC of so many bytes, without key set-up.

    WrongOutputError if ciphertext or MAC differ from those of another core on the host.
    """
    if (job.mode, job.op) != ("ccm", "encrypt") or job.core == _OTHER:
        raise ValueError(f"the job must encrypt in CCM, by another core than {_OTHER}")
    asked = _with_tag(messages(job)[0], tag_bytes)
    machine = Machine(build.build(job).elf, job.platform)
    setup, encrypt = entries(job)
    context, at, out, tag = _placed(machine, asked)
    for function in (setup, encrypt):
        seen = machine.call(function, context, at)
        if seen.result != 0:
            raise WrongOutputError(f"{function} returned {seen.result}")
    if machine.read(out, len(asked.out)) + machine.read(tag, tag_bytes) != asked.out + asked.tag:
        raise WrongOutputError(f"{job.core} on {job.platform.name}: CCM differs from the host's")
    instructions = decode_blocks(machine.code, seen.profile.blocks, job.platform.isa)
    return cycles(timing_model(job.platform), seen.profile, instructions, job.placed)


def _with_tag(asked: Message, tag_bytes: int) -> Message:
    """Ciphertext and MAC of that length from the library on the host."""
    library = AESCCM(asked.key, tag_length=tag_bytes, core=_OTHER)
    made = library.encrypt(asked.nonce, asked.data, asked.ad)
    return replace(asked, out=made[: len(asked.data)], tag=made[len(asked.data) :])


def _placed(machine: Machine, asked: Message) -> tuple[int, int, int, int]:
    """Addresses of the context, the message, its output and its MAC."""
    held = int.from_bytes(machine.read(machine.symbol("rig_context_bytes"), 4), "little")
    context, out, tag = map(machine.reserve, (held, max(asked.out_size, 1), len(asked.tag)))
    parts = {"key": asked.key, "nonce": asked.nonce, "ad": asked.ad, "data": asked.data}
    places = {name: machine.reserve(max(1, len(content))) for name, content in parts.items()}
    for name, content in parts.items():
        machine.write(places[name], content)
    packed = asked.pack(**places, out=out, tag=tag)
    at = machine.reserve(len(packed))
    machine.write(at, packed)
    return context, at, out, tag

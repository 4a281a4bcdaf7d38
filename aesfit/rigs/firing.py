# SPDX-License-Identifier: MIT
"""One run of a job's image: secrets in, the window's executions out, every output checked."""

from dataclasses import dataclass, replace
from typing import Protocol

from .. import _native
from ..building.unit import entries, measured
from ..jobs import message
from ..jobs.job import Job
from .profile import Execution


class WrongOutputError(RuntimeError):
    """An image did not compute what the library on the host computes."""


class Processor(Protocol):
    """What runs an image: the machine of the emulator, and others with its methods."""

    def symbol(self, name: str) -> int:
        """Value of a symbol."""

    def reserve(self, size: int, align: int = 8) -> int:
        """Address of zeroed bytes that belong to nobody else."""

    def release(self) -> None:
        """Everything that was reserved is free again."""

    def write(self, address: int, data: bytes) -> None:
        """Put bytes into memory."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of memory."""

    def call(self, function: str | int, *arguments: int, record: bool = False) -> Execution:
        """Call a function with integer arguments and say what was executed."""

    def records(self) -> bytes:
        """Every access of the last call, made with `record`, in order."""


@dataclass(frozen=True)
class Firing:
    """How a job is run: with which image, and which executions belong to the row."""

    job: Job
    """Whose image runs: key set-up alone has no output to check, so it runs before a block."""
    window: tuple[str, ...]
    """Functions inside the window."""

    def fire(self, machine: Processor, number: int) -> tuple[Execution, ...]:
        """Run once with the secrets of that number."""
        run = _fire_message if self.job.mode else _fire_block
        seen = run(self.job, machine, number)
        return tuple(seen[name] for name in self.window)


def firing_of(job: Job) -> Firing:
    """How to run `job`."""
    check = {
        "key-setup-encrypt": "encrypt-block",
        "key-setup-decrypt": "decrypt-block",
        "key-setup": "encrypt",
    }
    runs = replace(job, op=check.get(job.op, job.op))
    if job.op == "key-setup":  # any payload will do to check it
        runs = replace(runs, bytes=max(16, job.shape.least), text=None)
    return Firing(runs, measured(job))


def _place(machine: Processor, *parts: bytes | int) -> list[int]:
    """Addresses of buffers: with these bytes, or of that many zeros."""
    machine.release()
    found = []
    for part in parts:
        content = bytes(part) if isinstance(part, int) else part
        found.append(machine.reserve(max(1, len(content)), 8))
        machine.write(found[-1], content)
    return found


def _context_bytes(machine: Processor) -> int:
    at = machine.symbol("rig_context_bytes")
    return int.from_bytes(machine.read(at, 4), "little")


def _fire_block(job: Job, machine: Processor, number: int) -> dict[str, Execution]:
    secrets = message.made_up(str(number), job.key_bits // 8 + 16 * job.implementation.lanes)
    key, text = secrets[: job.key_bits // 8], secrets[job.key_bits // 8 :]
    context, key_at, in_at, out_at = _place(machine, _context_bytes(machine), key, text, len(text))
    setup, block = entries(job)
    seen = {
        setup: machine.call(setup, context, key_at),
        block: machine.call(block, context, out_at, in_at, job.implementation.lanes),
    }
    reference = _native.AES(key, _another(job))
    step = reference.encrypt_block if job.op == "encrypt-block" else reference.decrypt_block
    wanted = b"".join(step(text[at : at + 16]) for at in range(0, len(text), 16))
    _compare(job, machine.read(out_at, len(text)), wanted)
    return seen


def _fire_message(job: Job, machine: Processor, number: int) -> dict[str, Execution]:
    sealed, opened = message.messages(job, number)
    seen: dict[str, Execution] = {}
    for name in entries(job)[1:]:
        asked = opened if name == "rig_decrypt" else sealed
        room = max(asked.out_size, 1)
        given_tag = asked.tag if name == "rig_decrypt" else len(asked.tag)
        held = _context_bytes(machine)
        places = _place(
            machine, held, asked.key, asked.nonce, asked.ad, room, asked.data, given_tag
        )
        packed = asked.pack(
            key=places[1], nonce=places[2], ad=places[3], out=places[4], data=places[5],
            tag=places[6],
        )  # fmt: skip
        at = machine.reserve(len(packed), 8)
        machine.write(at, packed)
        setup = entries(job)[0]
        seen[setup] = _good(job, setup, machine.call(setup, places[0], at))
        seen[name] = _good(job, name, machine.call(name, places[0], at))
        _compare(job, machine.read(places[4], len(asked.out)), asked.out)
        _compare(job, machine.read(places[6], len(asked.tag)), asked.tag)
    return seen


def _good(job: Job, name: str, execution: Execution) -> Execution:
    if execution.result != 0:
        raise WrongOutputError(f"{_what(job)}: {name} returned {execution.result}")
    return execution


def _another(job: Job) -> str:
    """The core that judges: never the one that is judged."""
    return "bytewise" if job.core != "bytewise" else "transposed"


def _what(job: Job) -> str:
    return f"{job.core} on {job.platform.name}, {job.mode or 'block'} {job.op}, {job.key_bits} bits"


def _compare(job: Job, got: bytes, wanted: bytes) -> None:
    if got != wanted:
        at = next(i for i, pair in enumerate(zip(got, wanted, strict=True)) if pair[0] != pair[1])
        raise WrongOutputError(f"{_what(job)}: output differs from the host's from byte {at} on")

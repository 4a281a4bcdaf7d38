# SPDX-License-Identifier: MIT
"""What an operation on this processor is given, and what must come out."""

from dataclasses import dataclass, replace

from ... import _native
from ...jobs import message
from ...jobs.job import Job
from ...jobs.message import Message
from ...platforms.names import BLOCK_OPS, MODE_OPS

_NOTHING = Message(b"", b"", 0, b"", 0, b"", b"", b"")


@dataclass(frozen=True)
class HostExercise:
    """An operation with its messages."""

    op: str
    first: Message
    """What it takes; blocks are the data of a message without nonce and tag."""
    second: Message = _NOTHING
    """What `both` decrypts."""

    @property
    def result(self) -> bytes:
        """What must come out.

        Blocks; output and tag of an encrypted message, also after a key set-up, to show the key;
        output of a decrypted one; for `both` the one after the other.
        """
        tag = b"" if self.op == "decrypt" else self.first.tag
        return self.first.out + tag + self.second.out


def exercise_of(job: Job) -> HostExercise:
    """The exercise of a job, always the same; ValueError when it makes no sense."""
    if job.op not in (BLOCK_OPS if job.mode is None else MODE_OPS):
        raise ValueError(f"there is no operation {job.op!r} of a {'mode' if job.mode else 'core'}")
    if job.mode is None:
        return _blocks(job)
    message.check(job)
    if job.op == "key-setup":  # something that shows the key
        job = replace(job, bytes=max(16, job.shape.least), text=None)
    shown = replace(job, op="encrypt") if job.op == "key-setup" else job
    sealed, opened = message.messages(shown)
    if job.op == "decrypt":
        # A MAC is verified: nothing comes out.
        return HostExercise(job.op, opened)
    return HostExercise(job.op, sealed, opened if job.op == "both" else _NOTHING)


def _blocks(job: Job) -> HostExercise:
    size = 16 * job.implementation.lanes
    material = message.made_up("0", job.key_bits // 8 + size)
    key, data = material[:-size], material[-size:]
    other = _native.default_core() if job.core != _native.default_core() else "bytewise"
    peer = _native.AES(key, core=other)
    step = peer.decrypt_block if "decrypt" in job.op else peer.encrypt_block
    out = b"".join(step(data[at : at + 16]) for at in range(0, size, 16))
    return HostExercise(job.op, Message(key, b"", 0, b"", 0, data, out, b""))

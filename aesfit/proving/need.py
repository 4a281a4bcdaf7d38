# SPDX-License-Identifier: MIT
"""What proofs will need, estimated before they begin: processor time and memory.

Both grow with the calls of the cipher that a message takes.  The factors are those of fixslice on
Cortex-M3 on one computer; others take half of it, or twice as long.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..jobs.job import Job
from .every_length import at_every_length, short_lengths
from .following import may_refuse
from .messages import LAYOUTS, layouts
from .zones import MOST_ATOMS

_BLOCK = 16
_SET_UP_ATOMS, _CALL_ATOMS = 9_400, 1_280
"""Of 128-bit keys: key set-up, and a call of the cipher."""
_MEBIBYTES = 60, 0.33
"""Python with its packages; and of a thousand atoms, squared, for forms are as long as atoms are
many."""
_IMAGE_SECONDS, _SET_UP_SECONDS, _CALL_SECONDS, _HASH_SECONDS = 0.5, 0.3, 0.06, 0.3
_EVERY_SECONDS, _EVERY_ATOMS = 0.6, 47
"""Of a message of every length in one layout; and atoms of XTS, in thousands."""
_TENFOLD = 10
"""A byte of CFB8 is a call, and bad padding of PKCS#7 takes as much time as many messages."""


@dataclass(frozen=True)
class ProofNeed:
    """Of one proof, or of several one after another."""

    seconds: float
    mebibytes: float
    too_large: int = 0
    """Proofs that take more memory than they may, so that equality stays open."""

    def __str__(self) -> str:
        """In words."""
        minutes, gibibytes = self.seconds / 60, self.mebibytes / 1024
        time = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} minutes"
        memory = f"{self.mebibytes:.0f} MiB" if gibibytes < 1 else f"{gibibytes:.1f} GiB"
        large = f"; {self.too_large} would need more than 2 GiB and will stop" * bool(
            self.too_large
        )
        return f"up to {time} of processor time and {memory} of memory{large}"


def need(jobs: Iterable[Job]) -> ProofNeed:
    """Of all jobs; what is in the store takes nothing, so this is the most."""
    each = [_of_one(job) for job in jobs]
    seconds = sum(one.seconds for one in each)
    most = max((one.mebibytes for one in each), default=0)
    return ProofNeed(seconds, most, sum(one.too_large for one in each))


def atoms(job: Job) -> int:
    """Of a message over forms."""
    calls, rounds = _calls(job), _rounds(job) / 10
    keys = job.keys + (job.mode is not None and job.shape.message_keys)
    return int((_SET_UP_ATOMS * keys + _CALL_ATOMS * calls) * rounds)


def _of_one(job: Job) -> ProofNeed:
    if job.op.startswith("key-setup"):
        return ProofNeed(_IMAGE_SECONDS, _MEBIBYTES[0])
    if at_every_length(job):
        return _of_every_length(job)
    count = atoms(job)
    rounds, hashed = _rounds(job) / 10, _hashed(job) * _HASH_SECONDS
    one = (_SET_UP_SECONDS + _CALL_SECONDS * _calls(job)) * rounds + hashed
    runs = len(layouts(job)) * (2 if job.op == "both" else 1) if job.mode else 1
    seconds = one * runs * (1.5 if job.mode and may_refuse(job) else 1)
    if job.mode and job.shape.pads_to:
        seconds *= _TENFOLD
    fixed, grown = _MEBIBYTES
    large = count > MOST_ATOMS
    memory = fixed + grown * (min(count, MOST_ATOMS) / 1000) ** 2
    return ProofNeed(_IMAGE_SECONDS + seconds, memory, int(large))


def _of_every_length(job: Job) -> ProofNeed:
    """Of each message of few pieces, with its share of those of any number of pieces."""
    runs = len(short_lengths(job)) * len(LAYOUTS) * (2 if job.op == "both" else 1)
    fixed, grown = _MEBIBYTES
    return ProofNeed(_EVERY_SECONDS * runs, fixed + grown * _EVERY_ATOMS**2)


def _rounds(job: Job) -> int:
    return job.key_bits // 32 + 6


def _blocks(size: int) -> int:
    return -(-size // _BLOCK)


def _calls(job: Job) -> int:
    """Blocks that the cipher encrypts or decrypts for a message."""
    size = job.bytes or 0
    if job.mode is None:
        return job.implementation.lanes + 1
    shape, blocks = job.shape, _blocks(size)
    match job.mode:
        case "ccm" | "ccmp":
            return 2 + _blocks(shape.ad + 2) + 2 * blocks
        case "kw":
            return 6 * (size // 8)
        case "cfb8":
            return size
    derived = 2 + job.key_bits // 64 if shape.message_keys else 0
    return blocks + 2 + derived


def _hashed(job: Job) -> int:
    """Blocks that are multiplied."""
    if not job.hashes:
        return 0
    return _blocks(job.shape.ad) + _blocks(job.bytes or 0) + 1

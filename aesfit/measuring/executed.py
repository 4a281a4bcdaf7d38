# SPDX-License-Identifier: MIT
"""Which instructions of an image a measurement executes, beside those that a proof ran.

A proof says nothing of an instruction that it did not run: of the loop of a message that is longer,
or of the path for aligned words.  So a row is called proved only if its measurement executes what
the proof ran.  The emulator is asked again, and its answer is kept in the store.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from zlib import compress, decompress
from zlib import error as CompressionError  # noqa: N812 - zlib writes its exception small

from ..building import build
from ..building.unit import entries
from ..jobs.job import Job
from ..jobs.message import Message, key_bytes, made_up
from ..platforms.platform import counted
from ..rigs.firing import Processor, firing_of
from ..rigs.profile import Block, Execution, merged
from ..store import closure
from ..store.contents import cached, key

Ranges = tuple[tuple[int, int], ...]
"""First address, and the one behind the last, of pieces of code; in order."""


def ranges_of(instructions: Iterable[tuple[int, int]]) -> Ranges:
    """Of instructions, each given by its address and its bytes."""
    return tuple(merged(Block(address, size) for address, size in instructions))


def joined(parts: Iterable[Ranges]) -> Ranges:
    """All of them as one."""
    return ranges_of((start, end - start) for part in parts for start, end in part)


def encoded(ranges: Ranges) -> str:
    """As text: half of the distance from the end before, and half of the bytes, of each."""
    numbers, before = bytearray(), 0
    for start, end in ranges:
        numbers += b"".join(map(_varint, ((start - before) // 2, (end - start) // 2)))
        before = end
    return urlsafe_b64encode(compress(bytes(numbers), 9)).decode().rstrip("=")


def decoded(text: str) -> Ranges:
    """From that text; ValueError for another one."""
    try:
        packed = decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        numbers = list(_numbers(packed))
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    except (ValueError, CompressionError) as error:
        raise ValueError(f"'{text}' are no ranges of code") from error
    found, before = [], 0
    for gap, size in pairs:
        start = before + 2 * gap
        before = start + 2 * size
        found.append((start, before))
    return tuple(found)


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes((*found, number))


def _numbers(data: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def unproved(job: Job, image_sha256: str, ran: Ranges) -> Mapping[str, int]:
    """Instructions that the job's measurement executes and a proof did not run, by function.

    RuntimeError or ValueError where the job cannot be run.
    """
    asked = (image_sha256, job.platform.sha256, job.op, job.mode, job.bytes, repr(job.placed))
    own = closure.digest(__name__)

    def make(target: Path) -> dict[str, object]:
        functions = dict(_beyond(job, ran))
        target.write_text(json.dumps(functions), encoding="utf-8")
        return {"functions": functions}

    name = key("unproved", *asked, encoded(ran), own)
    found: dict[str, int] = cached(name, ".unproved", make)[1]["functions"]
    return found


def _beyond(job: Job, ran: Ranges) -> Counter[str]:
    from ..rigs.emulator.decode import decode_blocks  # start-up time
    from ..rigs.emulator.machine import Machine  # it needs the emulator's packages

    platform = counted(job.platform)
    machine = Machine(build.build(job).elf, platform)
    alone = len(entries(job)) == 1
    done = (_set_up(job, machine),) if alone else firing_of(job).fire(machine, 0)
    blocks = {block for one in done for block in one.profile.blocks}
    known = decode_blocks(machine.code, blocks, platform.isa)
    executed = {
        at
        for block in blocks
        for at in known
        if block.address <= at < block.address + block.size and at not in block.skipped
    }
    beyond = (at for at in sorted(executed) if not _inside(at, ran))
    return Counter(_function(machine.where(at)) for at in beyond)


def _inside(address: int, ranges: Ranges) -> bool:
    at = bisect_right(ranges, address, key=lambda one: one[0]) - 1
    return at >= 0 and address < ranges[at][1]


def _set_up(job: Job, machine: Processor) -> Execution:
    """Key set-up in its own image; a row's cycles are taken in one that checks the key by a block.

    It has no output that could be compared.
    """
    from .bursts import context_bytes  # it needs the emulator's packages

    (function,) = entries(job)
    given = made_up("0", key_bytes(job))
    context, key_at = (machine.reserve(size) for size in (context_bytes(machine), len(given)))
    machine.write(key_at, given)
    if job.mode is None:
        return machine.call(function, context, key_at)
    packed = Message(given, b"", 0, b"", 0, b"", b"", b"").pack(
        key=key_at, nonce=0, ad=0, out=0, data=0, tag=0
    )
    at = machine.reserve(len(packed))
    machine.write(at, packed)
    return machine.call(function, context, at)


def _function(where: str) -> str:
    """Name of the function in `0x80 (name+0x10)`; the address where no function is known."""
    return where.partition("(")[2].partition("+")[0] or where

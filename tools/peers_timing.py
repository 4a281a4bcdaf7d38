# SPDX-License-Identifier: MIT
"""Examines whether the timing of images that tools/measure_peers.py counts depends on a secret.

docs/proving.md says under "Anybody's function" what is found.  `aesfit.prove_function` examines one
call, and here the second one needs the context that the first one left.

Key set-up runs first, over a secret key; then a block, or a message, over a secret text and the
context that the set-up left.  Nonce, associated data and lengths are public, and variables hold
what the program starts with.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import process_time

from peers_listing import Listed
from peers_rows import TIMED_BYTES, TimingRow

from aesfit.building.unit import entries
from aesfit.counting.own_image import ported_image
from aesfit.jobs.job import Job
from aesfit.jobs.message import messages
from aesfit.platforms.find import platform_named
from aesfit.proving.calls import Calls, stack_of
from aesfit.proving.collecting import uncollected
from aesfit.proving.convention import CONVENTIONS
from aesfit.proving.domain import Value
from aesfit.proving.findings import OF_SECRETS, StuckError
from aesfit.proving.functions.follow import Followed, FunctionExecutor
from aesfit.proving.functions.places import FunctionCode
from aesfit.proving.functions.traced import TracedBits, Trail
from aesfit.proving.image import ProofImage, read_image
from aesfit.proving.state import Extent, State
from aesfit.proving.variable_time import timed_on

_MOST = 4_000_000
"""Instructions of set-up and message: the largest of the bit-sliced code takes half of it."""
_KEY_BYTES = 16
_SETUP = ("key-setup-encrypt", "key-setup")
"""Of the block cipher, and of a mode."""


@dataclass(frozen=True)
class Step:
    """What was found in one of the two calls."""

    op: str
    verdict: str
    places: int
    seconds: float
    why: str = ""
    """What was not followed to its end."""
    returned: bool = True


def timing_rows(one: Listed) -> list[TimingRow]:
    """Rows of an entry, key set-up first; RuntimeError where the objects do not link."""
    job = job_of(one)
    image = ported_image(job, one.objects)
    steps = examined(job, read_image(image.elf, job.platform.isa, whole=True), one.blocks)
    for step in steps:
        if step.why:
            where = f"{one.port.title}, {one.mode} on {one.platform}, {step.op}"
            print(f"measure_peers: {where}: not followed: {step.why}", file=sys.stderr)
    return [
        TimingRow(
            platform=one.platform,
            mode=one.mode,
            op=step.op,
            library=one.library,
            version=one.version,
            configuration=one.configuration,
            flags=one.flags,
            verdict=step.verdict,
            places=step.places,
            followed="part" if step.why else "all",
            seconds=step.seconds,
            image_sha256=image.sha256,
        )
        for step in steps
    ]


def job_of(one: Listed) -> Job:
    """The image that is examined: a block, or a message of TIMED_BYTES."""
    platform = platform_named(one.platform)
    if one.mode == "block":
        return Job(platform, "", 128, "encrypt-block")
    return Job(platform, "", 128, "encrypt", mode=one.mode, bytes=TIMED_BYTES)


def examined(job: Job, image: ProofImage, blocks: int = 1) -> list[Step]:
    """What was found in key set-up, and then in the block or the message."""
    variables = [Extent(first, last - first + 1) for first, last in image.changing]
    run = _Run(job, replace(image, changing=()), variables)
    before, after = _arguments(run, job, blocks)
    with uncollected():
        first = run.step(_SETUP[job.mode is not None], entries(job)[0], before)
        if not first.returned:
            return [first, Step(job.op, "not shown", 0, 0.0, "nor was the key set-up")]
        return [first, run.step(job.op, entries(job)[1], after)]


def _arguments(run: "_Run", job: Job, blocks: int) -> tuple[list[int], list[int]]:
    """Of both calls."""
    key = run.secret(_KEY_BYTES, "the key")
    if job.mode is None:
        size = 16 * blocks
        text, out = run.secret(size, "the text"), run.zeros(size)
        return [run.context, key], [run.context, out, text, blocks]
    shape = messages(job)[0]
    packed = shape.pack(
        key=key,
        nonce=run.placed(shape.nonce),
        ad=run.placed(shape.ad),
        out=run.zeros(shape.out_size),
        data=run.secret(len(shape.data), "the text"),
        tag=run.zeros(len(shape.tag)),
    )
    message = run.placed(packed)
    return [run.context, message], [run.context, message]


class _Run:
    """Memory of a run, and the calls in it."""

    def __init__(self, job: Job, image: ProofImage, variables: Sequence[Extent]) -> None:
        """The context is zeros."""
        self.domain = TracedBits()
        self.executor = FunctionExecutor(
            FunctionCode(image),
            self.domain,
            stack=stack_of(image),
            timed=timed_on(job.platform, image),
            stubs={},
            limit=_MOST,
        )
        names = CONVENTIONS[image.isa].preserved
        self.calls = Calls(self.executor, lambda name: names.index(name) if name in names else 0)
        self.state: State = self.executor.fresh()
        self.writable = list(variables)
        self.context = self.zeros(self.calls.number("rig_context_bytes"))

    def zeros(self, size: int) -> int:
        """Address of so many bytes."""
        return self.placed(bytes(size))

    def secret(self, size: int, name: str) -> int:
        """Address of so many secret bytes."""
        return self.placed([self.domain.secret(8, Trail(0, None, name)) for _ in range(size)])

    def placed(self, values: Sequence[Value]) -> int:
        """Address of bytes that the function may write."""
        room = self.calls.room(max(1, len(values)))
        self.calls.put(self.state, room.start, values)
        self.writable.append(room)
        return room.start

    def step(self, op: str, name: str, arguments: Sequence[int]) -> Step:
        """Call a function; what was found before is forgotten."""
        executor, before, returned = self.executor, process_time(), True
        executor.found.clear()
        executor.followed = Followed()
        try:
            (self.state,) = self.calls.call(self.state, name, arguments, self.writable)
        except StuckError as stuck:
            executor.followed.left_out.setdefault(str(stuck))
            returned = False
        found = executor.found.values()
        places = {one.address for one in found if one.kind in OF_SECRETS}
        why = [*executor.followed.left_out, *(x.kind for x in found if x.kind not in OF_SECRETS)]
        verdict = "depends" if places else "not shown" if why else "independent"
        seconds = round(process_time() - before, 1)
        return Step(op, verdict, len(places), seconds, "; ".join(dict.fromkeys(why)), returned)

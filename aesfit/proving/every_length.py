# SPDX-License-Identifier: MIT
"""Independence of secrets of messages of every length.

A payload is a few bytes and any number of pieces.  The passes of the loops over these are shown to
be alike (growing_runs.py); messages of few pieces are run one by one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product, takewhile
from typing import Final

from ..jobs.job import Job
from ..jobs.message import longest
from .calls import Calls
from .code import Code
from .domain import Value
from .findings import StuckError
from .growing import GrowingBits
from .growing_runs import GrowingExecutor
from .independence import calls_over
from .interpreter import Sides
from .known_bits import secret
from .looping import GrowingState
from .messages import LAYOUTS, Ended, Harness, MessageCalls, Parts, Places, parts_of
from .padding import shows_its_length
from .state import Extent, State
from .sums import Linear, growing

FEWEST_PIECES: Final = 4
"""Messages of fewer are run one by one."""
PIECES: Final = "pieces"
"""The count of a message's pieces."""
_MOST_BYTES: Final = {"ccm": 4_000, "ccmp": 4_000}
"""Of a payload, where it is less than the mode's: from 4,081 bytes on the counter of CCM carries
into its second byte, and how often is not followed."""
Buffers = dict[int, Linear]
"""Bytes of memory of any length, by its first address."""
_FREE: Final = range(0x1000_0000, 0xF000_0000, 0x0800_0000)
_SLACK: Final = 1 << 16
"""Bytes of room beyond the longest message."""


def at_every_length(job: Job) -> bool:
    """The job is of messages, and names no length."""
    return job.mode is not None and job.op != "key-setup" and job.bytes is None


def why_not(job: Job) -> str:
    """Why messages of any length are not followed; empty where they are."""
    return "its padding shows the length" if shows_its_length(job) else ""


@dataclass
class GrowingMessage(MessageCalls):
    """Key set-up and one message, of some bytes and any number of pieces."""

    piece: int = 16
    most: int = 0
    """Bytes of the longest payload."""

    def _places(self, parts: Parts) -> dict[str, Extent]:
        """Data and output lie where there is room for any length."""
        at, executor, room = super()._places(parts), self._executor, self.most + _SLACK
        taken = [Extent(start, len(data)) for start, data in executor.image.pieces]
        taken += [*at.values(), executor.stack]
        free = (
            start for start in _FREE
            if all(start + room <= one.start or one.start + one.size <= start for one in taken)
        )  # fmt: skip
        for name in ("data", "out"):
            at[name] = Extent(next(free) + at[name].start % 64, room)
        if self.layout.in_place:
            at["out"] = at["data"]
        header = takewhile(lambda one: isinstance(one, int), parts.data)
        executor.grow([at["data"], at["out"]], Extent(at["data"].start, len([*header])))
        return at

    @property
    def _executor(self) -> GrowingExecutor:
        assert isinstance(self.calls.executor, GrowingExecutor)  # noqa: S101 - made for nothing else
        return self.calls.executor

    @property
    def terms(self) -> tuple[tuple[str, int], ...]:
        """By which its lengths grow."""
        return ((PIECES, self.piece),)

    def buffers(self, parts: Parts, at: Places, terms: tuple[tuple[str, int], ...]) -> Buffers:
        """Bytes of data and output."""
        sizes = {"data": len(parts.data), "out": parts.out_bytes}
        if self.layout.in_place:
            sizes = dict.fromkeys(sizes, max(sizes.values()))
        return {at[name].start: Linear(size, terms) for name, size in sizes.items()}

    def _give(self, state: State, parts: Parts, at: Places) -> None:
        assert isinstance(state, GrowingState)  # noqa: S101 - of a GrowingExecutor
        state.ends = self.buffers(parts, at, self.terms)
        super()._give(state, parts, at)

    def _words(self, parts: Parts, places: Places) -> tuple[Value, ...]:
        """The lengths of data and output grow."""
        words, width = list(super()._words(parts, places)), 8 * self.calls.word
        for at in (6, 8):
            fixed = words[at]
            assert isinstance(fixed, int)  # noqa: S101 - lengths of a message of no pieces
            words[at] = growing(Linear(fixed, self.terms), width)
        return tuple(words)

    def _begun(self) -> State:
        state = self._executor.fresh()
        state.ranges = {PIECES: (FEWEST_PIECES, self.most // self.piece)}
        return state

    def _ended(self, after: State, parts: Parts, places: Places) -> Ended:
        return Ended(after, 0, [], [], [])


def piece_bytes(job: Job) -> int:
    """By how much messages grow: a whole number of passes of every loop of mode and core."""
    return 16 * job.implementation.lanes


def most_bytes(job: Job) -> int:
    """Of the longest payload that is followed."""
    return _MOST_BYTES.get(job.shape.name, longest(job.shape))


def short_lengths(job: Job) -> tuple[int, ...]:
    """Payloads that are run one by one."""
    return tuple(payloads(job, 0, FEWEST_PIECES))


def payloads(job: Job, first: int, last: int) -> Iterator[int]:
    """Those of `first` to `last` pieces, the last not included."""
    shape, piece = job.shape, piece_bytes(job)
    sizes = range(shape.least + first * piece, shape.least + last * piece)
    return (size for size in sizes if size in shape.payloads)


def long_calls(job: Job, code: Code, public: Mapping[int, Sides]) -> tuple[Calls, list[State], str]:
    """The calls of all longer messages, the states in which they returned, and what stopped them.

    `job`: of one direction.
    """
    calls = calls_over(job, code, GrowingBits(), lambda at, _: public.get(at), GrowingExecutor)
    states: list[State] = []
    piece = piece_bytes(job)
    try:
        for size, layout in product(payloads(job, 0, 1), LAYOUTS):
            one = replace(job, bytes=size)
            calls.begin()
            message = GrowingMessage(calls, Harness(one), states, layout, piece, most_bytes(job))
            message.run(parts_of(one, lambda count: [secret(8)] * count, layout))
    except StuckError as stuck:
        return calls, states, str(stuck)
    return calls, [_secrets_of(calls, state) for state in states], ""


def _secrets_of(calls: Calls, state: State) -> State:
    """A state in which what is public is a number."""
    found = state.copy()
    assert isinstance(found, GrowingState)  # noqa: S101 - of a GrowingExecutor
    operations, domain = calls.executor.operations, calls.executor.domain
    assert isinstance(domain, GrowingBits)  # noqa: S101 - of a GrowingExecutor
    domain.ranges = found.ranges
    for cells in (found.registers, found.memory):
        for at, (size, value) in cells.held.items():
            now = operations.force(value)
            cells.held[at] = size, domain.without_public(now)
    return found


def lengths(job: Job) -> str:
    """Those that are followed, in words."""
    return f"every length up to {most_bytes(job):,} bytes of payload"

# SPDX-License-Identifier: MIT
"""A core's key set-up and block function, over any domain."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..building.unit import entries
from ..jobs.job import Job
from .calls import Calls
from .domain import Value
from .state import State


@dataclass(frozen=True)
class Way:
    """One way of calling the block function."""

    blocks: int
    in_place: bool
    off: int
    """Bytes that input and output are beyond an aligned address."""


def ways(job: Job) -> tuple[Way, ...]:
    """1 to lanes + 1 blocks, apart and in place, aligned and not; one of them in two ways more."""
    every = range(1, job.implementation.lanes + 2)
    found = tuple(Way(blocks, place, off) for blocks in every for place, off in _WAYS)
    return (*found, Way(1, in_place=True, off=0), Way(1, in_place=False, off=2))


_WAYS = ((False, 0), (True, 1), (False, 3))


def told(some: Sequence[Way]) -> str:
    """Those that were run, in words."""
    counts = ", ".join(str(one) for one in sorted({one.blocks for one in some}))
    places = {"in place" if one.in_place else "apart" for one in some}
    offs = [str(off) if off else "aligned" for off in sorted({one.off for one in some})]
    away = " bytes off" if offs[-1] != "aligned" else ""
    return f"{counts} blocks; {' and '.join(sorted(places))}; {', '.join(offs)}{away}"


class BlockCalls:
    """Key set-up once, then any number of calls of the block function."""

    def __init__(self, calls: Calls, job: Job, key: Sequence[Value]) -> None:
        """The key is set up."""
        self.calls = calls
        self._setup, self._block = entries(job)[0], entries(job)[-1]
        self._context = calls.room(calls.number("rig_context_bytes"))
        at = calls.room(len(key), off=1)
        state = calls.executor.fresh()
        calls.put(state, at.start, key)
        (self.state,) = calls.call(
            state, self._setup, (self._context.start, at.start), (self._context,)
        )

    def crypt(self, shape: Way, data: Sequence[Value]) -> tuple[State, list[Value]]:
        """The state afterwards, and the bytes of the output."""
        calls, state = self.calls, self.state.copy()
        source = calls.room(len(data), shape.off)
        target = source if shape.in_place else calls.room(len(data), shape.off)
        calls.put(state, source.start, data)
        arguments = (self._context.start, target.start, source.start, shape.blocks)
        (after,) = calls.call(state, self._block, arguments, (target,))
        return after, calls.get(after, target.start, target.size)

# SPDX-License-Identifier: MIT
"""The simulator: the time of a burst from the addresses that it really touched.

Ideal cycles are the version's, as in the model; stalls are the lines that the caches filled times
the penalty.  Loads, fetches and stores that allocate stall alike when they miss; other stores go
through a write buffer for nothing, writing back is free, and critical word first takes the base
alone, as if the line were full before the next access came.  One pass over a trace gives all bursts
up to its length from one start.

Cold (evicted = 1): every line is another program's. Warm and partly trashed: the whole burst of the
trace ran before, from a cold start; its input and output are elsewhere now, so their lines help
nobody, and the given share of all lines, chosen at random, went to other programs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from .. import _native
from ..caches.cache import Cache, Hierarchy
from .question import Burst, Time, Version

if TYPE_CHECKING:
    from ..measuring.trace import Trace

INSTRUCTIONS = 0b1001
"""Mask of the records that are fetches: of executed instructions and of those skipped."""
DATA = 0b0110
"""Mask of loads and stores."""


def fills(
    trace: "Trace",
    cache: Cache,
    kinds: int = DATA,
    *,
    evicted: float = 1.0,
    seed: int = 0,
) -> tuple[int, ...]:
    """Lines filled by bursts of 0, 1, 2 ... calls from one start; the last is the whole trace.

    Key set-up and what else is paid once count with every burst; what follows the last call, a
    few instructions, counts with the last burst alone.
    """
    simulator = _native.CacheSimulator(
        cache.size, cache.line, cache.ways, cache.replacement, seed, cache.write_allocate
    )
    if evicted < 1.0:
        simulator.evict(1.0, seed)  # no line is empty: random replacement may take ours at once
        simulator.run(trace.records, kinds)
        for stream in trace.streams:
            simulator.disown(stream.start, stream.size)
    simulator.evict(evicted, seed)
    return tuple(accumulate(simulator.run(trace.records, kinds, trace.starts)[2]))


@dataclass
class Simulated:
    """An Estimator over traces of cores, one each, that lasts as long as the longest burst."""

    traces: Mapping[str, "Trace"]
    """By core."""
    seed: int = 0
    """Of random replacement and of what was evicted."""
    _known: dict[tuple[object, ...], tuple[int, ...]] = field(default_factory=dict, repr=False)

    def times(self, version: Version, hierarchy: Hierarchy, bursts: Sequence[Burst]) -> list[Time]:
        """The time of each burst, on its own; ValueError for one longer than its trace."""
        found = []
        for burst in bursts:
            lost = self.stalls(version.core, hierarchy, burst.evicted)
            if not 0 <= burst.calls < len(lost):
                raise ValueError(
                    f"the trace of {version.core} has {len(lost) - 1} calls, not {burst.calls}"
                )
            ideal = burst.calls * version.cycles_per_call + version.overhead
            found.append(Time(burst.calls, ideal, lost[burst.calls]))
        return found

    def stalls(self, core: str, hierarchy: Hierarchy, evicted: float = 1.0) -> list[float]:
        """Cycles lost to misses by bursts of 0, 1, 2 ... calls, up to the trace's length."""
        price = hierarchy.penalty.of
        lost = [price(hierarchy.data.line) * n for n in self._fills(core, hierarchy.data, evicted)]
        cache = hierarchy.instruction
        if cache is None:
            return lost
        fetched = self._fills(core, cache, evicted, INSTRUCTIONS)
        return [data + price(cache.line) * n for data, n in zip(lost, fetched, strict=True)]

    def _fills(self, core: str, cache: Cache, evicted: float, kinds: int = DATA) -> tuple[int, ...]:
        if core not in self.traces:
            raise ValueError(f"there is no trace of {core}; traced are: {', '.join(self.traces)}")
        asked = (core, cache, evicted, kinds)
        if asked not in self._known:
            self._known[asked] = fills(
                self.traces[core], cache, kinds, evicted=evicted, seed=self.seed
            )
        return self._known[asked]

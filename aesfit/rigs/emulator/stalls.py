# SPDX-License-Identifier: MIT
"""What the caches of a platform add to a window: lines filled from memory, and their cycles.

The window starts cold: every line is another program's.  Loads and fetches that miss wait for the
whole line, stores too where they allocate; writing back is free.  Where the platform says that
stores go to the memory one by one, the window is replayed with their queue (caches/bus.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import _native
from ...caches import bus
from ...caches.cache import Cache, Penalty
from ...platforms.parts import Stores
from ...platforms.platform import Platform
from ..profile import Execution, executed_bytes
from .recording import Recording

if TYPE_CHECKING:  # they need the emulator's packages, which who asks for rows alone may lack
    from ..firing import Firing
    from .machine import Machine

_KINDS = {"instruction": 0b1001, "data": 0b0110, "unified": 0b1111}
"""Masks of the kinds of records (Machine.records) that go through a cache."""
COLD = "behind caches that are cold when the window starts, stalls included"
"""For `Provenance.memory`."""
_SEED = 0
"""Of random replacement: the same for every window."""


@dataclass(frozen=True)
class Stalls:
    """What a window lost to misses."""

    fills: tuple[tuple[str, int], ...]
    """Lines filled in each kind of cache."""
    cycles: int
    """Of all of them, and of stores where they cost any, rounded."""


def has_caches(platform: Platform) -> bool:
    """The platform's misses cost what its file says."""
    return bool(platform.caches) and platform.miss_penalty is not None


def too_large(platform: Platform, calls: Sequence[Execution]) -> str:
    """Says so where executed code does not fit an instruction cache that is counted as warm."""
    warm = [] if has_caches(platform) else platform.caches
    held = next((one.size for one in warm if one.kind != "data"), None)
    size = executed_bytes(block for one in calls for block in one.profile.blocks)
    if held is None or size <= held:
        return ""
    return (
        f"the {size} bytes of executed code are more than the instruction cache of {held} holds, "
        "and its misses are not counted"
    )


def simulator(cache: Cache, seed: int = _SEED) -> _native.CacheSimulator:
    """A platform's cache, cold."""
    made = _native.CacheSimulator(
        cache.size, cache.line, cache.ways, cache.replacement, seed, cache.write_allocate
    )
    made.evict(1.0, seed)
    return made


def stalls_of(machine: "Machine", firing: "Firing", number: int, ideal: int) -> Stalls:
    """Run once with the secrets of that number, the platform's caches cold before the window.

    `ideal`: the window's cycles without stalls.
    """
    platform = firing.job.platform
    penalty = platform.miss_penalty
    if penalty is None:
        raise ValueError(f"{platform.name} does not say what a miss costs: [miss_penalty]")
    recording = Recording(machine)
    firing.fire(recording, number)
    fills, cycles = [], 0.0
    for one in platform.caches:
        simulated = simulator(one)
        lines = sum(
            sum(simulated.run(recording.heard[name].records, _KINDS[one.kind])[2])
            for name in firing.window
        )
        fills.append((one.kind, lines))
        cycles += lines * penalty.of(one.line)
    if platform.stores is not None:
        records = b"".join(recording.heard[name].records for name in firing.window)
        cycles = replayed(records, platform, penalty, platform.stores, ideal) - ideal
    return Stalls(tuple(fills), round(cycles))


def replayed(
    records: bytes, platform: Platform, penalty: Penalty, stores: Stores, ideal: int
) -> float:
    """Cycles with stores that queue, from cold caches; ValueError where that is not simulated."""
    found = {one.kind: one for one in platform.caches}
    code, data = (found[kind] for kind in ("instruction", "data"))
    shared = bus.Bus(penalty.of(data.line), stores.cycles.value, int(stores.in_flight.value))
    return bus.replay(records, code, data, shared, ideal)

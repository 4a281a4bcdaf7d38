# SPDX-License-Identifier: MIT
"""The victim: a core on an emulated platform under one key, timed while it encrypts random texts.

Its data accesses come from the emulator, so no model stands between the core's code and the
addresses.  They go through the cache simulator one call after another, and before each call other
code evicts a fraction of the cache's lines.  A timing is E, the cycles of a call without misses,
plus the miss penalty for each line that the data cache fills.  Code is assumed to be cached, and
all texts use one buffer.  There is no other noise: an attacker on a real device needs more timings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..cachemodel.simulate import DATA
from ..cachemodel.versions import hierarchy
from ..jobs import message
from ..measuring import bursts
from ..measuring.trace import FETCH, SKIPPED, Span, Trace
from ..platforms.platform import Platform
from ..rigs.firing import Processor
from .conditions import Condition

Bytes = NDArray[np.uint8]
"""One row of 16 for each call."""
CHUNK = 2048
"""Calls emulated at a time."""
ACCESS = np.dtype([("address", "<u4"), ("size", "<u2"), ("kind", "<u2")])
"""A record of the tracer."""


@dataclass(frozen=True)
class Timed:
    """Timed calls: what an attacker sees."""

    plain: Bytes
    cipher: Bytes
    cycles: NDArray[np.float64]

    @classmethod
    def joined(cls, parts: Sequence["Timed"], many: int) -> "Timed":
        """The first calls of several chunks, joined."""
        plain, cipher, cycles = (
            np.concatenate([getattr(one, name) for one in parts])[:many]
            for name in ("plain", "cipher", "cycles")
        )
        return cls(plain, cipher, cycles)


@dataclass(frozen=True)
class Accesses:
    """Data accesses of calls, one row for each call; stack, keys, tables, streams."""

    plain: Bytes
    cipher: Bytes
    data: NDArray[np.void]
    """Of ACCESS."""
    tables: tuple[Span, ...]


@dataclass
class Victim:
    """A core on a platform under a key that an attacker does not know."""

    platform: Platform
    core: str
    key: bytes
    label: str
    """Seed of the texts."""
    machine: Processor
    _chunks: int = field(default=0, init=False)

    def accesses(self) -> Accesses:
        """The next CHUNK calls, over texts that were not used before."""
        calls = CHUNK + 1  # the last call includes the end of the loop, and is dropped
        text = message.made_up(f"leak {self.label} {self._chunks}", 16 * calls)
        self._chunks += 1
        job = bursts.burst_job(self.platform, self.core, 128, "encrypt-block", None, calls)
        run = bursts.prepare_texts(job, self.key, text, self.machine)
        trace = bursts.traced(run, calls)
        plain, cipher = (
            np.frombuffer(one, np.uint8).reshape(-1, 16)[:CHUNK] for one in (text, run.wanted)
        )
        return Accesses(plain, cipher, _data(self.core, trace), trace.tables)


class Clock:
    """Times a victim's calls one after another, behind a data cache shared with other code."""

    def __init__(self, victim: Victim, condition: Condition) -> None:
        """Begin with a cache that holds only other code's lines."""
        self._victim, self._share = victim, condition.evicted
        self.built = hierarchy(victim.platform)
        self.ideal = bursts.coefficients(victim.platform, victim.core).E
        self._seeds = np.random.default_rng(list(victim.key))
        cache = self.built.data
        self._cache = _native.CacheSimulator(
            cache.size, cache.line, cache.ways, cache.replacement, 0, cache.write_allocate
        )
        self._cache.evict(1.0)
        self._seen: list[Timed] = []

    def first(self, many: int) -> Timed:
        """The first so many calls."""
        while len(self._seen) * CHUNK < many:
            self._seen.append(self._next())
        return Timed.joined(self._seen, many)

    def _next(self) -> Timed:
        """The next CHUNK calls."""
        seen = self._victim.accesses()
        seeds = self._seeds.integers(1 << 62, size=CHUNK).tolist()
        fills = [
            self._fill(row.tobytes(), seed) for row, seed in zip(seen.data, seeds, strict=True)
        ]
        stalls = self.built.penalty.of(self.built.data.line) * np.array(fills, np.float64)
        return Timed(seen.plain, seen.cipher, self.ideal + stalls)

    def _fill(self, records: bytes, seed: int) -> int:
        """Lines filled by one call."""
        if self._share:
            self._cache.evict(self._share, seed)
        return self._cache.run(records, DATA)[2][0]


def _data(core: str, trace: Trace) -> NDArray[np.void]:
    """Data accesses of each call as a row; ValueError if calls differ in more than addresses."""
    calls = records_of(trace)[:-1]
    if len({len(one) for one in calls}) > 1:
        raise ValueError(f"{core} executes more for some texts, so it has no single E")
    every = np.stack(calls)
    kinds = every["kind"]
    if not (kinds == kinds[0]).all():
        raise ValueError(f"{core} executes different code for some texts, so it has no single E")
    data: NDArray[np.void] = every[:, ~np.isin(kinds[0], (FETCH, SKIPPED))]
    return data


def records_of(trace: Trace) -> list[NDArray[np.void]]:
    """Records of each call, with buffers moved to those of the first call."""
    records = np.frombuffer(trace.records, ACCESS).copy()
    address = records["address"]
    for stream in trace.streams:
        inside = (address >= stream.start) & (address < stream.start + stream.size)
        address[inside] = stream.start + (address[inside] - stream.start) % 16
    return np.split(records, trace.starts)[1:]


def victim(platform: Platform, core: str, number: int, machine: Processor | None = None) -> Victim:
    """The victim of a number; its key is pseudo-random, and the same in each run."""
    if not platform.emulated:
        raise ValueError(
            f"timings come from emulated platforms, and {platform.name} is none; see: "
            "aesfit platforms"
        )
    job = bursts.burst_job(platform, core, 128, "encrypt-block", None, CHUNK)
    made = machine or bursts.machine_for(job)
    key = message.made_up(f"leak key {number}", 16)
    return Victim(platform, core, key, f"{number}", made)


def under(one: Victim, key: bytes, label: str) -> Victim:
    """The same core in the same machine, under a key chosen by the attacker."""
    return replace(one, key=key, label=label)

# SPDX-License-Identifier: MIT
"""What the cache model and the simulator are asked, and what they answer.

A burst is a row of calls of one core's block function (or of a mode's message function) after
another program has had the caches.  Its time is the ideal time of the calls, an overhead paid once,
and the stalls of cache misses.  Source: Bertoni et al., "About the Performances of the Advanced
Encryption Standard in Embedded Systems with Cache Memory", section 4, with the repairs that
docs/cache-model.md derives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..caches.cache import Hierarchy


@dataclass(frozen=True)
class Lookup:
    """A table that a call reads at addresses that look random."""

    table: str
    size: int
    """Bytes."""
    reads: int
    """Per call."""
    address: int | None = None
    """Where it lies; None: not known."""
    at_once: bool = False
    """All reads of a call come in a row, as those of the last round do."""


@dataclass(frozen=True)
class Region:
    """Data used at the same addresses in each call: round keys, state, stack."""

    address: int
    size: int
    """Bytes."""
    touches: float = 1.0
    """How often a call comes back to each of its lines after other data; 0: key set-up alone."""
    moments: tuple[float, ...] = ()
    """When, as shares of the call's time; empty: evenly, `touches` times."""
    stored: bool = False
    """Never loaded."""


@dataclass(frozen=True)
class Version:
    """A core as the model sees it."""

    core: str
    cycles_per_call: float
    """E(v): ideal cycles of one call, no miss."""
    overhead: float
    """c(v): cycles paid once per burst: key set-up, loop; no miss."""
    lookups: tuple[Lookup, ...]
    fixed_bytes: int = 0
    """Data read or written at the same addresses in each call: keys, state, stack."""
    stream_bytes: int = 0
    """Data of each call at new addresses: its input and output."""
    code_bytes: int = 0
    """Instructions that a call executes."""
    fixed: tuple[Region, ...] = ()
    """The fixed bytes by address, where that is known."""
    setup: tuple[Lookup, ...] = ()
    """Tables that key set-up reads before the first call; `reads` is then per burst."""
    setup_code_bytes: int = 0
    """Instructions that key set-up executes and calls do not."""
    stored_bytes: int = 0
    """Of the stream bytes, what is stored and never loaded."""


@dataclass(frozen=True)
class Burst:
    """A row of calls, and what went before."""

    calls: int
    evicted: float = 1.0
    """Share, 0 to 1, of the cache's lines that others took since the last burst; 1: cold."""


@dataclass(frozen=True)
class Time:
    """Cycles of one burst."""

    calls: int
    ideal: float
    """calls * E + c."""
    stalls: float
    """Cycles lost to misses."""

    @property
    def total(self) -> float:
        """All cycles."""
        return self.ideal + self.stalls

    @property
    def per_call(self) -> float:
        """Cycles of one call, on average."""
        return self.total / self.calls if self.calls else self.total


class Estimator(Protocol):
    """The model or the simulator."""

    def times(self, version: Version, hierarchy: Hierarchy, bursts: Sequence[Burst]) -> list[Time]:
        """The time of each burst, on its own."""

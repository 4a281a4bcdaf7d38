# SPDX-License-Identifier: MIT
"""One design of a sweep, and designs that are evaluated together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ..caches.cache import Cache, Penalty
from ..jobs.job import Job
from ..platforms.platform import Platform
from ..store.contents import key

Method = Literal["model", "simulated", "measured", "synthesised"]
METHODS: tuple[Method, ...] = ("measured", "model", "simulated", "synthesised")

_MESSAGE_BYTES = 64
"""Of the message whose image tells the sizes, where bursts are asked."""
Figures = Mapping[str, Any]
"""Values by the names of columns (columns.py); columns that are left out are null."""


@dataclass(frozen=True)
class SweepPoint:
    """One design and how its figures are had."""

    method: Method
    platform: str
    core: str
    key_bits: int
    op: str
    mode: str | None = None
    bytes: int | None = None
    """Payload of one message; None where no mode is used."""
    flags: str | None = None
    """Optimisation flags of the compiler; None where nothing is compiled for a design."""
    ghash: str | None = None
    """Multiplier, where the mode is GCM."""
    cache: Cache | None = None
    """Data cache; None, like all that follows, where the method is "measured"."""
    penalty: Penalty | None = None
    calls: int | None = None
    """Of one burst."""
    evicted: float | None = None
    """Share, 0 to 1, of the cache that others take between bursts."""
    family: str | None = None
    """FPGA family, where the method is "synthesised"."""

    @cached_property
    def key(self) -> str:
        """Digest that names this design, today and in versions that have more columns."""
        told = {name: cell for name, cell in self.columns().items() if cell is not None}
        return key("point", told)[:32]

    @property
    def kin(self) -> "SweepPoint":
        """What is compiled and run once for many points: this one without cache and burst."""
        return SweepPoint(
            *(self.method, self.platform, self.core, self.key_bits, self.op, self.mode),
            *(self.bytes, self.flags, self.ghash),
            family=self.family,
        )

    def job(self, platform: Platform) -> Job:
        """The measurement that tells sizes, and on "measured" all figures."""
        return Job(
            platform,
            self.core,
            self.key_bits,
            self.op,
            mode=self.mode,
            bytes=_MESSAGE_BYTES if self.mode and self.bytes is None else self.bytes,
            flags=None if self.flags is None else tuple(self.flags.split()),
            ghash=self.ghash or "shift32",
        )

    def columns(self) -> dict[str, Any]:
        """The columns that say which design this is, but `key`."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _SAME}
        if self.cache:
            found |= {
                "cache_bytes": self.cache.size,
                "line_bytes": self.cache.line,
                "ways": self.cache.ways,
                "replacement": self.cache.replacement,
                "write_allocate": self.cache.write_allocate,
            }
        if self.penalty:
            found |= {
                "miss_base": self.penalty.base,
                "miss_per_byte": self.penalty.per_byte,
                "critical_word_first": self.penalty.critical_word_first,
            }
        return found


_SAME = (
    *("method", "platform", "core", "key_bits", "op", "mode", "bytes", "flags", "ghash"),
    *("calls", "evicted", "family"),
)


@dataclass(frozen=True)
class Chunk:
    """Points of one kin on one platform: what one process does at a time."""

    platform: Platform
    points: tuple[SweepPoint, ...]
    inputs: str
    """Digest of all that their figures hang on."""
    trusted: bool = False
    """Whether its user trusts the files behind it with any compiler and flag."""


Evaluator = Callable[[Platform, Sequence[SweepPoint]], list[Figures]]
"""Figures of points of one kin, in order.  A point that fails has the column `error` alone; an
exception fails them all."""

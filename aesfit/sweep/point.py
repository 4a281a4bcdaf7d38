# SPDX-License-Identifier: MIT
"""One design of a sweep, and groups of designs that are evaluated together."""

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
"""Payload of the message whose image gives the sizes, if the question is about bursts."""
Figures = Mapping[str, Any]
"""Values by the names of columns (columns.py); columns that are left out are null."""


@dataclass(frozen=True)
class SweepPoint:
    """One design, and the method for its figures."""

    method: Method
    platform: str
    core: str
    key_bits: int
    op: str
    mode: str | None = None
    bytes: int | None = None
    """Payload of one message; None without a mode."""
    flags: str | None = None
    """Optimisation flags of the compiler; None if nothing is compiled."""
    ghash: str | None = None
    """GHASH multiplier, if the mode is GCM."""
    cache: Cache | None = None
    """Data cache; None, like all fields below, if the method is "measured"."""
    penalty: Penalty | None = None
    calls: int | None = None
    """Calls of one burst."""
    evicted: float | None = None
    """Fraction of cache lines evicted between bursts, 0 to 1."""
    family: str | None = None
    """FPGA family, if the method is "synthesised"."""

    @cached_property
    def key(self) -> str:
        """Digest that identifies this design, also in later versions with more columns."""
        told = {name: cell for name, cell in self.columns().items() if cell is not None}
        return key("point", told)[:32]

    @property
    def kin(self) -> "SweepPoint":
        """The point without cache and burst: what is compiled and run once for many points."""
        return SweepPoint(
            *(self.method, self.platform, self.core, self.key_bits, self.op, self.mode),
            *(self.bytes, self.flags, self.ghash),
            family=self.family,
        )

    def job(self, platform: Platform) -> Job:
        """The job that gives the sizes, and for "measured" all figures."""
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
        """The columns that identify this design, without `key`."""
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
    """Points of one kin on one platform, evaluated together by one process."""

    platform: Platform
    points: tuple[SweepPoint, ...]
    inputs: str
    """Digest of everything that their figures depend on."""
    trusted: bool = False
    """Whether the user allows any compiler and flag that the files name."""


Evaluator = Callable[[Platform, Sequence[SweepPoint]], list[Figures]]
"""Figures of points of one kin, in order.  A failed point has only the column `error`; an exception
fails them all."""

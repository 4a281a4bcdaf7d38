# SPDX-License-Identifier: MIT
"""A cache, what a miss costs, and the caches that a program meets."""

from dataclasses import dataclass
from typing import Literal

CacheKind = Literal["instruction", "data", "unified"]
Replacement = Literal["lru", "fifo", "random"]


@dataclass(frozen=True)
class Cache:
    """A set-associative cache."""

    size: int
    """Bytes."""
    line: int
    """Bytes, a power of two."""
    ways: int
    replacement: Replacement = "lru"
    write_allocate: bool = True
    """A store that misses fills its line; else it bypasses the cache at no cost."""
    kind: CacheKind = "data"

    @property
    def sets(self) -> int:
        """Number of sets."""
        return self.size // (self.line * self.ways)


def sets_of(cache: Cache) -> int:
    """Sets of a cache; ValueError in one sentence where its geometry makes no sense."""
    if cache.line < 1 or cache.line & (cache.line - 1):
        raise ValueError(f"a line of {cache.line} bytes is no power of two")
    if cache.ways < 1:
        raise ValueError(f"a cache has at least 1 way, not {cache.ways}")
    if cache.size < cache.line * cache.ways:
        raise ValueError(
            f"a cache of {cache.size} bytes is smaller than one set of {cache.ways} lines of "
            f"{cache.line} bytes"
        )
    if cache.size % (cache.line * cache.ways):
        raise ValueError(
            f"{cache.ways} ways of lines of {cache.line} bytes do not divide {cache.size} bytes"
        )
    if cache.sets & (cache.sets - 1):
        raise ValueError(f"a cache of {cache.sets} sets cannot be indexed by address bits")
    return cache.sets


@dataclass(frozen=True)
class Penalty:
    """Cycles that one miss costs: base + per_byte * bytes of a line."""

    base: float
    per_byte: float
    critical_word_first: bool = False
    """The word that missed comes first, so `base` alone stalls the first access."""

    def of(self, line: int) -> float:
        """Cycles of a miss that fills a line of that many bytes."""
        return self.base if self.critical_word_first else self.base + self.per_byte * line


@dataclass(frozen=True)
class Hierarchy:
    """The memories that a burst meets."""

    data: Cache
    penalty: Penalty
    instruction: Cache | None = None
    """None: code is always at hand."""

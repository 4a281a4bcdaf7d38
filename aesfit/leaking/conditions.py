# SPDX-License-Identifier: MIT
"""What the data cache holds when a call begins."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """What other code does to the data cache before each call."""

    name: str
    evicted: float
    """Fraction of the cache's lines that it evicts, chosen at random."""
    told: str
    """The condition in words, to follow "if"."""


COLD = Condition("cold", 1.0, "caches are cold before each call")
HALF = Condition("half-evicted", 0.5, "half of the cache is evicted before each call")
WARM = Condition("warm", 0.0, "nothing else uses the cache between calls")
EMPTY = Condition("empty-buffers", 1.0, "the buffers of the flash are empty before each call")
CACHED = (COLD, HALF, WARM)
"""Conditions of platforms with a data cache."""
CONDITIONS = (*CACHED, EMPTY)

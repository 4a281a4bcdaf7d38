# SPDX-License-Identifier: MIT
"""The mean time of a packet in a mix of packet sizes with a new key every so many packets.

It follows from the time of a burst: each packet is a burst of its own, other code runs in between,
and one packet in K pays the cycles and misses of key set-up.  Padding is counted as a whole block.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..caches.cache import Hierarchy
from .analytic import totals
from .question import Version

_BLOCK = 16


@dataclass(frozen=True)
class Packets:
    """The packets that are sent."""

    sizes: tuple[tuple[int, float], ...]
    """Payload bytes and relative frequency of each size."""
    per_key: int | None = 1
    """Packets under one key; None: the key never changes."""

    @property
    def mean_bytes(self) -> float:
        """Payload of a packet on average."""
        whole = sum(share for _, share in self.sizes)
        return sum(size * share for size, share in self.sizes) / whole


def under_same_key(version: Version, setup_cycles: float) -> Version:
    """The version without its key set-up, which takes `setup_cycles` of its overhead."""
    return replace(
        version,
        overhead=version.overhead - setup_cycles,
        setup=(),
        setup_code_bytes=0,
        fixed=tuple(one for one in version.fixed if one.moments or one.touches),
    )


def cycles_per_packet(
    version: Version,
    setup_cycles: float,
    hierarchy: Hierarchy,
    packets: Packets,
    evicted: float = 1.0,
) -> float:
    """Mean cycles of a packet; `setup_cycles`: of the version's overhead, what a new key costs."""
    sizes: Sequence[int] = [size for size, _ in packets.sizes]
    shares = np.array([share for _, share in packets.sizes])
    blocks = np.array([-(-size // _BLOCK) for size in sizes], dtype=np.float64)
    fresh = 0.0 if packets.per_key is None else 1.0 / packets.per_key
    first = totals(version, hierarchy, blocks, evicted)
    later = totals(under_same_key(version, setup_cycles), hierarchy, blocks, evicted)
    mixed = fresh * first + (1.0 - fresh) * later
    return float(mixed @ shares / shares.sum())

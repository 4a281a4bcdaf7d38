# SPDX-License-Identifier: MIT
"""Pareto fronts: points that no other point dominates."""

from collections.abc import Sequence


def front(costs: Sequence[tuple[float, ...]]) -> list[int]:
    """Ascending indices of points that no other beats; less is better in every component.

    One beats another if it is as good everywhere and better somewhere; so equal points stay.
    """
    kept: list[tuple[float, ...]] = []
    # In this order a point comes after those that beat it.  A dropped point was beaten by a kept
    # one, which beats all that the dropped one beats, so comparing with the kept ones is enough.
    for cost in sorted(set(costs)):
        if not any(all(a <= b for a, b in zip(one, cost, strict=True)) for one in kept):
            kept.append(cost)
    best = set(kept)
    return [at for at, cost in enumerate(costs) if cost in best]

# SPDX-License-Identifier: MIT
"""Pareto fronts: what nothing else beats."""

from collections.abc import Sequence


def front(costs: Sequence[tuple[float, ...]]) -> list[int]:
    """Indices, ascending, of those that no other beats; less is better in every place.

    One beats another when it is as good everywhere and better somewhere; so equals stay together.
    """
    kept: list[tuple[float, ...]] = []
    # In this order what beats another comes before it, and what was dropped is beaten by one that
    # was kept, which beats all that the dropped one would: comparing with the kept is enough.
    for cost in sorted(set(costs)):
        if not any(all(a <= b for a, b in zip(one, cost, strict=True)) for one in kept):
            kept.append(cost)
    best = set(kept)
    return [at for at, cost in enumerate(costs) if cost in best]

# SPDX-License-Identifier: MIT
"""Which cores of an answer are shown first."""

from math import inf

from .pareto import front
from .ranking import Choice, Dropped, excess


def trades(choice: Choice) -> frozenset[str]:
    """Cores that no other beats in cycles, flash, RAM and kind of timing at once.

    Of several that cost the same, the first.
    """
    costs = [
        (one.row.cycles, one.row.flash_bytes, one.row.ram_bytes, one.row.secrecy.place)
        for one in choice.ranking
    ]
    found = {costs[at]: choice.ranking[at].name for at in reversed(front(costs))}
    return frozenset(found.values())


def dropped_by_reason(choice: Choice) -> list[tuple[str, str]]:
    """A core that was dropped, with the number of others for the same reason, and the reason.

    First those nearest to the limits, last those that could not be measured.
    """

    def distance(one: Dropped) -> tuple[float, ...]:
        found = one.candidate
        return (inf,) if found is None else excess(choice.request.limits, found.row)

    by_reason: dict[str, list[str]] = {}
    for one in sorted(choice.dropped, key=distance):
        by_reason.setdefault(one.reason, []).append(one.core)
    return [
        (first + (f" and {len(more)} more" if more else ""), reason)
        for reason, (first, *more) in by_reason.items()
    ]

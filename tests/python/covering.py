# SPDX-License-Identifier: MIT
"""Few cases of a product in which all that matters still comes up, chosen by a rule."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Case = TypeVar("Case")
Traits = Callable[[Case], Iterable[Hashable]]


def covering(cases: Sequence[Case], traits: Traits[Case]) -> tuple[Case, ...]:
    """Cases that have every trait that any case has.

    Each one adds the most traits that are still missing, the first of equals.
    """
    told = [frozenset(traits(case)) for case in cases]
    missing = frozenset[Hashable]().union(*told)
    chosen = []
    while missing:
        best = max(range(len(cases)), key=lambda at: len(told[at] & missing))
        missing -= told[best]
        chosen.append(best)
    return tuple(cases[at] for at in sorted(chosen))

# SPDX-License-Identifier: MIT
"""Few cases of a product in which all that matters still comes up, chosen by a rule."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Case = TypeVar("Case")
Traits = Callable[[Case], Iterable[Hashable]]
Axes = Callable[[Case], Mapping[str, Hashable]]


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


def thinned(cases: Sequence[Case], axes: Axes[Case], one_in: int) -> tuple[Case, ...]:
    """One in `one_in` of the cases that cover all values of all axes, with all of each short axis.

    A stride may meet the same value of a short axis again and again.  So if an axis has no more
    values than there are cases left, cases are added for the values that it lost.
    """
    told = [frozenset(axes(case).items()) for case in cases]
    covered = covering(range(len(cases)), lambda at: told[at])
    kept = covered[::one_in]
    met = frozenset[tuple[str, Hashable]]().union(*(told[at] for at in kept))
    lost = frozenset[tuple[str, Hashable]]().union(*told) - met
    short = _short_axes(told, len(kept))
    again = covering(covered, lambda at: {trait for trait in told[at] & lost if trait[0] in short})
    return tuple(cases[at] for at in sorted({*kept, *again}))


def _short_axes(told: Iterable[Iterable[tuple[str, Hashable]]], most: int) -> set[str]:
    """Axes with at most so many values."""
    values: dict[str, set[Hashable]] = {}
    for traits in told:
        for axis, value in traits:
            values.setdefault(axis, set()).add(value)
    return {axis for axis, found in values.items() if len(found) <= most}

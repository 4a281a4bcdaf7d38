# SPDX-License-Identifier: MIT
"""Where a claim holds and where not, and the smallest change that turns it.

A place is named by its parts, such as "arm9tdmi, -O2", of the kinds in axes.py.  A change is one
part of a place that becomes another of its kind: the level of the compiler is the smallest, then
the compiler, the memory, a size, the processor, and what is neither.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from .axes import AXES, COMPILERS, SIZED, Axis, amount, changed
from .contract import LEFT_OUT, OUR_CODE
from .rule import Word

Holding = Mapping[str, bool]
"""By place: whether the claim holds there."""


@dataclass(frozen=True)
class Turn:
    """The smallest change of its kind that turns a claim."""

    place: str
    holds: bool
    """Whether the claim holds before the change."""
    before: str
    after: str
    axis: Axis
    """The kind of the change."""

    @property
    def sized(self) -> bool:
        """Whether it is a change of the memory, of a cache or of a size."""
        return self.axis in SIZED

    @property
    def told(self) -> str:
        """As a sentence."""
        word = "stops holding" if self.holds else "begins to hold"
        at = f" ({self.place})" if self.place else ""
        return f"{word} with {self.after} instead of {self.before}{at}"


def holding(words: Mapping[str, Word]) -> dict[str, bool]:
    """From verdicts in places."""
    return {place: told == "holds" for place, told in words.items()}


def turns(judged: Holding, every: Holding) -> tuple[Turn, ...]:
    """For each kind of change, the smallest that turns a verdict; the smallest kind first.

    A change turns one part of a judged place.  `every` are all places that were tried, judged or
    only shown.
    """
    turning: dict[Axis, list[tuple[float, str, bool, str, str]]] = {}
    for place, other, before, after, kind in _changes(judged, every):
        if every[other] != judged[place]:
            found = (amount(before, after), place, judged[place], before, after)
            turning.setdefault(kind, []).append(found)
    return tuple(_turn(kind, *min(turning[kind])[1:]) for kind in AXES if kind in turning)


def _turn(kind: Axis, place: str, held: bool, before: str, after: str) -> Turn:
    kept = ", ".join(part for part in place.split(", ") if part not in (before, *COMPILERS))
    return Turn(kept, held, before, after, kind)


def tried(judged: Holding, every: Holding) -> dict[Axis, int]:
    """Number of pairs of places, one of them judged, that differ in one part, by its kind."""
    pairs = {
        frozenset((place, other)): kind for place, other, _, _, kind in _changes(judged, every)
    }
    counts = Counter(pairs.values())
    return {kind: counts[kind] for kind in AXES if counts[kind]}


def _changes(judged: Holding, every: Holding) -> Iterator[tuple[str, str, str, str, Axis]]:
    """A judged place, another that differs from it in one part, the two parts and their kind."""
    for place, other in product(judged, every):
        for parts in _difference(place, other):
            yield place, other, *parts


def _difference(place: str, other: str) -> Iterator[tuple[str, str, Axis]]:
    """The part that differs, if it is one and of the same kind."""
    one, two = place.split(", "), other.split(", ")
    if len(one) != len(two) or OUR_CODE in two or LEFT_OUT in two:
        return
    apart = [(a, b) for a, b in zip(one, two, strict=True) if a != b]
    if len(apart) == 1 and (kind := changed(*apart[0])):
        yield *apart[0], kind


def by_compilers(gcc: Holding, clang: Holding) -> dict[str, bool]:
    """Places of both compilers, with the compiler as a part of each."""
    both = zip(COMPILERS, (gcc, clang), strict=True)
    return {f"{at}, {name}": held for name, some in both for at, held in some.items()}

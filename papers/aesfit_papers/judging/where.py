# SPDX-License-Identifier: MIT
"""Where a claim holds and where not, and the smallest change that turns it.

A change is one part of a place that becomes another of its kind: the level of the compiler is the
smallest, then the compiler, the memory, a size, the processor, and what is neither.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import inf, log

from .contract import LEFT_OUT, OUR_CODE
from .place import AXES, SIZED, Axis, ClaimPlace, PlacePart, told
from .places import LEVELS
from .rule import Word

COMPILERS = ("gcc", "clang")
Holding = Mapping[ClaimPlace, bool]
"""By place: whether the claim holds there."""


@dataclass(frozen=True)
class Turn:
    """The smallest change of its kind that turns a claim."""

    place: ClaimPlace
    """What both have beside the change, without the compiler."""
    holds: bool
    """Whether the claim holds before the change."""
    before: PlacePart
    after: PlacePart
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
        at = f" ({self.place})" if self.place.parts else ""
        return f"{word} with {self.after.text} instead of {self.before.text}{at}"


def holding(words: Mapping[ClaimPlace, Word]) -> dict[ClaimPlace, bool]:
    """From verdicts in places."""
    return {place: word == "holds" for place, word in words.items()}


def turns(judged: Holding, every: Holding) -> tuple[Turn, ...]:
    """For each kind of change, the smallest that turns a verdict; the smallest kind first.

    A change turns one part of a judged place.  `every` are all places that were tried, judged or
    only shown.
    """
    turning: dict[Axis, list[Turn]] = {}
    for other, one in _changes(judged, every):
        if every[other] != one.holds:
            turning.setdefault(one.axis, []).append(one)
    least = (min(turning[kind], key=_order) for kind in AXES if kind in turning)
    return tuple(
        replace(one, place=one.place.without(one.before.text, *COMPILERS)) for one in least
    )


def _order(one: Turn) -> tuple[float, str, bool, str, str]:
    """The smallest change first."""
    amount = _amount(one.before, one.after)
    return amount, str(one.place), one.holds, one.before.text, one.after.text


def _amount(before: PlacePart, after: PlacePart) -> float:
    """How large a change of one part is: steps between levels, or the ratio of two numbers.

    A change that is not of a number alone is larger than all that are.
    """
    if before.axis == "level":
        return abs(LEVELS.index(before.text) - LEVELS.index(after.text))
    if before.number is None or after.number is None or before.form != after.form:
        return inf
    return abs(log((before.number + 1) / (after.number + 1)))


def tried(judged: Holding, every: Holding) -> dict[Axis, int]:
    """Number of pairs of places, one of them judged, that differ in one part, by its kind."""
    pairs = {frozenset((one.place, other)): one.axis for other, one in _changes(judged, every)}
    counts = Counter(pairs.values())
    return {kind: counts[kind] for kind in AXES if counts[kind]}


def _changes(judged: Holding, every: Holding) -> Iterator[tuple[ClaimPlace, Turn]]:
    """A change of one part of a judged place, with the place that it makes."""
    for (place, held), other in product(judged.items(), every):
        if len(place.parts) == len(other.parts) and not (OUR_CODE in other or LEFT_OUT in other):
            apart = [(a, b) for a, b in zip(place.parts, other.parts, strict=True) if a != b]
            if len(apart) == 1 and (kind := _changed(*apart[0])):
                yield other, Turn(place, held, *apart[0], kind)


def _changed(before: PlacePart, after: PlacePart) -> Axis | None:
    """The kind of a change of one part into another; None if more than one thing changes.

    From "logo 200" to "gradient 200" the picture changes and not its size.
    """
    kind = before.axis
    if kind != after.axis:
        return None
    if kind not in SIZED or before.form == after.form:
        return kind
    if before.number is None or after.number is None:
        return kind if before.number is after.number else None
    return "other" if before.number == after.number else None


def by_compilers(gcc: Holding, clang: Holding) -> dict[ClaimPlace, bool]:
    """Places of both compilers, with the compiler as a part of each."""
    both = zip(COMPILERS, (gcc, clang), strict=True)
    return {at + told(name, "compiler"): held for name, some in both for at, held in some.items()}

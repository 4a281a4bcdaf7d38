# SPDX-License-Identifier: MIT
"""Where a claim holds and where not, in words, and the smallest change that turns it.

A place is named by its parts, such as "arm9tdmi, -O2"; the map asks which parts tell the places
where a claim holds from the others.  A change is one part of a place that becomes another: the
level of the compiler is the smallest, then the compiler, the memory or a size, and the processor.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log

from .contract import LEFT_OUT, OUR_CODE
from .places import RELEASE
from .rule import Word

_LEVELS = ("-O0", *RELEASE)
_COMPILERS = ("gcc", "clang")
_NUMBER = re.compile(r"(?<![\w.])(\d[\d,.]*)")
_MEMORY = ("wait state", "way", "KiB", "line")
_SIZED = (2, 3)
"""Kinds of changes with an amount: of the memory and of other sizes."""
_MOST_TERMS = 4
"""Terms in words; with more, places are counted."""
_Condition = frozenset[str]
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
    sized: bool = False
    """Whether it is a change of the memory, of a cache or of a size."""

    @property
    def told(self) -> str:
        """As a sentence."""
        word = "stops holding" if self.holds else "begins to hold"
        at = f" ({self.place})" if self.place else ""
        return f"{word} with {self.after} instead of {self.before}{at}"


def holding(words: Mapping[str, Word]) -> dict[str, bool]:
    """From verdicts in places."""
    return {place: told == "holds" for place, told in words.items()}


def told_where(places: Holding) -> str:
    """As "holds on all but arm9tdmi at -O2"; where no parts tell them apart, a number of places."""
    if not places:
        return "no place can test it"
    good = {place for place, held in places.items() if held}
    bad = set(places) - good
    if not bad:
        return f"holds in all {len(good)} places" if len(good) > 1 else "holds in the only place"
    if not good:
        return f"holds in none of {len(bad)} places" if len(bad) > 1 else "fails in the only place"
    told = [
        (len(terms), len(" ".join(terms)), f"holds {word} {_listed(terms, last)}")
        for word, last, some, others in (
            ("on all but", "and", bad, good),
            ("only on", "or", good, bad),
        )
        if (terms := _terms(some, others)) is not None
    ]
    return min(told)[2] if told else f"holds in {len(good)} of {len(places)} places"


def _terms(some: set[str], others: set[str]) -> list[str] | None:
    """The fewest conditions that all of `some` and none of `others` meet; None if too many."""
    split = {place: frozenset(place.split(", ")) for place in some | others}
    conditions = {
        frozenset(chosen)
        for place in some
        for many in (1, 2, len(split[place]))
        for chosen in combinations(sorted(split[place]), min(many, len(split[place])))
    }
    met = {
        one: {place for place, parts in split.items() if one <= parts}
        for one in sorted(conditions, key=lambda each: (len(each), sorted(each)))
    }
    fitting = {one: places for one, places in met.items() if places <= some}
    left = set(some)
    terms: list[str] = []
    while left and len(terms) < _MOST_TERMS:
        best = max(fitting, key=lambda one: (len(fitting[one] & left), -len(one)), default=None)
        if best is None or not fitting[best] & left:
            return None
        left -= fitting[best]
        terms.append(_joined(best))
    return None if left else terms


def _joined(condition: _Condition) -> str:
    """Words first, sizes then, and the level last: "arm9tdmi at -O2"."""
    parts = sorted(condition - {*_LEVELS}, key=lambda part: (_NUMBER.match(part) is not None, part))
    levels = sorted(condition & {*_LEVELS})
    return " at ".join(text for text in (", ".join(parts), *levels) if text)


def _listed(terms: Sequence[str], last: str) -> str:
    """A place of any one term is meant, and so the last is joined by "or" after "only"."""
    comma = "; " if any("," in term for term in terms) else ", "
    return f"{comma.join(terms[:-1])} {last} {terms[-1]}" if len(terms) > 1 else terms[0]


def turns(judged: Holding, every: Holding) -> tuple[Turn, ...]:
    """For each kind of change, the smallest that turns a verdict; the smallest kind first.

    A change turns one part of a judged place.  `every` are all places that were tried, judged or
    only shown.
    """
    turning: dict[int, list[tuple[float, str, bool, str, str]]] = {}
    for place, other, parts in _changes(judged, every):
        if every[other] != judged[place]:
            kind, amount = _size(*parts)
            turning.setdefault(kind, []).append((amount, place, judged[place], *parts))
    return tuple(_turn(kind, *min(some)[1:]) for kind, some in sorted(turning.items()))


def _turn(kind: int, place: str, held: bool, before: str, after: str) -> Turn:
    kept = ", ".join(part for part in place.split(", ") if part not in (before, *_COMPILERS))
    return Turn(kept, held, before, after, kind in _SIZED)


def tried(judged: Holding, every: Holding) -> int:
    """Number of pairs of places, one of them judged, that differ in one part."""
    return len({frozenset((place, other)) for place, other, _ in _changes(judged, every)})


def _changes(judged: Holding, every: Holding) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """A judged place, another that differs from it in one part, and the two parts."""
    for place, other in product(judged, every):
        for parts in _difference(place, other):
            yield place, other, parts


def _difference(place: str, other: str) -> Iterator[tuple[str, str]]:
    """The part that differs, if it is one and of the same kind."""
    one, two = place.split(", "), other.split(", ")
    if len(one) != len(two) or OUR_CODE in two or LEFT_OUT in two:
        return
    apart = [(a, b) for a, b in zip(one, two, strict=True) if a != b]
    if len(apart) == 1 and _axis(apart[0][0]) == _axis(apart[0][1]):
        yield apart[0]


def _axis(part: str) -> int:
    """The kind of a part; smaller kinds are smaller changes."""
    tests: Sequence[Callable[[str], object]] = (
        _LEVELS.__contains__,
        _COMPILERS.__contains__,
        lambda one: _NUMBER.search(one) and any(word in one for word in _MEMORY),
        _NUMBER.match,
    )
    return next((at for at, test in enumerate(tests) if test(part)), len(tests))


def _size(before: str, after: str) -> tuple[int, float]:
    """How large a change is, by its kind and then by its amount."""
    axis = _axis(before)
    if axis == 0:
        return axis, abs(_LEVELS.index(before) - _LEVELS.index(after))
    numbers = [_first_number(part) for part in (before, after)]
    if axis in _SIZED:
        return axis, abs(log((numbers[0] + 1) / (numbers[1] + 1)))
    return axis, 0.0


def _first_number(part: str) -> float:
    found = _NUMBER.search(part)
    return float(found[1].replace(",", "").rstrip(".")) if found else 0.0


def by_compilers(gcc: Holding, clang: Holding) -> dict[str, bool]:
    """Places of both compilers, with the compiler as a part of each."""
    both = zip(_COMPILERS, (gcc, clang), strict=True)
    return {f"{at}, {name}": held for name, some in both for at, held in some.items()}

# SPDX-License-Identifier: MIT
"""Where a claim holds in words: the parts that tell those places from the others, or counts.

"holds on all but arm9tdmi at -O2", "holds only on 8 to 14 wait states at -O2"; where no few parts
tell places apart, "holds in 26 of 54 places: at -Os 11 of 18, at -O2 15 of 18, at -O3 none of 18".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from .axes import AXES, LEVELS, SIZED, Axis, axis, family, number, number_text, with_number
from .where import Holding

_MOST_TERMS = 4
"""Terms in words; with more, places are counted."""
_MOST_GROUPS = 6
"""Groups in which places are counted."""
_Condition = frozenset[str]
_Parts = Mapping[str, frozenset[str]]


def told_where(places: Holding, verb: str = "holds") -> str:
    """As "holds on all but arm9tdmi at -O2"; where no parts tell them apart, numbers of places.

    `verb` may be "would hold", and then the places where it would are named if they can be.
    """
    if not places:
        return "no place can test it"
    good = {place for place, held in places.items() if held}
    bad = set(places) - good
    if not bad:
        return f"{verb} in all {len(good)} places" if len(good) > 1 else f"{verb} in the only place"
    if not good:
        one = "fails in the only place" if verb == "holds" else "would fail in the only place"
        return f"{verb} in none of {len(bad)} places" if len(bad) > 1 else one
    told = [
        (verb != "holds" and word != "only on", len(terms), len(" ".join(terms)),
         f"{verb} {word} {_listed(terms, last)}")
        for word, last, some, others in (
            ("on all but", "and", bad, good),
            ("only on", "or", good, bad),
        )
        if (terms := _terms(some, others)) is not None
    ]  # fmt: skip
    counted = f"{verb} in {len(good)} of {len(places)} places"
    return min(told)[-1] if told else counted + _by_groups(places)


def _terms(some: set[str], others: set[str]) -> list[str] | None:
    """The fewest conditions that all of `some` and none of `others` meet; None if too many."""
    split = {place: frozenset(place.split(", ")) for place in some | others}
    met, known = _with_ranges(split), frozenset().union(*split.values())
    fitting = {
        one: places
        for one in _conditions(some, split, met)
        if (places := {place for place, parts in met.items() if one <= parts}) <= some
    }
    levelled = {one: places for one, places in fitting.items() if one & {*LEVELS}}
    chosen = [terms for each in (fitting, levelled) if (terms := _chosen(some, each))]
    ranged = chosen and any(part not in known for one in chosen[0] for part in one)
    if ranged and len(known & {*LEVELS}) > 1:
        chosen.reverse()  # of ranges, those of each level are clearer than those that overlap
    return _merged(min(chosen, key=len)) if chosen else None


def _chosen(some: set[str], fitting: Mapping[_Condition, set[str]]) -> list[_Condition]:
    """Conditions that together are met by all of `some`; none if they are too many."""
    left, terms = set(some), list[_Condition]()
    while left and len(terms) < _MOST_TERMS:
        best = max(fitting, key=lambda one: (len(fitting[one] & left), -len(one)), default=None)
        if best is None or not fitting[best] & left:
            return []
        left -= fitting[best]
        terms.append(best)
    return [] if left else terms


def _merged(terms: Sequence[_Condition]) -> list[str]:
    """In words; those that differ in the level alone are one: "rv32i at -Os and -O2"."""
    levels: dict[_Condition, list[str]] = {}
    for one in terms:
        levels.setdefault(one - {*LEVELS}, []).extend(one & {*LEVELS})
    told = []
    for rest, some in levels.items():
        if rest and some:
            told.append(f"{_joined(rest)} at {' and '.join(sorted(some, key=LEVELS.index))}")
        else:
            told += [_joined(rest)] if rest else some
    return told


def _conditions(some: set[str], split: _Parts, met: _Parts) -> list[_Condition]:
    """One or two parts or ranges of a place, or all of its parts."""
    made = {
        frozenset(chosen)
        for place in some
        for many in (1, 2)
        for chosen in combinations(sorted(met[place]), many)
    }
    made |= {split[place] for place in some}
    return sorted(made, key=lambda each: (len(each), sorted(each)))


def _with_ranges(split: _Parts) -> dict[str, frozenset[str]]:
    """The parts of each place, and the ranges of amounts that it is in: "8 to 14 wait states"."""
    of: dict[str, list[str]] = {}
    for family_parts in _families(split):
        for first, last in combinations(range(len(family_parts)), 2):
            if last - first + 1 < len(family_parts):
                text = _range(family_parts[first], family_parts[last])
                for part in family_parts[first : last + 1]:
                    of.setdefault(part, []).append(text)
    return {
        place: parts.union(*(of.get(part, ()) for part in parts)) for place, parts in split.items()
    }


def _families(split: _Parts) -> Iterator[list[str]]:
    """Parts that differ in an amount of memory or size alone, by amount."""
    by_family: dict[str, set[str]] = {}
    for part in frozenset().union(*split.values()):
        if axis(part) in SIZED and number(part) is not None:
            by_family.setdefault(family(part), set()).add(part)
    for some in by_family.values():
        yield sorted(some, key=lambda part: number(part) or 0)


def _range(first: str, last: str) -> str:
    return with_number(last, f"{number_text(first)} to {number_text(last)}")


def _joined(condition: _Condition) -> str:
    """Words first, sizes then, and the level last: "arm9tdmi at -O2"."""
    parts = sorted(condition - {*LEVELS}, key=lambda part: (part[0].isdigit(), part))
    return " at ".join(text for text in (", ".join(parts), *(condition & {*LEVELS})) if text)


def _listed(terms: Sequence[str], last: str) -> str:
    """A place of any one term is meant, and so the last is joined by "or" after "only"."""
    comma = "; " if any("," in term for term in terms) else ", "
    return f"{comma.join(terms[:-1])} {last} {terms[-1]}" if len(terms) > 1 else terms[0]


def _by_groups(places: Holding) -> str:
    """Counts by the parts that tell the places apart best; empty if nothing groups them."""
    groupings = [groups for key in _keys(places) if (groups := _grouped(places, key))]
    if not groupings:
        return ""
    best = max(groupings, key=_told_apart)
    told = [f"{'at' if name in LEVELS else 'on'} {name} {_of(held)}" for name, held in best.items()]
    return f": {', '.join(told)}"


def _keys(places: Holding) -> Iterator[Callable[[str], str]]:
    """By the parts of each kind, the level first, and by each position of a part."""
    yield from (partial(_of_kind, kind) for kind in AXES)
    lengths = {len(place.split(", ")) for place in places}
    if len(lengths) == 1:
        yield from (partial(_at, position) for position in range(lengths.pop()))


def _of_kind(kind: Axis, place: str) -> str:
    return ", ".join(part for part in place.split(", ") if axis(part) == kind)


def _at(position: int, place: str) -> str:
    return place.split(", ")[position]


def _grouped(places: Holding, key: Callable[[str], str]) -> dict[str, list[bool]] | None:
    """Whether the claim holds, by group; None if there is one group, too many or a nameless one."""
    groups: dict[str, list[bool]] = {}
    for place, held in places.items():
        groups.setdefault(key(place), []).append(held)
    if "" in groups or not 1 < len(groups) <= min(_MOST_GROUPS, len(places) - 1):
        return None
    return dict(sorted(groups.items(), key=lambda one: _order(one[0])))


def _order(name: str) -> tuple[int, float]:
    level = LEVELS.index(name) if name in LEVELS else 0
    return level, (number(name) or 0) if axis(name) in SIZED else 0


def _told_apart(groups: Mapping[str, list[bool]]) -> float:
    """Share of the pairs within groups that agree: 1 if each holds nowhere or everywhere."""
    counts = [(held.count(True), held.count(False)) for held in groups.values()]
    agree = sum(good * (good - 1) + bad * (bad - 1) for good, bad in counts)
    return agree / sum((good + bad) * (good + bad - 1) for good, bad in counts)


def _of(held: Sequence[bool]) -> str:
    many = sum(held)
    return f"{'all' if many == len(held) else many or 'none'} of {len(held)}"

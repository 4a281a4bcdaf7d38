# SPDX-License-Identifier: MIT
"""Where a claim holds in words: the parts that tell those places from the others, or counts.

"holds on all but arm9tdmi at -O2", "holds only on 8 to 14 wait states at -O2"; where no few parts
tell places apart, "holds in 26 of 54 places: at -Os 11 of 18, at -O2 15 of 18, at -O3 none of 18".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from .place import AXES, SIZED, Axis, ClaimPlace, PlacePart
from .places import LEVELS
from .where import Holding

_MOST_TERMS = 4
"""Terms in words; with more, places are counted."""
_MOST_GROUPS = 6
"""Groups in which places are counted."""
_Condition = frozenset[PlacePart]
_Parts = Mapping[ClaimPlace, frozenset[PlacePart]]


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


def _terms(some: set[ClaimPlace], others: set[ClaimPlace]) -> list[str] | None:
    """The fewest conditions that all of `some` and none of `others` meet; None if too many."""
    split = {place: frozenset(place.parts) for place in some | others}
    met, known = _with_ranges(split), frozenset().union(*split.values())
    fitting = {
        one: places
        for one in _conditions(some, split, met)
        if (places := {place for place, parts in met.items() if one <= parts}) <= some
    }
    levelled = {one: places for one, places in fitting.items() if _levels(one)}
    chosen = [terms for each in (fitting, levelled) if (terms := _chosen(some, each))]
    ranged = chosen and any(part not in known for one in chosen[0] for part in one)
    if ranged and len(_levels(known)) > 1:
        chosen.reverse()  # of ranges, those of each level are clearer than those that overlap
    return _merged(min(chosen, key=len)) if chosen else None


def _levels(parts: _Condition) -> list[str]:
    return sorted((one.text for one in parts if one.axis == "level"), key=LEVELS.index)


def _chosen(
    some: set[ClaimPlace], fitting: Mapping[_Condition, set[ClaimPlace]]
) -> list[_Condition]:
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
        rest = frozenset(part for part in one if part.axis != "level")
        levels.setdefault(rest, []).extend(_levels(one))
    told = []
    for rest, some in levels.items():
        if rest and some:
            told.append(f"{_joined(rest)} at {' and '.join(sorted(some, key=LEVELS.index))}")
        else:
            told += [_joined(rest)] if rest else some
    return told


def _conditions(some: set[ClaimPlace], split: _Parts, met: _Parts) -> list[_Condition]:
    """One or two parts or ranges of a place, or all of its parts."""
    made = {
        frozenset(chosen)
        for place in some
        for many in (1, 2)
        for chosen in combinations(sorted(met[place], key=_text), many)
    }
    made |= {split[place] for place in some}
    return sorted(made, key=lambda each: (len(each), sorted(map(_text, each))))


def _text(part: PlacePart) -> str:
    return part.text


def _with_ranges(split: _Parts) -> dict[ClaimPlace, frozenset[PlacePart]]:
    """The parts of each place, and the ranges of amounts that it is in: "8 to 14 wait states"."""
    of: dict[PlacePart, list[PlacePart]] = {}
    for family in _families(split):
        for first, last in combinations(range(len(family)), 2):
            if last - first + 1 < len(family):
                for part in family[first : last + 1]:
                    of.setdefault(part, []).append(family[first].ranged(family[last]))
    return {
        place: parts.union(*(of.get(part, ()) for part in parts)) for place, parts in split.items()
    }


def _families(split: _Parts) -> Iterator[list[PlacePart]]:
    """Parts that differ in an amount of memory or size alone, by amount."""
    by_family: dict[str, set[PlacePart]] = {}
    for part in frozenset().union(*split.values()):
        if part.axis in SIZED and part.number is not None:
            by_family.setdefault(part.form, set()).add(part)
    for some in by_family.values():
        yield sorted(some, key=lambda part: part.number or 0)


def _joined(condition: _Condition) -> str:
    """Words first, sizes then, and the level last: "arm9tdmi at -O2"."""
    texts = [part.text for part in condition if part.axis != "level"]
    parts = sorted(texts, key=lambda text: (text[0].isdigit(), text))
    return " at ".join(text for text in (", ".join(parts), *_levels(condition)) if text)


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


_Group = tuple[PlacePart, ...]


def _keys(places: Holding) -> Iterator[Callable[[ClaimPlace], _Group]]:
    """By the parts of each kind, the level first, and by each position of a part."""
    yield from (partial(_of_kind, kind) for kind in AXES)
    lengths = {len(place.parts) for place in places}
    if len(lengths) == 1:
        yield from (partial(_at, position) for position in range(lengths.pop()))


def _of_kind(kind: Axis, place: ClaimPlace) -> _Group:
    return tuple(part for part in place.parts if part.axis == kind)


def _at(position: int, place: ClaimPlace) -> _Group:
    return place.parts[position : position + 1]


def _grouped(places: Holding, key: Callable[[ClaimPlace], _Group]) -> dict[str, list[bool]] | None:
    """Whether the claim holds, by group; None if there is one group, too many or a nameless one."""
    groups: dict[_Group, list[bool]] = {}
    for place, held in places.items():
        groups.setdefault(key(place), []).append(held)
    if () in groups or not 1 < len(groups) <= min(_MOST_GROUPS, len(places) - 1):
        return None
    return {str(ClaimPlace(one)): groups[one] for one in sorted(groups, key=_order)}


def _order(group: _Group) -> tuple[int, float]:
    first = group[0]
    level = LEVELS.index(first.text) if first.axis == "level" else 0
    return level, (first.number or 0) if first.axis in SIZED else 0


def _told_apart(groups: Mapping[str, list[bool]]) -> float:
    """Share of the pairs within groups that agree: 1 if each holds nowhere or everywhere."""
    counts = [(held.count(True), held.count(False)) for held in groups.values()]
    agree = sum(good * (good - 1) + bad * (bad - 1) for good, bad in counts)
    return agree / sum((good + bad) * (good + bad - 1) for good, bad in counts)


def _of(held: Sequence[bool]) -> str:
    many = sum(held)
    return f"{'all' if many == len(held) else many or 'none'} of {len(held)}"

# SPDX-License-Identifier: MIT
"""The verdict on a claim over all its places (lines 9 to 13 of the rule; others are in rule.py).

9   A place is a processor and the paper's kind of compiler level, as listed in places.py; other
    processors and levels are a sweep, which is shown and not judged.  So are places that a claim
    names as beyond what its sentence supposes, such as caches too small for a model.
10  All judged places agree: that is the verdict.  Otherwise the claim holds "in part", and its
    tally says how many places found what.
11  A place whose number made the figure, another program, an assumed clock or memory, or an average
    of emulated cycles is "not testable here", and so is a claim with no other place.  What the
    standard decides (calls counted by FIPS 197) or our construction is tagged "by construction".
12  A claim that fails somewhere because the code is not the paper's ("our code differs") is "not
    judged on their code": that is no failure of the paper.  One that holds everywhere holds, on
    code that was written from the paper's words; pages print the count without this difference.
13  A claim has an outcome if it holds, in part or not at all, or has another size; the others are
    counted apart.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from .contract import CODE_DIFFERS, Assumed, Claim, Pair
from .place import ClaimPlace
from .places import is_judged
from .rule import Word, word

Whole = Word | Literal["in part", "not testable here"]
Group = Literal[
    "holds", "in part", "other size", "does not hold",
    "not judged on their code", "not testable here", "by construction",
]  # fmt: skip
GROUPS: tuple[Group, ...] = get_args(Group)
"""Groups of verdicts in totals.  "In part" has at least one place where the claim holds."""
OUTCOMES: tuple[Group, ...] = GROUPS[:4]
"""Groups of claims with an outcome (line 13)."""
_SIZES = ("same direction, other size", "other size")
_COMPARING = ("effect", "equal", "range", "order", "order of counts")


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim."""

    word: Whole
    places: Mapping[ClaimPlace, Word]
    """The verdict in each judged place."""
    swept: Mapping[ClaimPlace, Word]
    """The rule's result elsewhere: on other processors and levels, and beyond the sentence."""
    untestable: Mapping[ClaimPlace, str]
    group: Group

    @property
    def tally(self) -> str:
        """Number of places by verdict: "holds 3, opposite 1"."""
        counts = Counter(self.places.values()).most_common()
        return ", ".join(f"{word} {many}" for word, many in counts)


def pair_of(value: Pair | float) -> Pair:
    """A pair; a single figure is compared with 1."""
    return value if isinstance(value, Pair) else Pair(value, 1.0)


def found_in(claim: Claim, place: ClaimPlace) -> Word:
    """Apply the rule in one place."""
    value = claim.found[place]
    if claim.kind in _COMPARING and not isinstance(value, Pair):
        raise ValueError(f"'{claim.sentence}' compares two figures, and {place} has one")
    pair = pair_of(value)
    return word(claim.kind, pair.a, pair.b, claim.published, claim.form)


def judge(claim: Claim, experiment: str) -> Verdict:
    """The verdict over all places of a claim of that experiment."""
    if not claim.found:
        raise ValueError(f"nothing was found for the claim '{claim.sentence}'")
    if unknown := {*claim.untestable, *claim.shown} - set(claim.found):
        raise ValueError(f"'{claim.sentence}' has no place {'; '.join(sorted(map(str, unknown)))}")
    able = {place: found_in(claim, place) for place in claim.found if place not in claim.untestable}
    places = {at: told for at, told in able.items() if judged_in(claim, experiment, at)}
    swept = {place: told for place, told in able.items() if place not in places}
    if not places and not claim.untestable:
        raise ValueError(
            f"'{claim.sentence}' has no place that the paper names: {'; '.join(map(str, swept))}"
        )
    whole = _whole(places)
    return Verdict(whole, places, swept, claim.untestable, _group(whole, places, claim))


def judged_in(claim: Claim, experiment: str, place: ClaimPlace) -> bool:
    """Whether the claim is judged in that place, if it can be tested there."""
    return is_judged(experiment, place) and place not in claim.shown


def as_assumed(claim: Claim) -> Claim:
    """The claim as if what we assumed of memory, cache or clock were so."""
    left = {at: why for at, why in claim.untestable.items() if not isinstance(why, Assumed)}
    return replace(claim, untestable=left)


def without(claim: Claim, place: ClaimPlace) -> Claim:
    """The claim without one place."""
    return _renamed(claim, lambda one: None if one == place else one)


def only(claim: Claim, part: str) -> Claim:
    """Its places with `part`, told without it; may be empty."""
    return _renamed(claim, lambda one: one.without(part) if part in one else None)


def _renamed(claim: Claim, name: Callable[[ClaimPlace], ClaimPlace | None]) -> Claim:
    """With other names of its places, and without those that have none."""
    return replace(
        claim,
        found={to: one for at, one in claim.found.items() if (to := name(at))},
        untestable={to: one for at, one in claim.untestable.items() if (to := name(at))},
        shown=frozenset(to for at in claim.shown if (to := name(at))),
    )


def _whole(places: Mapping[ClaimPlace, Word]) -> Whole:
    """Apply line 10 of the rule."""
    words = set(places.values())
    if not words:
        return "not testable here"
    return words.pop() if len(words) == 1 else "in part"


def _group(whole: Whole, places: Mapping[ClaimPlace, Word], claim: Claim) -> Group:
    if claim.by_construction:
        return "by construction"
    if whole == "not testable here" or whole == "holds":
        return whole
    if claim.cause == CODE_DIFFERS:
        return "not judged on their code"
    if whole == "in part" and "holds" in places.values():
        return "in part"
    return "other size" if all(each in _SIZES for each in places.values()) else "does not hold"

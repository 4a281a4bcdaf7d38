# SPDX-License-Identifier: MIT
"""Claims and findings in words: the report writes a figure in the same form as the paper."""

from collections.abc import Sequence
from math import isfinite

from .contract import Claim, Pair
from .rule import distance, outside
from .tables import number
from .told_where import told_where
from .verdict import Verdict, pair_of
from .where import holding

_BOUNDS = ("at least", "at most")
_HELD = {
    "at least": "held with a band of 2 %",
    "at most": "held with a band of 2 %",
    "effect": "held as a ratio, within half of the effect",
    "part": "held within 25 % either way",
    "about": "held within 25 % either way",
    "equal": "held within 10 %",
    "range": "held inside it",
    "exact": "held where equal",
    "order": "held by its sign, with a band of 2 %",
    "order of counts": "held by its sign",
}
_SMALL = 0.1
"""Distances below this share are printed with a decimal."""
_ORDERS = ("order", "order of counts")


def value_told(claim: Claim, value: Pair | float) -> str:
    """The finding in a place: a share as a share, two figures of an order side by side."""
    pair = pair_of(value)
    if claim.kind in _ORDERS:
        return f"{number(pair.a)} against {number(pair.b)}"
    if claim.form == "of":
        return _counted([pair])
    return _written(claim, pair.ratio)


def _counted(pairs: Sequence[Pair]) -> str:
    """Counts of all places together: "52 of 52"."""
    return f"{number(sum(one.a for one in pairs))} of {number(sum(one.b for one in pairs))}"


def _written(claim: Claim, ratio: float) -> str:
    """A ratio in the form of the claim."""
    if not isfinite(ratio):
        return "no ratio to 0"
    if claim.form == "saved":
        return _share(1 - ratio)
    return _share(ratio - 1) if claim.form == "added" else number(ratio)


def _share(share: float) -> str:
    return f"{100 * share:.1f} %".replace("-", "\N{MINUS SIGN}")


def _published(claim: Claim, value: float) -> str:
    return number(value) if claim.form == "times" else _share(value)


def bound(claim: Claim) -> str:
    """The published value with which every found figure is compared."""
    if claim.kind in _ORDERS:
        return "above 1"
    if isinstance(claim.published, tuple):
        return f"published {' to '.join(_published(claim, end) for end in claim.published)}"
    if claim.published is None:
        return "equal"
    if claim.form == "of" and claim.published == 1:
        return "all"
    told = claim.kind if claim.kind in _BOUNDS else "published"
    return f"{told} {_published(claim, claim.published)}"


def asked(claim: Claim) -> str:
    """What a claim asks of each place, in words."""
    held = "" if claim.published == 0 else _HELD.get(claim.kind)
    return f"{bound(claim)}, {held}" if held else bound(claim)


def distance_told(claim: Claim, value: Pair | float) -> str:
    """Distance from a bound or out of a range: "+12 %"; empty for other claims."""
    pair, published = pair_of(value), claim.published
    if isinstance(published, tuple):
        away = outside(pair.a, pair.b, published, claim.form)
        return _signed(f"{100 * away:+.1f} %") if away else ""
    if claim.kind not in _BOUNDS or published is None:
        return ""
    away = distance(pair.a, pair.b, published)
    if published == 0:
        return _signed(f"{away:+.3g}")
    return _signed(f"{100 * away:+.1f} %" if 0 < abs(away) < _SMALL else f"{100 * away:+.0f} %")


def _signed(told: str) -> str:
    return told.replace("-", "\N{MINUS SIGN}")


def span(claim: Claim, verdict: Verdict) -> str:
    """The range of findings in the judged places; counts are summed up."""
    places = verdict.places or verdict.untestable
    some = [claim.found[place] for place in places]
    if claim.form == "of":
        return _counted([pair_of(one) for one in some])
    some.sort(key=lambda one: pair_of(one).ratio, reverse=claim.form == "saved")
    low, high = (_written(claim, pair_of(one).ratio) for one in (some[0], some[-1]))
    return low if low == high else f"{low} to {high}"


def verdict_told(verdict: Verdict) -> str:
    """The verdict; where places differ, those where the claim holds."""
    found: str = verdict.word
    if verdict.word == "in part":
        partly = "holds" in verdict.places.values()
        found = told_where(holding(verdict.places)) if partly else verdict.tally
    if verdict.group == "not judged on their code":
        return f"not judged on their code (on ours: {found})"
    return found

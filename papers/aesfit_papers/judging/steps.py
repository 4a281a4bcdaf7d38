# SPDX-License-Identifier: MIT
"""The rule applied to a claim in one place, step by step."""

from collections.abc import Callable, Mapping
from math import exp, isfinite, log

from .contract import Claim, Pair
from .place import ClaimPlace
from .rule import ALIKE, BAND, CAP, Kind, distance, outside, times, tolerance
from .tables import number
from .verdict import found_in, pair_of

_BAND, _CAP, _ALIKE = (f"{100 * (exp(one) - 1):.0f} %" for one in (BAND, CAP, ALIKE))


def steps(claim: Claim, place: ClaimPlace) -> str:
    """What the rule does with the finding in that place, and its word."""
    pair = pair_of(claim.found[place])
    told = f"{number(pair.a)} against {number(pair.b)}"
    if isfinite(pair.ratio):
        told = f"{number(pair.a)} / {number(pair.b)} = {number(pair.ratio)}"
    if not isinstance(claim.found[place], Pair):
        told = number(pair.a)
    return f"{told}; {_BY_KIND[claim.kind](claim, pair)}: {found_in(claim, place)}"


def _effect(claim: Claim, pair: Pair) -> str:
    published = times(_one(claim), claim.form)
    if abs(log(published)) <= BAND:
        return f"published {number(published)} is no effect, so equal within {_ALIKE} (line 5)"
    allowed = exp(tolerance(published))
    return (
        f"published {number(published)} (line 1), held from {number(published / allowed)} to "
        f"{number(published * allowed)}, and not within {_BAND} of 1 (lines 2 and 3)"
    )


def _range(claim: Claim, pair: Pair) -> str:
    if not isinstance(claim.published, tuple):
        raise TypeError(f"'{claim.sentence}' has no range")
    ends = sorted(times(end, claim.form) for end in claim.published)
    away = outside(pair.a, pair.b, claim.published, claim.form)
    beyond = f", {100 * away:+.1f} % outside" if away else ""
    return f"held from {number(ends[0])} to {number(ends[1])}{beyond} (lines 1 and 6)"


def _bound(claim: Claim, pair: Pair) -> str:
    published = _one(claim)
    if published == 0:
        return f"{claim.kind} 0 (line 8)"
    away = 100 * distance(pair.a, pair.b, published)
    return f"{claim.kind} {number(published)} with a band of {_BAND}, {away:+.1f} % (line 8)"


def _near(claim: Claim, pair: Pair) -> str:
    line = "4" if claim.kind == "part" else "8"
    return f"within {_CAP} either way of {number(_one(claim))} (line {line})"


def _one(claim: Claim) -> float:
    if not isinstance(claim.published, int | float):
        raise TypeError(f"'{claim.sentence}' has no single published value")
    return float(claim.published)


_BY_KIND: Mapping[Kind, Callable[[Claim, Pair], str]] = {
    "effect": _effect,
    "range": _range,
    "at least": _bound,
    "at most": _bound,
    "part": _near,
    "about": _near,
    "equal": lambda claim, pair: f"equal within {_ALIKE} (line 5)",
    "exact": lambda claim, pair: f"equal to {number(_one(claim))} (line 8)",
    "order": lambda claim, pair: f"above 1 with a band of {_BAND} (line 7)",
    "order of counts": lambda claim, pair: "above 1 (line 7)",
}

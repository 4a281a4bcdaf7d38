# SPDX-License-Identifier: MIT
"""The rule for judging a claim in one place: compares what is published with a and b found.

The lines of the rule, with r = a / b found and p published:

1  A claim states a and b for each place.  A share that is saved is p = 1 - s, one that is added
   p = 1 + s, so that an effect is always a ratio and its form in the text decides nothing.
2  An effect is published where |ln p| > ln 1.02.  It finds "no difference" where |ln r| < ln 1.02,
   and it is "opposite" where the signs of ln r and ln p differ.
3  Otherwise it holds where |ln r - ln p| is at most half of |ln p|, but no less than ln 1.02 and no
   more than ln 1.25; beyond that the direction is the same and the size is another.
4  A part of a whole, or the prediction of a formula, holds within 25 % either way.
5  Equality ("same", "comparable", or p within 2 % of 1) holds where r is within 10 % of 1.
6  A published range holds inside it; neither end is widened.
7  An order holds by the sign of ln(a / b), with a band of 2 %; an order of counts has no band.
8  An exact count or size is equal; "about" is within 25 %; a bound is met, with the band of 2 %
   of line 7, or missed.  What is short of a bound or outside a range is printed.

Lines 9 to 13 are about a claim as a whole; verdict.py and places.py hold them.

Sources.  The bounds are conventions of this project, and were written here before this program
judged any result, with four exceptions that were made when verdicts were known: line 6 no longer
widens a range, line 8 gives a bound the band of 2 %, line 12 of verdict.py leaves out what fails on
code that is not the paper's, and places.py judges -Os, -O2 and -O3 instead of -O2 alone.  The 2 %
are for what the order of linking moves without any meaning (Mytkowicz et al., "Producing wrong data
without doing anything obviously wrong!", ASPLOS 2009); the 25 % were the tolerance of the rule
before this one.
"""

from math import isclose, log
from typing import Literal

Kind = Literal[
    "effect", "part", "equal", "range", "order", "order of counts", "exact", "about",
    "at least", "at most",
]  # fmt: skip
Form = Literal["times", "saved", "added", "of"]
"""Forms of an effect: "1.3 times", "13 % less", "16 % more"; and of a count: "52 of 52"."""
Word = Literal[
    "holds", "same direction, other size", "other size", "no difference", "opposite", "differs",
    "missed",
]  # fmt: skip
Ends = tuple[float, float]

BAND = log(1.02)
"""Below this, |ln r| counts as no difference."""
CAP = log(1.25)
"""Largest deviation of the size of an effect, a part or an "about"."""
ALIKE = log(1.10)
"""Largest deviation of "the same"."""


def times(value: float, form: Form) -> float:
    """The ratio that the paper's number means."""
    return {"times": value, "saved": 1 - value, "added": 1 + value, "of": value}[form]


def tolerance(published: float) -> float:
    """How far ln r may be from ln p (line 3)."""
    return max(BAND, min(abs(log(published)) / 2, CAP))


def word(kind: Kind, a: float, b: float, published: float | Ends | None, form: Form) -> Word:
    """The verdict in one place."""
    if kind in ("order", "order of counts"):
        return _order(a, b, BAND if kind == "order" else 0.0)
    if kind == "equal":
        return _alike(a / b) if a * b > 0 else "holds" if a == b else "differs"
    if kind == "range":
        if not isinstance(published, tuple):
            raise ValueError("a range needs both of its ends")
        return _range(_ratio(a, b), *_sorted_ends(published, form))
    if not isinstance(published, int | float):
        raise ValueError(f"a claim of the kind '{kind}' needs a published value")
    if kind == "effect":
        return _effect(_ratio(a, b), times(published, form))
    if kind == "exact":
        return "holds" if isclose(a / b, published, rel_tol=1e-9) else "differs"
    if kind in ("at least", "at most"):
        return _bound(a / b, published, least=kind == "at least")
    return _near(a / b, published)


def distance(a: float, b: float, published: float) -> float:
    """Deviation of the found value relative to the bound; absolute for a bound of 0 (line 8)."""
    return a / b - published if published == 0 else a / b / published - 1


def outside(a: float, b: float, published: Ends, form: Form) -> float:
    """Deviation of r relative to the end of the range that it is beyond; 0 inside it (line 6)."""
    low, high = _sorted_ends(published, form)
    ratio = _ratio(a, b)
    return ratio / min(max(ratio, low), high) - 1


def _sorted_ends(published: Ends, form: Form) -> Ends:
    low, high = sorted(times(end, form) for end in published)
    return low, high


def _bound(found: float, published: float, *, least: bool) -> Word:
    """Line 8; a bound of 0, or a found value of 0 or below, has no band."""
    if found > 0 and published > 0:
        over = log(found / published)
        met = over >= -BAND if least else over <= BAND
    else:
        met = found >= published if least else found <= published
    return "holds" if met else "missed"


def _ratio(a: float, b: float) -> float:
    if a <= 0 or b <= 0:
        raise ValueError(f"a ratio needs two figures above 0, and these are {a:g} and {b:g}")
    return a / b


def _effect(found: float, published: float) -> Word:
    """Lines 2 and 3; line 5 where the published effect is within 2 % of none."""
    if published <= 0:
        raise ValueError(f"an effect needs a published ratio above 0, and this is {published:g}")
    if abs(log(published)) <= BAND:
        return _alike(found)
    if abs(log(found / published)) <= tolerance(published) and _same_way(found, published):
        return "holds"
    return _missed(found, published)


def _same_way(found: float, published: float) -> bool:
    """Whether there is a difference, and it has the sign of the published one."""
    return abs(log(found)) >= BAND and (found > 1) == (published > 1)


def _missed(found: float, published: float) -> Word:
    """The verdict on an effect that does not hold."""
    if abs(log(found)) < BAND:
        return "no difference"
    return "same direction, other size" if _same_way(found, published) else "opposite"


def _alike(found: float) -> Word:
    return "holds" if abs(log(found)) <= ALIKE else "differs"


def _near(found: float, published: float) -> Word:
    """Within 25 % either way (lines 4 and 8); a value of 0 or below is never within."""
    if published <= 0:
        raise ValueError(f"a part or a size is above 0, and this is {published:g}")
    return "holds" if found > 0 and abs(log(found / published)) <= CAP else "other size"


def _range(found: float, low: float, high: float) -> Word:
    """Line 6; outside the range the nearer end decides the verdict."""
    if low <= 0:
        raise ValueError(f"a range needs ends above 0, and one is {low:g}")
    if low <= found <= high:
        return "holds"
    return _missed(found, low if found < low else high)


def _order(a: float, b: float, band: float) -> Word:
    """Line 7: whether a is the larger."""
    if band and a > 0 and b > 0 and abs(log(a / b)) < band:
        return "no difference"
    if a == b:
        return "no difference"
    return "holds" if a > b else "opposite"

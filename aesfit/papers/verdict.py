# SPDX-License-Identifier: MIT
"""The one rule by which claims are judged; it was written before any result was looked at.

A claim of order holds when the sign is the paper's on every platform named.  A claim of a ratio or
a share holds within 25 % of it, and a bound when it is met.  A claim that some places meet and some
do not holds in part; a claim that none meets does not hold.
"""

from dataclasses import dataclass
from typing import Literal

from .contract import Claim

WITHIN = 0.25
"""Relative difference at which a ratio or share still holds."""


@dataclass(frozen=True)
class Verdict:
    """What became of a claim."""

    word: Literal["holds", "holds in part", "does not hold"]
    met: tuple[str, ...]
    """Places where it is met."""
    missed: tuple[str, ...]


def met(claim: Claim, found: float) -> bool:
    """Whether one figure is as the paper says."""
    if claim.kind == "order":
        return found > 0
    if claim.published is None:
        raise ValueError(f"a claim of the kind '{claim.kind}' needs a published value")
    if claim.kind == "at least":
        return found >= claim.published
    if claim.kind == "at most":
        return found <= claim.published
    return abs(found - claim.published) <= WITHIN * abs(claim.published)


def judge(claim: Claim) -> Verdict:
    """The verdict over all places."""
    if not claim.found:
        raise ValueError(f"nothing was found for the claim '{claim.sentence}'")
    held = tuple(place for place, value in claim.found.items() if met(claim, value))
    missed = tuple(place for place in claim.found if place not in held)
    return Verdict(
        "does not hold" if not held else "holds in part" if missed else "holds", held, missed
    )

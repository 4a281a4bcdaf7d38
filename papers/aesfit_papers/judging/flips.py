# SPDX-License-Identifier: MIT
"""How firm verdicts are: which flip with another reading, place, level, code or compiler.

A claim has two readings if the paper writes an effect as a share ("13 % less"): as a ratio of
times it is judged by lines 2, 3 and 6 of the rule, as a share by line 4, within 25 % of the share.
A verdict flips when it is no longer the same of: holds, in part, holds nowhere, not judged on their
code, not testable here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .contract import OUR_CODE, Claim, Experiment
from .places import LEVELS
from .rebuilt import CLANG, rebuildable
from .rule import Ends
from .run import Judged, judged, stored
from .verdict import Group, Verdict, judge, judged_in, only, pair_of, without

Status = Literal[
    "holds", "in part", "holds nowhere", "not judged on their code", "not testable here"
]  # fmt: skip
_STATUS: Mapping[Group, Status] = {
    "holds": "holds",
    "in part": "in part",
    "other size": "holds nowhere",
    "does not hold": "holds nowhere",
    "not judged on their code": "not judged on their code",
    "not testable here": "not testable here",
}
_COMPILERS = ("clang", "gcc")


@dataclass(frozen=True)
class Flip:
    """A verdict that changes."""

    experiment: str
    sentence: str
    was: Status
    becomes: Status
    by: str
    """The reading, or the place that is left out."""


@dataclass(frozen=True)
class Firmness:
    """The number of claims tried in one way, and those that flipped."""

    what: str
    tried: int
    flips: tuple[Flip, ...]

    @property
    def flipped(self) -> int:
        """Claims that flip at least once."""
        return len({(one.experiment, one.sentence) for one in self.flips})


@dataclass(frozen=True)
class Standing:
    """A claim of an experiment, judged."""

    experiment: str
    judged: Judged


def claims_of(experiments: Sequence[Experiment], *, built: bool = False) -> list[Standing]:
    """All claims with results; those true by construction only with `built`."""
    made = []
    for one in experiments:
        measured = stored(one)
        if measured is not None:
            made += [Standing(one.name, each) for each in judged(one, measured.rows)]
    return [one for one in made if built or one.judged.verdict.group != "by construction"]


def by_reading(claims: Sequence[Standing]) -> Firmness:
    """Judge shares as shares instead of ratios."""
    two = [one for one in claims if one.judged.claim.form in ("saved", "added")]
    flips = [
        flip
        for one in two
        for flip in _flip(one, judge(as_share(one.judged.claim), one.experiment), "as a share")
    ]
    return Firmness("share against ratio", len(two), tuple(flips))


def as_share(claim: Claim) -> Claim:
    """The claim with found and published values as shares of the whole."""
    ends = _ends(claim)
    sign = -1 if claim.form == "saved" else 1
    shares = {at: sign * (pair_of(one).ratio - 1) for at, one in claim.found.items()}
    # a range of shares: a value inside it becomes equal to the nearest end
    near = {at: share / min(max(share, ends[0]), ends[1]) for at, share in shares.items()}
    return replace(claim, kind="part", found=near, published=1.0, form="times")


def _ends(claim: Claim) -> Ends:
    if isinstance(claim.published, tuple):
        return claim.published
    if claim.published is None:
        raise ValueError(f"'{claim.sentence}' has no published share")
    return claim.published, claim.published


def by_place(claims: Sequence[Standing]) -> Firmness:
    """Leave out each judged place, if another remains."""
    several = [one for one in claims if len(one.judged.verdict.places) > 1]
    flips = [
        flip
        for one in several
        for place in one.judged.verdict.places
        for flip in _flip(
            one, judge(without(one.judged.claim, place), one.experiment), f"without {place}"
        )
    ]
    return Firmness("one place left out", len(several), tuple(flips))


def by_level(claims: Sequence[Standing]) -> Firmness:
    """Judge one level of the compiler alone, -O0 too; tried if there are several."""
    every = [
        (one, {level: at for level in LEVELS if (at := only(one.judged.claim, level)).found})
        for one in claims
    ]
    several = [(one, levels) for one, levels in every if len(levels) > 1]
    flips = [
        flip
        for one, levels in several
        for level, claim in levels.items()
        for flip in _flip(one, _judged_alone(claim, one.experiment), f"at {level} alone")
    ]
    return Firmness("one compiler level alone", len(several), tuple(flips))


def _judged_alone(claim: Claim, experiment: str) -> Verdict | None:
    """None if the paper names none of the places."""
    judged_too = any(
        judged_in(claim, experiment, at) or at in claim.untestable for at in claim.found
    )
    return judge(claim, experiment) if judged_too else None


def by_compiler(experiments: Sequence[Experiment]) -> Firmness:
    """Use figures of clang instead of gcc; tried if the compiler changes any."""
    tried = [pair for one in experiments for pair in _of_both(one) if _moved(*pair)]
    flips = [
        flip
        for one, other in tried
        for flip in _flip(one, judge(other, one.experiment), f"by {CLANG}")
    ]
    return Firmness("clang beside gcc", len(tried), tuple(flips))


def _of_both(experiment: Experiment) -> Iterator[tuple[Standing, Claim]]:
    """Its judged claims, each with the same claim on clang's rows, if there are any."""
    rebuilt = stored(experiment, CLANG)
    if rebuilt is not None:
        others = experiment.claims(rebuilt.rows)
        for one, other in zip(claims_of([experiment], built=True), others, strict=True):
            if one.judged.verdict.group != "by construction":
                yield one, other


def _moved(one: Standing, other: Claim) -> bool:
    return dict(one.judged.claim.found) != dict(other.found)


def not_rebuilt(experiments: Sequence[Experiment]) -> list[str]:
    """Experiments that depend on gcc and have no rows by clang."""
    return [one.name for one in experiments if rebuildable(one) and stored(one, CLANG) is None]


def of_other_sources(experiments: Sequence[Experiment]) -> list[str]:
    """Experiments whose rows by the two compilers were made from different sources."""
    return [one.name for one in experiments if len(_sources(one)) > 1]


def _sources(experiment: Experiment) -> set[str]:
    """Versions and digests of what was compiled, as the provenance of either compiler says."""
    both = [stored(experiment, compiler) for compiler in ("", CLANG)]
    lines = (line for one in both if one is not None for line in one.provenance)
    return {line for line in lines if line.startswith("aesfit ")} if all(both) else set()


def by_code(claims: Sequence[Standing]) -> Firmness:
    """Use the library's code instead of the paper's printed code; tried if there are both."""
    made = [(one, only(one.judged.claim, OUR_CODE)) for one in claims]
    both = [(one, claim) for one, claim in made if claim.found]
    by = f"on {OUR_CODE}"
    flips = [flip for one, claim in both for flip in _flip(one, judge(claim, one.experiment), by)]
    return Firmness("our code beside the paper's", len(both), tuple(flips))


def tries(experiments: Sequence[Experiment]) -> tuple[Firmness, ...]:
    """Every way of trying, over all claims with results that are not true by construction."""
    claims = claims_of(experiments)
    judged_once = (by_reading, by_place, by_level, by_code)
    return (*(way(claims) for way in judged_once), by_compiler(experiments))


def _flip(one: Standing, other: Verdict | None, by: str) -> Iterator[Flip]:
    if other is None:
        return
    was, becomes = _STATUS[one.judged.verdict.group], _STATUS[other.group]
    if was != becomes:
        yield Flip(one.experiment, one.judged.claim.sentence, was, becomes, by)


def compilers(experiments: Sequence[Experiment]) -> dict[str, list[str]]:
    """Compilers behind stored rows, by platform, from the provenance of results."""
    seen: dict[str, set[str]] = {}
    for one in experiments:
        measured = stored(one)
        for line in () if measured is None else measured.provenance:
            name, _, rest = line.partition(": ")
            built = rest.partition(";")[0]
            for compiler in _COMPILERS:
                if re.search(rf"\b{compiler}\b", built):
                    seen.setdefault(name, set()).add(compiler)
    return {name: sorted(some) for name, some in sorted(seen.items())}

# SPDX-License-Identifier: MIT
"""Ratios of V1 to the paper's final implementation, here and as published."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from . import javed
from .javed import PublishedTimes
from .question import FileOutcome, FileRow, OpRow, Reading

R = TypeVar("R", FileRow, OpRow)


@dataclass(frozen=True)
class Ratio:
    """V1 over the final implementation, on one platform at one level."""

    platform: str
    flags: str
    op: str
    """cbc, encrypt-block or key-setup-encrypt."""
    bytes: int | None
    """Bytes of CBC."""
    reading: Reading | None
    min: float
    """Ratio of the minima."""
    avg: float
    """Ratio of the averages."""
    published: PublishedTimes | None
    """The paper's line; None if it has none."""

    def as_json(self) -> dict[str, Any]:
        """Plain values; of the published line the two ratios."""
        theirs = self.published
        told = None if theirs is None else {"min": theirs.min, "avg": theirs.avg}
        return {**asdict(self), "published": told}


@dataclass(frozen=True)
class RatioClaim:
    """A statement on ratios in the paper's text."""

    title: str
    words: str
    op: str
    factor: float
    """Least ratio that agrees with the claim."""
    published: str
    """The ratios in its tables."""
    by_average: bool = False
    """Whether it is about averages instead of minima."""


def _range(values: Iterable[float]) -> str:
    known = sorted(values)
    low, high = f"{known[0]:.1f}", f"{known[-1]:.1f}"
    return low if low == high else f"{low} to {high}"


def _published(times: Sequence[PublishedTimes]) -> str:
    """A phrase on the ratios of some lines of the paper."""
    minima, averages = _range(one.min for one in times), _range(one.avg for one in times)
    return f"{minima} by its minima, {averages} by its averages"


_LARGE = [times for size, times in javed.CBC.items() if size >= javed.LARGE]
_PUBLISHED = {"encrypt-block": javed.BLOCK, "key-setup-encrypt": javed.KEY_SCHEDULE}
CLAIMS = (
    RatioClaim("a block", "more than 3 times", "encrypt-block", 3, _published([javed.BLOCK])),
    RatioClaim(
        "key schedule", "more than 20 times on average", "key-setup-encrypt", 20,
        _published([javed.KEY_SCHEDULE]), by_average=True,
    ),
    RatioClaim(
        "CBC over 1 MiB and more", "nearly 20 times", "cbc",
        min(one.min for one in _LARGE), _published(_LARGE),
    ),
)  # fmt: skip


def ratios(found: FileOutcome, key_bits: int) -> list[Ratio]:
    """The ratios of all rows of both cores; the paper has only 128-bit keys."""
    made = []
    for fast, slow in _pairs(found.ops, lambda row: (row.platform, row.flags, row.op)):
        theirs = _PUBLISHED[fast.op] if key_bits == javed.KEY_BITS else None
        made.append(_ratio(fast, slow, fast.op, None, None, theirs))
    for one, other in _pairs(
        found.rows, lambda row: (row.platform, row.flags, row.bytes, row.reading)
    ):
        theirs = javed.CBC.get(one.bytes) if key_bits == javed.KEY_BITS else None
        made.append(_ratio(one, other, "cbc", one.bytes, one.reading, theirs))
    return made


def _pairs(rows: Sequence[R], like: Callable[[R], object]) -> list[tuple[R, R]]:
    """Pairs of rows: the final implementation and V1."""
    slow = {like(row): row for row in rows if row.core == javed.V1}
    fast = [row for row in rows if row.core == javed.FINAL]
    return [(row, slow[like(row)]) for row in fast if like(row) in slow]


def _ratio(
    fast: FileRow | OpRow,
    slow: FileRow | OpRow,
    op: str,
    size: int | None,
    reading: Reading | None,
    published: PublishedTimes | None,
) -> Ratio:
    factors = (slow.min / fast.min, slow.avg / fast.avg)
    return Ratio(fast.platform, fast.flags, op, size, reading, *factors, published)


def judged(every: Sequence[Ratio]) -> list[str]:
    """For each claim and platform: whether the ratio reproduces, and at which levels.

    Of several sizes the smallest ratio counts; reading is included where it is measured, as in the
    paper.
    """
    sentences = []
    for platform in dict.fromkeys(one.platform for one in every):
        for claim in CLAIMS:
            about = [one for one in every if one.platform == platform and _concerns(claim, one)]
            if about:
                sentences.append(f"{platform}, {_sentence(claim, about)}")
    return sentences


def _concerns(claim: RatioClaim, one: Ratio) -> bool:
    large = one.bytes is None or one.bytes >= javed.LARGE
    return one.published is not None and one.op == claim.op and one.reading != "excluded" and large


def _sentence(claim: RatioClaim, about: Sequence[Ratio]) -> str:
    least: dict[str, float] = {}
    for one in about:
        value = one.avg if claim.by_average else one.min
        least[one.flags] = min(value, least.get(one.flags, value))
    here = ", ".join(f"{value:.1f} at {flags}" for flags, value in least.items())
    levels = [flags for flags, value in least.items() if value >= claim.factor]
    where = f"reproduced at {', '.join(levels)}" if levels else "not reproduced at any level here"
    return f"{claim.title}: the paper says {claim.words} ({claim.published}); here {here}: {where}."

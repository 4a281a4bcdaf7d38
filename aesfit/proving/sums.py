# SPDX-License-Identifier: MIT
"""Numbers that grow with counts, bits that are public, and conditions on both.

A length, and an address behind it, is a sum of a number and of multiples of counts that lie in a
range.  A bit that is neither known nor such a sum is public or depends on a secret.
"""

from dataclasses import dataclass
from typing import Literal

from .domain import Value, Word
from .known_bits import PartlyKnown

Ranges = dict[str, tuple[int, int]]
"""Lowest and highest value of each count."""


@dataclass(frozen=True)
class Linear:
    """A number plus multiples of counts."""

    base: int
    terms: tuple[tuple[str, int], ...] = ()
    """Counts by name, each with its factor, which is not 0; sorted."""

    def plus(self, other: "Linear", times: int = 1) -> "Linear":
        """The sum with a multiple of another."""
        factors = dict(self.terms)
        for name, factor in other.terms:
            factors[name] = factors.get(name, 0) + times * factor
        return Linear(self.base + times * other.base, _sorted(factors))

    def times(self, factor: int) -> "Linear":
        """A multiple."""
        return Linear(0).plus(self, factor)

    def factor(self, name: str) -> int:
        """Of a count."""
        return dict(self.terms).get(name, 0)

    def put(self, name: str, value: "Linear") -> "Linear":
        """With a sum in the place of a count."""
        factor = self.factor(name)
        return self.plus(Linear(0, ((name, 1),)), -factor).plus(value, factor)

    def within(self, ranges: Ranges) -> tuple[int, int]:
        """Its lowest and highest value."""
        low = high = self.base
        for name, factor in self.terms:
            ends = sorted(factor * end for end in ranges[name])
            low, high = low + ends[0], high + ends[1]
        return low, high

    def modulo(self, width: int) -> "Linear":
        """The same number of `width` bits, with factors nearest to 0."""
        half, every = 1 << (width - 1), (1 << width) - 1
        factors = {name: ((factor + half) & every) - half for name, factor in self.terms}
        return Linear(self.base & every, _sorted(factors))


def _sorted(factors: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, factor) for name, factor in factors.items() if factor))


@dataclass(frozen=True)
class CountCondition:
    """A condition on a sum: it is 0 or more, or 0."""

    sum: Linear
    kind: Literal["positive", "zero"]
    negated: bool = False

    def opposite(self) -> "CountCondition":
        """The other way round."""
        return CountCondition(self.sum, self.kind, not self.negated)

    def decided(self, ranges: Ranges) -> int | None:
        """What it is, whatever the counts are; None where that depends on them."""
        low, high = self.sum.within(ranges)
        if self.kind == "positive":
            found = 1 if low >= 0 else 0 if high < 0 else None
        else:
            found = 1 if low == high == 0 else 0 if self._never_zero(low, high) else None
        return found if found is None else found ^ self.negated

    def _never_zero(self, low: int, high: int) -> bool:
        if low > 0 or high < 0:
            return True
        return len(self.sum.terms) == 1 and self.sum.base % self.sum.terms[0][1] != 0

    def at_least(self) -> Linear | None:
        """A sum that is 0 or more exactly where the test holds; None: there is none."""
        if self.kind == "zero":
            return None
        return Linear(-1).plus(self.sum, -1) if self.negated else self.sum

    def narrowed(self, ranges: Ranges) -> Ranges:
        """The ranges where it holds; a range may be wider than that, or empty."""
        if self.kind == "zero":
            return self._narrowed_to_zero(ranges)
        found, least = dict(ranges), self.at_least() or Linear(0)
        for name, factor in least.terms:
            _, most = least.put(name, Linear(0)).within(ranges)
            low, high = found[name]
            if factor > 0:
                low = max(low, -(most // factor))
            else:
                high = min(high, most // -factor)
            found[name] = low, high
        return found

    def _narrowed_to_zero(self, ranges: Ranges) -> Ranges:
        if len(self.sum.terms) != 1 or self.sum.base % self.sum.terms[0][1]:
            return ranges
        (name, factor), found = self.sum.terms[0], dict(ranges)
        at, (low, high) = -self.sum.base // factor, ranges[name]
        if not self.negated:
            found[name] = max(low, at), min(high, at)
        elif at in (low, high):
            found[name] = low + (at == low), high - (at == high)
        return found


class Growing(Word):
    """A number of `width` bits that grows with counts."""

    __slots__ = ("sum", "width")

    def __init__(self, total: Linear, width: int) -> None:
        """It has a count."""
        self.sum, self.width = total, width

    def __eq__(self, other: object) -> bool:
        """The same sum of the same width."""
        return isinstance(other, Growing) and self.sum == other.sum and self.width == other.width

    def __hash__(self) -> int:
        """Of both."""
        return hash((self.sum, self.width))


class Public(Word):
    """Bits that are known, public or secret; or one public bit that is a test."""

    __slots__ = ("apart", "public", "secret", "test", "value")

    def __init__(
        self, value: int, public: int, secret: int, test: CountCondition | None = None,
        apart: Value | None = None,
    ) -> None:  # fmt: skip
        """`apart`: it is the exclusive OR of two numbers whose difference this is."""
        self.value, self.public, self.secret = value, public, secret
        self.test, self.apart = test, apart

    def _all(self) -> tuple[object, ...]:
        return self.value, self.public, self.secret, self.test, self.apart

    def __eq__(self, other: object) -> bool:
        """The same bits are known, public and secret."""
        return isinstance(other, Public) and self._all() == other._all()

    def __hash__(self) -> int:
        """Of all of it."""
        return hash(self._all())


Bits = tuple[int, int, int]
"""Value of the bits that are known; masks of those that are public, and secret."""


def open_bits(value: int, public: int, secret: int) -> Value:
    """The simplest word that says so."""
    public &= ~secret
    value &= ~(public | secret)
    if public:
        return Public(value, public, secret)
    return PartlyKnown(value, secret) if secret else value


def growing(total: Linear, width: int) -> Value:
    """A number where no count is left."""
    reduced = total.modulo(width)
    return Growing(reduced, width) if reduced.terms else reduced.base


def tested(test: CountCondition) -> Value:
    """The bit that is 1 where the test holds."""
    if not test.sum.terms:
        return int(test.decided({}) or 0)
    return Public(0, 1, 0, test)

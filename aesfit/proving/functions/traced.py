# SPDX-License-Identifier: MIT
"""The domain that follows secrets, with the path of each: instructions from its source on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..domain import Readable, Value
from ..known_bits import KnownBits, PartlyKnown, mask_of


class Trail:
    """An instruction that computed with a secret, and what computed the secret before."""

    __slots__ = ("at", "before", "source", "steps")

    def __init__(self, at: int, before: "Trail | None", source: str = "") -> None:
        """`at`: the address; `source`: words for the secret itself, where nothing is before."""
        self.at, self.before, self.source = at, before, source
        self.steps: int = before.steps + 1 if before else 0

    def __iter__(self) -> Iterator["Trail"]:
        """From the last step back to the source."""
        one: Trail | None = self
        while one is not None:
            yield one
            one = one.before


@dataclass(frozen=True)
class Distance:
    """How far a word is from another, whose value nobody knows: the end of a table's entry, say."""

    root: "TracedWord"
    sign: int
    """-1: the word is an offset less the root."""
    offset: int
    width: int
    """Bits of the sum; 0: it is the root itself."""

    def after(self, sign: int, offset: int, width: int) -> "Distance | None":
        """That of `sign` times the word, and an offset; None: of sums of another length."""
        if self.width not in (0, width):
            return None
        total = (sign * self.offset + offset) & ((1 << width) - 1)
        return Distance(self.root, sign * self.sign, total, width)

    def apart(self, other: "Distance", width: int, sign: int) -> int | None:
        """What is left of both where their roots are gone: `sign` -1 takes the other one away."""
        fits = {self.width, other.width} <= {0, width}
        if self.root is not other.root or self.sign != -sign * other.sign or not fits:
            return None
        return (self.offset + sign * other.offset) & ((1 << width) - 1)


class TracedWord(PartlyKnown):
    """A word with bits that depend on secrets, the path of one of them, and bounds."""

    __slots__ = ("_distance", "least", "most", "trail")

    def __init__(self, value: int, mask: int, trail: Trail) -> None:
        """`value` is 0 where the mask is 1."""
        super().__init__(value, mask)
        self.least, self.most, self.trail = value, value | mask, trail
        self._distance: Distance | None = None

    @property
    def distance(self) -> Distance:
        """From the word that it was computed from by sums with numbers, or from itself."""
        return self._distance or Distance(self, 1, 0, 0)

    @distance.setter
    def distance(self, known: Distance | None) -> None:
        self._distance = known


def _left(a: Value, b: Value, width: int, sign: int) -> int | None:
    """The number that a sum or a difference of secrets is."""
    if isinstance(a, TracedWord) and isinstance(b, TracedWord):
        return a.distance.apart(b.distance, width, sign)
    return None


def trail_of(*values: Value) -> Trail | None:
    """The shortest path of those that the values have."""
    found = [one.trail for one in values if isinstance(one, TracedWord)]
    return min(found, key=lambda one: one.steps, default=None)


def bounds(value: Value) -> tuple[int, int]:
    """The least and the most that an unsigned value may be."""
    if isinstance(value, TracedWord):
        return value.least, value.most
    if isinstance(value, PartlyKnown):
        return value.value, value.value | value.mask
    assert isinstance(value, int)  # noqa: S101 - the executor forces and refuses all else
    return value, value


class TracedBits(KnownBits):
    """Known bits whose secrets remember where they came from."""

    def __init__(self) -> None:
        """Nothing is executed yet."""
        self.at = 0
        """Address of the instruction that is executed."""

    def made(self, value: Value, *operands: Value) -> Value:
        """A result with the path of its operands."""
        if not isinstance(value, PartlyKnown):
            return value
        trail = trail_of(*operands)
        if trail is None or trail.at != self.at:
            trail = Trail(self.at, trail)
        return TracedWord(value.value, value.mask, trail)

    def secret(self, width: int, trail: Trail) -> Value:
        """A word all of whose bits are secret."""
        return TracedWord(0, (1 << width) - 1, trail)

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR; of words that differ by a number it is known whether it is 0."""
        apart = _left(a, b, width, -1)
        if apart == 0:
            return 0
        total = self.made(super().xor(a, b, width), a, b)
        if isinstance(total, TracedWord):
            total.least = max(total.least, int(apart is not None))
            if b == (1 << width) - 1 and isinstance(a, TracedWord):
                total.distance = a.distance.after(-1, -1, width)
        return total

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND."""
        return self.made(super().both(a, b, width), a, b)

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """The sum, with bounds where it cannot pass its length."""
        left = _left(a, b, width, 1)
        if left is not None:
            return (left + carry) & ((1 << width) - 1)
        total = self.made(super().add(a, b, carry, width), a, b)
        for one, other in ((a, b), (b, a)):
            if isinstance(total, TracedWord) and isinstance(one, TracedWord) and type(other) is int:
                total.distance = one.distance.after(1, other + carry, width)
        (a_least, a_most), (b_least, b_most) = bounds(a), bounds(b)
        if isinstance(total, TracedWord) and not carry and a_most + b_most < 1 << width:
            total.least = max(total.least, a_least + b_least)
            total.most = min(total.most, a_most + b_most)
        return total

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """The product."""
        return self.made(super().multiply(a, b, width), a, b)

    def is_zero(self, a: Value, width: int) -> Value:
        """One bit: every bit is 0."""
        if isinstance(a, TracedWord) and a.least > 0:
            return 0
        return self.made(super().is_zero(a, width), a)

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on."""
        return self.made(super().extract(a, low, width), a)

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above `low`."""
        return self.made(super().join(low, low_width, high, width), low, high)

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """Secret."""
        return self.made(super().unknown(name, values, width), *values)

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """A sum of bits for each row."""
        return self.made(super().linear(a, rows), a)

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """Secret, whatever lies there."""
        found = super().lookup(table, address, size)
        return None if found is None else self.made(found, address)

    def merged(self, a: Value, b: Value, trail: Trail) -> Value:
        """What is `a` on one side of a secret branch, and `b` on the other."""
        (low, high), (other_low, other_high) = bounds(a), bounds(b)
        a_mask, b_mask = mask_of(a), mask_of(b)
        mask = a_mask | b_mask | ((low_bits(a) ^ low_bits(b)) & ~(a_mask | b_mask))
        if not mask:
            return a
        word = TracedWord(low_bits(a) & ~mask, mask, trail)
        word.least = max(word.least, min(low, other_low))
        word.most = min(word.most, max(high, other_high))
        return word


def low_bits(value: Value) -> int:
    """The bits that are known; others are 0."""
    return value.value if isinstance(value, PartlyKnown) else bounds(value)[0]

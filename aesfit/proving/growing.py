# SPDX-License-Identifier: MIT
"""The domain of messages of any length: its words are those of sums.py."""

from collections.abc import Callable, Sequence

from .domain import Readable, Value
from .known_bits import KnownBits, PartlyKnown
from .sums import Bits, CountCondition, Growing, Linear, Public, Ranges, growing, open_bits, tested


class GrowingBits(KnownBits):
    """The domain's functions; of what does not grow those of KnownBits."""

    def __init__(self) -> None:
        """There is no count yet."""
        self.ranges: Ranges = {}

    # --- what a value is

    def exact(self, value: Value) -> Linear | None:
        """The sum that a value is, without a wrap; None where it is no sum, or may wrap."""
        if isinstance(value, int):
            return Linear(value)
        if not isinstance(value, Growing):
            return None
        low, high = value.sum.within(self.ranges)
        wraps = low >> value.width
        if high >> value.width != wraps:
            return None
        return value.sum.plus(Linear(-(wraps << value.width)))

    def bits(self, value: Value) -> Bits:
        """What is known of each bit."""
        if isinstance(value, int):
            return value, 0, 0
        if isinstance(value, PartlyKnown):
            return value.value, 0, value.mask
        if isinstance(value, Public):
            known = value.test.decided(self.ranges) if value.test else None
            return (known, 0, 0) if known is not None else (value.value, value.public, value.secret)
        assert isinstance(value, Growing)  # noqa: S101 - the executor forces and refuses all else
        low = _zeros(value.sum)
        sure = self.exact(value)
        high = sure.within(self.ranges)[1].bit_length() if sure else value.width
        return value.sum.base & ((1 << low) - 1), (1 << high) - 1 & ~((1 << low) - 1), 0

    def without_public(self, value: Value) -> Value:
        """With 0 for every bit that is public."""
        known, _, secret = self.bits(value)
        return open_bits(known & ~secret, 0, secret)

    def _plain(self, *values: Value) -> bool:
        return all(isinstance(one, int | PartlyKnown) for one in values)

    # --- functions of the domain

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR; of two sums it remembers how far they are apart."""
        if self._plain(a, b):
            return super().xor(a, b, width)
        if isinstance(a, int):
            a, b = b, a
        if b == 0:
            return a
        if isinstance(a, Growing) and b == (1 << width) - 1:
            return growing(Linear(-1).plus(a.sum, -1), width)
        if isinstance(a, Growing) and b == 1 << (width - 1) and a.width == width:
            return growing(a.sum.plus(Linear(b)), width)  # nothing is carried out of the top bit
        if isinstance(a, Public) and a.test and b == 1:
            return tested(a.test.opposite())
        (x, p, s), (y, q, t) = self.bits(a), self.bits(b)
        made = open_bits(x ^ y, p | q, s | t)
        one, other = self._modular(a, width), self._modular(b, width)
        if isinstance(made, Public) and one and other:
            apart = growing(one.plus(other, -1), width)
            if apart == 0:
                return 0
            return Public(made.value, made.public, made.secret, apart=apart)
        return made

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND."""
        if self._plain(a, b):
            return super().both(a, b, width)
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, Public) and a.test and b == 1:
            return a
        if isinstance(a, Growing) and isinstance(b, int):
            kept = self._masked(a, b, width)
            if kept is not None:
                return kept
        joined = _joined_tests(a, b)
        if joined is not None:
            return joined
        (x, p, s), (y, q, t) = self.bits(a), self.bits(b)
        unknown = ((p | s) & (q | t | y)) | ((q | t) & (p | s | x))
        secret = unknown & (s | t)
        return open_bits(x & y, unknown & ~secret, secret)

    def _masked(self, a: Growing, mask: int, width: int) -> Value | None:
        """A sum without its low bits, or these alone; None: the mask is another."""
        every, low = (1 << width) - 1, mask & -mask
        if mask == 0:
            return 0
        if mask & (mask + 1) == 0:
            return self.extract(a, 0, mask.bit_length())
        rest = self.extract(a, 0, low.bit_length() - 1)
        if mask | (low - 1) == every and isinstance(rest, int):
            return growing(a.sum.plus(Linear(-rest)), width)
        return None

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """The sum; where a secret is added, bits from its lowest on are secret."""
        if self._plain(a, b):
            return super().add(a, b, carry, width)
        one, other = self._modular(a, width), self._modular(b, width)
        if one and other:
            return growing(one.plus(other).plus(Linear(carry)), width)
        every, value, unknown, secret = (1 << width) - 1, carry, 0, 0
        for x, p, s in (self.bits(a), self.bits(b)):
            value, unknown = self._sum((value, unknown), (x, p | s), every)
            secret |= s
        above = every & -(secret & -secret) if secret else 0
        return open_bits(value, unknown & ~above, unknown & above)

    def _modular(self, value: Value, width: int) -> Linear | None:
        """A sum that is the value, modulo the width."""
        if isinstance(value, Growing) and value.width == width:
            return value.sum
        return self.exact(value)

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """The product."""
        if self._plain(a, b):
            return super().multiply(a, b, width)
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, Growing) and isinstance(b, int) and a.width == width:
            return growing(a.sum.times(b), width)
        (x, p, s), (y, q, t) = self.bits(a), self.bits(b)
        most = super().multiply(open_bits(x, 0, p | s), open_bits(y, 0, q | t), width)
        mask = most.mask if isinstance(most, PartlyKnown) else 0
        return open_bits(0, 0, mask) if s | t else open_bits(0, mask, 0)

    def is_zero(self, a: Value, width: int) -> Value:
        """One bit."""
        if self._plain(a):
            return super().is_zero(a, width)
        if isinstance(a, Public) and a.test:
            return tested(a.test.opposite())
        apart = a.apart if isinstance(a, Public) and a.apart is not None else a
        if isinstance(apart, int):
            return int(apart == 0)
        if isinstance(apart, Growing):
            wrapped = self._zero_at(apart)
            if wrapped is not None:
                return tested(CountCondition(apart.sum.plus(Linear(-wrapped)), "zero"))
        value, public, secret = self.bits(a)
        if value:
            return 0
        return open_bits(0, 0, 1) if secret else open_bits(0, 1, 0) if public else 1

    def _zero_at(self, value: Growing) -> int | None:
        """The one multiple of 2^width that a sum may reach, or is nearest to; None: two or more."""
        every = 1 << value.width
        low, high = value.sum.within(self.ranges)
        below, above = low // every * every, -(-high // every) * every
        reached = [one for one in range(below, above + 1, every) if low <= one <= high][:2]
        if not reached:
            return min(below, above, key=lambda one: min(abs(low - one), abs(high - one)))
        return reached[0] if len(reached) == 1 else None

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on."""
        if self._plain(a):
            return super().extract(a, low, width)
        if width == 0:
            return 0
        every = (1 << width) - 1
        if isinstance(a, Public) and a.test and low == 0:
            return a
        if isinstance(a, Growing):
            kept = self._cut(a, low, width)
            if kept is not None:
                return kept
        value, public, secret = self.bits(a)
        return open_bits(value >> low & every, public >> low & every, secret >> low & every)

    def _cut(self, a: Growing, low: int, width: int) -> Value | None:
        """Bits of a sum as a sum, or as a test; None: they are neither."""
        if low == 0 and width <= a.width:
            return growing(a.sum, width)
        sure = self.exact(a)
        if sure is None:
            return None
        if _zeros(sure) >= low:
            shifted = Linear(
                sure.base >> low, tuple((name, factor >> low) for name, factor in sure.terms)
            )
            return growing(shifted, width)
        if width == 1 and sure.within(self.ranges)[1] >> low < 2:
            return tested(CountCondition(sure.plus(Linear(-(1 << low))), "positive"))
        return None

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above `low`."""
        if self._plain(low, high):
            return super().join(low, low_width, high, width)
        if low == 0 and isinstance(high, Growing) and low_width + high.width >= width:
            return growing(high.sum.times(1 << low_width), width)  # shifted to the left
        one, other = self.exact(low), self.exact(high)
        if one and other:
            return growing(one.plus(other, 1 << low_width), width)
        (x, p, s), (y, q, t) = self.bits(low), self.bits(high)
        return open_bits(x | y << low_width, p | q << low_width, s | t << low_width)

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """Secret where an operand is."""
        every = (1 << width) - 1
        if any(self.bits(one)[2] for one in values):
            return open_bits(0, 0, every)
        return open_bits(0, every, 0)

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """A sum is secret where one of its terms is."""
        if self._plain(a):
            return super().linear(a, rows)
        value, public, secret = self.bits(a)
        known = _bits_of(rows, lambda row: (value & row).bit_count() & 1)
        return open_bits(
            known,
            _bits_of(rows, lambda row: int(public & row != 0)),
            _bits_of(rows, lambda row: int(secret & row != 0)),
        )

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """Whatever lies there, the choice may be secret."""
        return open_bits(0, 0, (1 << 8 * size) - 1)


def _bits_of(rows: Sequence[int], bit: Callable[[int], int]) -> int:
    return sum(bit(row) << at for at, row in enumerate(rows))


def _zeros(total: Linear) -> int:
    """Low bits that no count changes."""
    factors = [factor for _, factor in total.terms]
    return min(((one & -one).bit_length() - 1 for one in factors), default=1 << 10)


def _joined_tests(a: Value, b: Value) -> Value | None:
    """AND of "0 or more" and "not 0" of the same sum, as unsigned comparisons ask; else None."""
    if not (isinstance(a, Public) and isinstance(b, Public) and a.test and b.test):
        return None
    for one, other in ((a.test, b.test), (b.test, a.test)):
        least = one.at_least()
        if least and other.kind == "zero" and other.negated and least in _either_way(other.sum):
            return tested(CountCondition(least.plus(Linear(-1)), "positive"))
    return None


def _either_way(total: Linear) -> tuple[Linear, Linear]:
    return total, total.times(-1)

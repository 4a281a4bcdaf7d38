# SPDX-License-Identifier: MIT
"""The domain that follows secrets: every bit of a word is 0, 1, or depends on a secret.

Addition is that of Vishwanathan and others, Sound, Precise, and Fast Abstract Interpretation with
Tristate Numbers, CGO 2022, which leaves no bit unknown without need.
"""

from collections.abc import Sequence

from .domain import Readable, Value, Word


class PartlyKnown(Word):
    """Bits that are known, and a mask of those that depend on secrets."""

    __slots__ = ("mask", "value")

    def __init__(self, value: int, mask: int) -> None:
        """`value` is 0 where the mask is 1."""
        self.value, self.mask = value, mask

    def __eq__(self, other: object) -> bool:
        """The same bits are known, and are the same."""
        if not isinstance(other, PartlyKnown):
            return False
        return self.mask == other.mask and self.value == other.value

    def __hash__(self) -> int:
        """Of both."""
        return hash((self.value, self.mask))


def made(value: int, mask: int) -> Value:
    """A number where no bit depends on a secret."""
    return PartlyKnown(value & ~mask, mask) if mask else value


def secret(width: int) -> Value:
    """A word all of whose bits are secret."""
    return made(0, (1 << width) - 1)


def mask_of(value: Value) -> int:
    """The bits that depend on secrets."""
    return value.mask if isinstance(value, PartlyKnown) else 0


def _parts(value: Value) -> tuple[int, int]:
    if isinstance(value, PartlyKnown):
        return value.value, value.mask
    assert isinstance(value, int)  # noqa: S101 - the executor forces and refuses all else
    return value, 0


class KnownBits:
    """The domain's functions."""

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR."""
        (a_value, a_mask), (b_value, b_mask) = _parts(a), _parts(b)
        return made(a_value ^ b_value, a_mask | b_mask)

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND: a bit that is known to be 0 hides the other."""
        (a_value, a_mask), (b_value, b_mask) = _parts(a), _parts(b)
        mask = (a_mask & (b_mask | b_value)) | (b_mask & (a_mask | a_value))
        return made(a_value & b_value, mask)

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """The sum; the carry is a third term, known."""
        every = (1 << width) - 1
        total = self._sum(_parts(a), _parts(b), every)
        if carry:
            total = self._sum(total, (1, 0), every)
        return made(*total)

    def _sum(self, a: tuple[int, int], b: tuple[int, int], every: int) -> tuple[int, int]:
        least, masks = a[0] + b[0], a[1] + b[1]
        mask = ((least + masks) ^ least | a[1] | b[1]) & every
        return least & every & ~mask, mask

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """The product: below the lowest bits that may be set, and beyond its length, it is 0."""
        most = [value | mask for value, mask in (_parts(a), _parts(b))]
        if 0 in most:
            return 0
        low = sum((one & -one).bit_length() - 1 for one in most)
        high = min(width, sum(one.bit_length() for one in most))
        return made(0, max(0, (1 << high) - (1 << low)))

    def is_zero(self, a: Value, width: int) -> Value:
        """One bit: 0 where a bit is known to be 1."""
        value, mask = _parts(a)
        return 0 if value else secret(1) if mask else 1

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on."""
        value, mask = _parts(a)
        every = (1 << width) - 1
        return made(value >> low & every, mask >> low & every)

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above `low`."""
        (a_value, a_mask), (b_value, b_mask) = _parts(low), _parts(high)
        return made(a_value | b_value << low_width, a_mask | b_mask << low_width)

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """Secret where an operand is."""
        return secret(width)

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """A sum is secret where one of its terms is."""
        value, mask = _parts(a)
        known = sum(((value & row).bit_count() & 1) << at for at, row in enumerate(rows))
        return made(known, sum((mask & row != 0) << at for at, row in enumerate(rows)))

    def lookup(self, table: Readable, address: Value, size: int) -> Value | None:
        """Whatever lies there, the choice is secret."""
        return secret(8 * size)

# SPDX-License-Identifier: MIT
"""What a domain of values gives the executor: words beside plain numbers, and a few functions.

A value is a number, all of whose bits are known, or a word of the domain.  All other operations
are made of these functions in operations.py.
"""

from collections.abc import Sequence
from typing import Protocol


class Word:
    """A value of which some bits are no plain 0 or 1."""

    __slots__ = ()


class Unwritten(Word):
    """What a register or byte holds that nobody has written: it can be moved, not computed with."""

    __slots__ = ()


UNWRITTEN = Unwritten()
Value = int | Word


class Domain(Protocol):
    """Functions of values of `width` bits.  What can be a number is given back as a number."""

    def xor(self, a: Value, b: Value, width: int) -> Value:
        """Exclusive OR."""

    def both(self, a: Value, b: Value, width: int) -> Value:
        """AND."""

    def add(self, a: Value, b: Value, carry: int, width: int) -> Value:
        """The sum, and a carry of 0 or 1."""

    def multiply(self, a: Value, b: Value, width: int) -> Value:
        """The low half of the product."""

    def is_zero(self, a: Value, width: int) -> Value:
        """One bit: every bit is 0."""

    def extract(self, a: Value, low: int, width: int) -> Value:
        """Bits from `low` on; beyond the value they are 0."""

    def join(self, low: Value, low_width: int, high: Value, width: int) -> Value:
        """`high` above the `low_width` bits of `low`, `width` bits in all."""

    def unknown(self, name: str, values: tuple[Value, ...], width: int) -> Value:
        """What an operation gives of which the domain knows nothing else."""

    def linear(self, a: Value, rows: Sequence[int]) -> Value:
        """A bit for each row: the sum of the bits of `a` that the row, a mask, names."""

    def lookup(self, table: "Readable", address: Value, size: int) -> Value | None:
        """What `size` bytes hold at an address that is a word; None: it cannot be told."""


class Readable(Protocol):
    """Memory as lookups see it."""

    def constant(self, address: int, size: int) -> int | None:
        """Bytes that are known, as a number; None where they are not."""

    def value(self, address: int, size: int) -> Value | None:
        """Bytes as they are; None where nobody wrote one."""

    def fixed(self, address: int, size: int) -> bool:
        """They never change, whatever the function does."""

# SPDX-License-Identifier: MIT
"""Products of two words by two for ARMv7-M, by Karatsuba's method of three products of words.

The operands and three words of the key lie behind a pointer.  A shift is part of an operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .ghash import HALF, MASK, Products
from .program import Operation, Program

POINTER: Final = "at"
KEY_WORD: Final = 4
"""Words behind the pointer: two of the operand, whose place the product takes, then the key's."""
STRIDE: Final = 8
"""Words from one product to the next."""
LOWER: Final = (15, 17, 16)
"""How far THIRD is shifted down to be a mask of the bits n, n + 3, n + 6 ... of a half."""
QUARTER: Final = 0x11111111
"""Bits 0, 4, 8 ... 28."""


class LowPairs(Products):
    """By lower words of products of integers: halves of words, in three classes of bits."""

    kept = (POINTER, MASK)
    """What registers hold all the time."""

    def _shifted(self, name: str, a: str, b: str, shift: str, amount: int) -> str:
        """An operation whose second operand is shifted on its way."""
        return self._append(name, a, b, shift=shift if amount else "ror", amount=amount)

    def lower(self, word: str) -> list[str]:
        """Bits n, n + 3, n + 6 ... of the lower half, for n of 0 to 2, where they are."""
        return [self._shifted("and", word, MASK, "lsr", amount) for amount in LOWER]

    def upper(self, word: str) -> list[str]:
        """The same of the higher half, moved to bits 0, 3, 6 ..."""
        return [self._shifted("and", MASK, word, "lsr", HALF + number) for number in range(3)]

    def _class(self, a: Sequence[str], b: Sequence[str], number: int, *, moved: bool) -> str:
        """One of three classes of bits of a product, moved down if the thirds were."""
        at, above = self.met(a, b, number)
        if not moved:
            return self._shifted("and", self.xor(*at, *above), MASK, "lsl", number)
        total = self.xor(*at)
        if above:
            total = self._shifted("eor", total, self.xor(*above), "lsl", 3)
        return self._append("and", total, MASK)

    def product(self, a: Sequence[str], b: Sequence[str], *, moved: bool) -> str:
        """Of two halves, of their thirds."""
        found = self._class(a, b, 0, moved=moved)
        for number in (1, 2):
            one = self._class(a, b, number, moved=moved)
            found = self._shifted("orr", found, one, "lsl", number if moved else 0)
        return found

    def word(self, a: str, b: str) -> tuple[str, str]:
        """The lower and the higher word of a product."""
        low = self.product(self.lower(a), self.lower(b), moved=False)
        high = self.product(self.upper(a), self.upper(b), moved=True)
        sums = [self.lower(self._shifted("eor", x, x, "lsr", HALF)) for x in (a, b)]
        middle = self.xor(self.product(*sums, moved=False), low, high)
        return (
            self._shifted("eor", low, middle, "lsl", HALF),
            self._shifted("eor", high, middle, "lsr", HALF),
        )


class LongPairs(Products):
    """By products of integers of 64 bits: words in four classes of bits."""

    kept = (POINTER,)

    def _masked(self, a: str, number: int) -> str:
        return self._append("and", a, immediate=QUARTER << number)

    def _long(self, a: str, b: str) -> tuple[str, str]:
        low, high = f"v{len(self.operations)}", f"h{len(self.operations)}"
        self.operations.append(Operation("umull", low, a, b, more=(high,)))
        return low, high

    def word(self, a: str, b: str) -> tuple[str, str]:
        """The lower and the higher word of a product."""
        x, y = ([self._masked(one, number) for number in range(4)] for one in (a, b))
        found: list[str] = []
        for number in range(4):
            sums = zip(*(self._long(x[i], y[(number - i) % 4]) for i in range(4)), strict=True)
            masked = [self._masked(self.xor(*one), number) for one in sums]
            pairs = zip(found or masked, masked, strict=True)
            found = [self._append("orr", *pair) for pair in pairs] if found else masked
        return found[0], found[1]


def pair(writer: LowPairs | LongPairs) -> Program:
    """Two words by two; the pointer stays, and so does a mask."""
    x = [_word(writer, i) for i in range(2)]
    x.append(writer.xor(*x))
    (l0, h0), (l1, h1), (l2, h2) = (
        writer.word(one, _word(writer, KEY_WORD + i)) for i, one in enumerate(x)
    )
    both = writer.xor(h0, l1)
    words = l0, writer.xor(both, l0, l2), writer.xor(both, h1, h2), h1
    return Program(writer.kept, tuple(writer.operations), (*words, *writer.kept))


def _word(writer: Products, number: int) -> str:
    out = f"v{len(writer.operations)}"
    writer.operations.append(Operation("word", out, POINTER, immediate=number))
    return out

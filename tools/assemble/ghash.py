# SPDX-License-Identifier: MIT
"""The product of two words without carries that GHASH is made of, in the operations of program.py.

As in lib/src/ghash/mul_low.c: integers that use every third bit only multiply without a carry into
the next used bit, as long as at most seven products of bits meet; of two halves of words six do.
Karatsuba's method makes a product of words of three of halves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .program import Operation, Program

THIRD: Final = 0x49249249
"""Bits 0, 3, 6 ... 30."""
HALF: Final = 16
"""Bits."""
A, B, MASK = "a", "b", "third"
"""The factors, and THIRD."""
_CLASSES: Final = ((0, 0), (1, 2), (2, 1)), ((0, 1), (1, 0), (2, 2)), ((0, 2), (1, 1), (2, 0))
"""Which thirds of both factors give bits n, n + 3, n + 6 ... of the product."""


@dataclass
class Products:
    """Appends operations; a value is known by its name."""

    operations: list[Operation] = field(default_factory=list)

    def _append(self, name: str, a: str, b: str = "", **rest: int | str) -> str:
        out = f"v{len(self.operations)}"
        self.operations.append(Operation(name, out, a, b, **rest))  # type: ignore[arg-type]
        return out

    def xor(self, first: str, *others: str) -> str:
        """The sum."""
        for other in others:
            first = self._append("eor", first, other)
        return first

    def met(self, a: Sequence[str], b: Sequence[str], number: int) -> tuple[list[str], list[str]]:
        """Products of thirds that give bits `number`, `number` + 3 ..., and that do 3 bits on."""
        at: list[str] = []
        above: list[str] = []
        for i, j in _CLASSES[number]:
            (at if i + j == number else above).append(self._append("mul", a[i], b[j]))
        return at, above


class LowWords(Products):
    """By lower words of products of integers: halves of words, in three classes of bits.

    Thirds of a half are moved down to bits 0, 3, 6 ..., so that one mask serves all.
    """

    def low(self, a: str) -> str:
        """The lower half."""
        return self._append("and", a, immediate=(1 << HALF) - 1)

    def left(self, a: str, amount: int) -> str:
        """Shifted up."""
        return self._append("lsl", a, amount=amount) if amount else a

    def right(self, a: str, amount: int) -> str:
        """Shifted down."""
        return self._append("lsr", a, amount=amount) if amount else a

    def thirds(self, half: str) -> list[str]:
        """Bits n, n + 3, n + 6 ... of a half, for n of 0 to 2, all moved down to bits 0, 3, 6."""
        return [self._append("and", self.right(half, n), MASK) for n in range(3)]

    def _class(self, a: Sequence[str], b: Sequence[str], number: int) -> str:
        at, above = self.met(a, b, number)
        total = self.xor(*([self.left(self.xor(*above), 3)] if above else []), *at)
        return self.left(self._append("and", total, MASK), number)

    def half(self, a: str, b: str) -> str:
        """The product of two halves."""
        x, y = self.thirds(a), self.thirds(b)
        first, *others = (self._class(x, y, number) for number in (2, 1, 0))
        for other in others:
            first = self._append("orr", first, other)
        return first

    def word(self, a: str, b: str) -> tuple[str, str]:
        """The lower and the higher word of a product."""
        a0, b0, a1, b1 = self.low(a), self.low(b), self.right(a, HALF), self.right(b, HALF)
        low, high = self.half(a0, b0), self.half(a1, b1)
        middle = self.xor(self.half(self.xor(a0, a1), self.xor(b0, b1)), low, high)
        return self.xor(self.left(middle, HALF), low), self.xor(self.right(middle, HALF), high)


def product() -> Program:
    """Of two words; the mask stays."""
    writer = LowWords()
    words = writer.word(A, B)
    return Program((A, B, MASK), tuple(writer.operations), (*words, MASK))

# SPDX-License-Identifier: MIT
"""A straight-line program of word operations, before anything is known of a processor.

Every value is written once.  A rotation costs nothing where the processor rotates the second
operand of an operation, so a `Word` may carry one that nobody has computed yet: sums hand it on,
and it disappears in the operation that uses the word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

WORD_MASK = 0xFFFFFFFF
KEY = "rk"
"""The key pointer: what operations that load a word of the round key read."""


def rotate_right(x: int, amount: int) -> int:
    """A word of 32 bits, rotated."""
    amount %= 32
    return (x >> amount | x << (32 - amount)) & WORD_MASK


@dataclass(frozen=True)
class Operation:
    """`out` = `a` and, by name: eor, and with the second operand; key: word `immediate` of the key.

    The second operand is the value `b` after `shift` by `amount`, or `immediate`.
    """

    name: str
    out: str
    a: str = ""
    b: str = ""
    shift: str = "ror"
    amount: int = 0
    immediate: int = 0

    def operands(self) -> tuple[str, ...]:
        """Values that it reads."""
        return (
            (KEY,) if self.name == "key" else tuple(dict.fromkeys(filter(None, (self.a, self.b))))
        )

    def value(self, values: dict[str, int], key: Sequence[int]) -> int:
        """The result on a computer, from those of the operations before."""
        if self.name == "key":
            return key[self.immediate]
        second = self._shifted(values[self.b]) if self.b else self.immediate
        first = values[self.a]
        return first ^ second if self.name == "eor" else first & second

    def _shifted(self, x: int) -> int:
        if self.shift == "ror":
            return rotate_right(x, self.amount)
        return (x << self.amount & WORD_MASK) if self.shift == "lsl" else x >> self.amount


@dataclass(frozen=True)
class Program:
    """Operations in an order that works, with the values that enter and leave."""

    inputs: tuple[str, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[str, ...]

    def run(self, words: Sequence[int], key: Sequence[int] = ()) -> list[int]:
        """The outputs, computed on this computer."""
        values = dict(zip((name for name in self.inputs if name != KEY), words, strict=True))
        for one in self.operations:
            values[one.out] = one.value(values, key)
        return [values[name] for name in self.outputs]

    def needed(self) -> Program:
        """Without operations that no output depends on."""
        wanted, kept = set(self.outputs), []
        for one in reversed(self.operations):
            if one.out in wanted:
                wanted.update(one.operands())
                kept.append(one)
        return Program(self.inputs, tuple(reversed(kept)), self.outputs)


@dataclass(frozen=True)
class Word:
    """A value that stands for its rotation to the right by `ror` bits."""

    name: str
    ror: int = 0

    def rotated(self, amount: int) -> Word:
        """The word rotated further, at no cost."""
        return Word(self.name, (self.ror + amount) % 32)


@dataclass
class Writer:
    """Appends operations under fresh names."""

    operations: list[Operation] = field(default_factory=list)
    names: Iterator[str] = field(default_factory=lambda: (f"v{i}" for i in range(1 << 20)))

    def _append(self, name: str, a: str = "", b: str = "", **rest: int | str) -> str:
        out = next(self.names)
        self.operations.append(Operation(name, out, a, b, **rest))  # type: ignore[arg-type]
        return out

    def key(self, index: int) -> Word:
        """A word of the round key."""
        return Word(self._append("key", immediate=index))

    def xor(self, first: Word, *others: Word) -> Word:
        """The sum.  Its own rotation is that of the first word."""
        for other in others:
            amount = (other.ror - first.ror) % 32
            first = Word(self._append("eor", first.name, other.name, amount=amount), first.ror)
        return first

    def mask(self, word: Word, mask: int) -> Word:
        """The bits of the word at which the mask has ones."""
        moved = rotate_right(mask, -word.ror)
        return Word(self._append("and", word.name, immediate=moved), word.ror)

    def product(self, a: Word, b: Word) -> Word:
        """The bits that both words have."""
        if a.ror or b.ror:
            raise ValueError("gates take words that are not rotated")
        return Word(self._append("and", a.name, b.name))

    def xor_shifted(self, a: Word, b: Word, shift: str, amount: int) -> Word:
        """The sum of a and b, b shifted to the left or right with zeros following."""
        if a.ror or b.ror:
            raise ValueError("a shift takes words that are not rotated")
        return Word(self._append("eor", a.name, b.name, shift=shift, amount=amount))

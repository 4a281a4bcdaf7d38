# SPDX-License-Identifier: MIT
"""A straight-line program of word operations, before anything is known of a processor.

Every value is written once.  A rotation costs nothing where the processor rotates the second
operand of an operation, so a `Word` may carry one that nobody has computed yet: sums hand it on,
and it disappears in the operation that uses the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

WORD_MASK = 0xFFFFFFFF
KEY = "rk"
"""The key pointer: what operations that load a word of the round key read."""


def rotate_right(x: int, amount: int) -> int:
    """A word of 32 bits, rotated."""
    amount %= 32
    return (x >> amount | x << (32 - amount)) & WORD_MASK


def shifted(x: int, shift: str, amount: int) -> int:
    """A word rotated to the right, or shifted."""
    if shift == "ror":
        return rotate_right(x, amount)
    return (x << amount & WORD_MASK) if shift == "lsl" else x >> amount


GATES: Final[Mapping[str, Callable[[int, int], int]]] = {
    "eor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "bic": lambda a, b: a & ~b,
    "orr": lambda a, b: a | b,
    "mul": lambda a, b: a * b & WORD_MASK,
    "sub": lambda a, b: (a - b) & WORD_MASK,
}


@dataclass(frozen=True)
class Operation:
    """`out` = `a` and, by name: eor, and, bic, orr, mul, sub with the second operand.

    The second operand is the value `b` after `shift` by `amount`, or `immediate`.  key, keys: words
    of the round key, from word `immediate` on, by way of the key pointer or of `a`; point:
    the key pointer moved to the round key; word: a word of the round key, by way of a register that
    always holds the pointer; lsl, lsr: `a` shifted by `amount`; ror: `a` rotated by `b`; mov:
    `immediate`; umull: the lower and the higher word of the product of `a` and `b`.
    """

    name: str
    out: str
    a: str = ""
    b: str = ""
    shift: str = "ror"
    amount: int = 0
    immediate: int = 0
    more: tuple[str, ...] = ()
    """Further results."""

    @property
    def outs(self) -> tuple[str, ...]:
        """All results."""
        return (self.out, *self.more)

    def operands(self) -> tuple[str, ...]:
        """Values that it reads."""
        if self.name in ("key", "keys", "point"):
            return (self.a or KEY,)
        return tuple(dict.fromkeys(filter(None, (self.a, self.b))))

    @property
    def is_key(self) -> bool:
        """It reads words of the round key."""
        return self.name in ("key", "keys", "word")

    def results(self, values: Mapping[str, int], key: Sequence[int]) -> tuple[int, ...]:
        """The results on a computer, from those of the operations before."""
        if self.name == "point":
            return (0,)
        if self.is_key:
            return tuple(key[self.immediate : self.immediate + len(self.outs)])
        if self.name == "mov":
            return (self.immediate,)
        if self.name == "umull":
            product = values[self.a] * values[self.b]
            return (product & WORD_MASK, product >> 32)
        if self.name == "ror":
            return (rotate_right(values[self.a], values[self.b]),)
        if self.name in ("lsl", "lsr"):
            return (shifted(values[self.a], self.name, self.amount),)
        second = shifted(values[self.b], self.shift, self.amount) if self.b else self.immediate
        return (GATES[self.name](values[self.a], second),)


@dataclass(frozen=True)
class Program:
    """Operations in an order that works, with the values that enter and leave."""

    inputs: tuple[str, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[str, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    """Values that have a place in memory from the start."""

    def values(self, words: Sequence[int], key: Sequence[int] = ()) -> dict[str, int]:
        """All values, computed on this computer."""
        values = dict(zip((name for name in self.inputs if name != KEY), words, strict=True))
        values |= self.constants
        for one in self.operations:
            values |= zip(one.outs, one.results(values, key), strict=True)
        return values

    def run(self, words: Sequence[int], key: Sequence[int] = ()) -> list[int]:
        """The outputs."""
        values = self.values(words, key)
        return [values[name] for name in self.outputs]

    def needed(self) -> Program:
        """Without operations that no output depends on."""
        wanted, kept = set(self.outputs), []
        for one in reversed(self.operations):
            if not wanted.isdisjoint(one.outs):
                wanted.update(one.operands())
                kept.append(one)
        constants = {name: value for name, value in self.constants.items() if name in wanted}
        return Program(self.inputs, tuple(reversed(kept)), self.outputs, constants)


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

    first_inputs: ClassVar[tuple[str, ...]] = (KEY,)
    """What is in registers at the start, beside the state."""
    operations: list[Operation] = field(default_factory=list)
    names: Iterator[str] = field(default_factory=lambda: (f"v{i}" for i in range(1 << 20)))
    constants: dict[str, int] = field(default_factory=dict)
    """Masks by name, where they are no part of an operation."""

    def _append(
        self, name: str, a: str = "", b: str = "", **rest: int | str | tuple[str, ...]
    ) -> str:
        out = next(self.names)
        self.operations.append(Operation(name, out, a, b, **rest))  # type: ignore[arg-type]
        return out

    def keys(self) -> Iterator[Word]:
        """The words of the round key, one after the other."""
        return (Word(self._append("key", immediate=index)) for index in range(8))

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

    def rotated_bytes(self, word: Word, amount: int) -> Word:
        """Every byte rotated to the right: two masked words, rotated 8 bits apart."""
        low_bits = ((1 << amount) - 1) * 0x01010101
        parts = self.mask(word, low_bits ^ WORD_MASK), self.mask(word, low_bits).rotated(24)
        return self.xor(*parts).rotated(amount)

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

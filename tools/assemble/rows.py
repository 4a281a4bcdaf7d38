# SPDX-License-Identifier: MIT
"""Rounds of AES with one word per row of the state (lib/src/cores/transposed.c) as programs.

Only SubBytes reads a table, of 256 bytes; ShiftRows chooses which byte of its own row goes where;
MixColumns works on four columns at once and needs no rotation.  Round keys are rows too; the
functions around these programs add them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from .lookups import BYTES, LookupWriter
from .program import Program, Word

STATE: Final = ("s0", "s1", "s2", "s3")
TABLE, LOW, TOP, POLYNOMIAL, ODD = "table", "low", "top", "polynomial", "odd"
"""The S-box's address; the lowest byte; the topmost bits of all bytes; what a byte is reduced by;
every other byte."""
FIXED: Final = {
    TABLE: 0, LOW: 0xFF, TOP: 0x80808080, POLYNOMIAL: 0x1B1B1B1B, ODD: 0x00FF00FF,
}  # fmt: skip
"""What they are on this computer, where an address is worth nothing."""


class RowWriter(LookupWriter):
    """What instruction sets do in different ways."""

    @abstractmethod
    def fixed(self, name: str) -> str:
        """A value of FIXED in a register that operations reach."""

    @abstractmethod
    def substituted(self, row: str, places: Sequence[int], content: Sequence[int]) -> str:
        """The word of these bytes of a row, the lowest first, after a look at the table."""

    @abstractmethod
    def moved(self, name: str, a: str, b: str, shift: str, amount: int) -> str:
        """The operation of a with b shifted."""

    def pair(self, name: str, a: str, b: str) -> str:
        """The operation of two values."""
        return self._append(name, a, b)

    def sum(self, first: str, *others: str) -> str:
        """Of all of them."""
        return self.xor(Word(first), *map(Word, others)).name

    def doubled(self, row: str) -> str:
        """Twice each byte: the topmost bits less the lowest are a mask for the polynomial."""
        top = self.pair("and", row, self.fixed(TOP))
        rest = self.pair("eor", row, top)
        below = self.moved("sub", top, top, "lsr", 7)
        reduced = self.pair("and", below, self.fixed(POLYNOMIAL))
        return self.moved("eor", reduced, rest, "lsl", 1)

    def exchanged(self, a: str, b: str, amount: int) -> tuple[str, str]:
        """The bits of a above `amount` and those of b below it change places, in each such pair."""
        if amount == 16:
            apart = self._append("lsl", self.moved("eor", b, a, "lsr", 16), amount=16)
            return self.sum(a, apart), self.moved("eor", b, apart, "lsr", 16)
        apart = self.pair("and", self.moved("eor", b, a, "lsr", amount), self.fixed(ODD))
        return self.moved("eor", a, apart, "lsl", amount), self.sum(b, apart)


class ArmRows(RowWriter):
    """ARM state shifts an operand, and an index, at no cost; what is fixed is in registers."""

    first_inputs = (TABLE, LOW, TOP, POLYNOMIAL)
    odd = ""

    def fixed(self, name: str) -> str:
        """An input; what is every other byte is made of the lowest."""
        if name == ODD and not self.odd:
            self.odd = self.moved("eor", LOW, LOW, "lsl", 16)
        return self.odd if name == ODD else name

    def substituted(self, row: str, places: Sequence[int], content: Sequence[int]) -> str:
        """Four loads, then three sums."""
        letters = [self._letter(row, place, content) for place in places]
        word = letters[0]
        for at, letter in enumerate(letters[1:], start=1):
            word = self.moved("eor", word, letter, "lsl", 8 * at)
        return word

    def _letter(self, row: str, place: int, content: Sequence[int]) -> str:
        if place == 3:
            return self.lookup("topmost", row, TABLE, content=content)
        index = self.lookup("byte", row, amount=8 * place)
        return self.lookup("letter", index, TABLE, content=content)

    def moved(self, name: str, a: str, b: str, shift: str, amount: int) -> str:
        """One instruction."""
        return self._append(name, a, b, shift=shift, amount=amount)


class ThumbRows(RowWriter):
    """ARMv6-M shifts by an instruction; what is fixed is in high registers, a MOV away."""

    first_inputs = ()

    def __init__(self) -> None:
        """Each piece fetches what is fixed once; a search may fetch it again."""
        super().__init__()
        self._held: dict[str, str] = {}

    def fixed(self, name: str) -> str:
        """Fetched."""
        if name not in self._held:
            self._held[name] = self._made() if name == ODD else self._fetched(name)
        return self._held[name]

    def _fetched(self, name: str) -> str:
        return self._append("mov", immediate=FIXED[name])

    def _made(self) -> str:
        low = self._fetched(LOW)
        return self.moved("eor", low, low, "lsl", 16)

    def substituted(self, row: str, places: Sequence[int], content: Sequence[int]) -> str:
        """Byte by byte from the highest, so that one register collects them."""
        word = ""
        for place in reversed(places):
            letter = self.lookup(
                "letter", self._index(row, place), self.fixed(TABLE), content=content
            )
            word = self.sum(self._append("lsl", word, amount=8), letter) if word else letter
        return word

    def _index(self, row: str, place: int) -> str:
        if place == 3:
            return self._append("lsr", row, amount=24)
        low = self._append("lsr", row, amount=8 * place) if place else row
        return self.lookup("byte", low)

    def moved(self, name: str, a: str, b: str, shift: str, amount: int) -> str:
        """Two instructions."""
        return self._append(name, a, self._append(shift, b, amount=amount))


def _program(writer: RowWriter, outputs: Sequence[str]) -> Program:
    kept = writer.first_inputs
    return Program((*STATE, *kept), tuple(writer.operations), (*outputs, *kept))


def substitution(writer: RowWriter, *, inverse: bool) -> Program:
    """SubBytes and ShiftRows, or their inverses."""
    rows = []
    for number, row in enumerate(STATE):
        left = -number if inverse else number
        places = [(column + left) % 4 for column in range(4)]
        rows.append(writer.substituted(row, places, BYTES[inverse]))
    return _program(writer, rows)


def mix(writer: RowWriter, *, inverse: bool) -> Program:
    """MixColumns or its inverse, as transposed_mix_doubled() and transposed_inv_mix() do it."""
    x0, x1, x2, x3 = STATE
    a, c = writer.sum(x0, x1), writer.sum(x2, x3)
    b = writer.sum(x1, x2)
    y0, y1, y2 = writer.sum(x1, c), writer.sum(x0, c), writer.sum(x3, a)
    a, b = writer.doubled(a), writer.doubled(b)
    y0, y1 = writer.sum(y0, a), writer.sum(y1, b)
    even = writer.sum(a, b) if inverse else ""
    c = writer.doubled(c)
    y2, y3 = writer.sum(y2, c), writer.sum(x2, c, y0, y1)
    if not inverse:
        return _program(writer, (y0, y1, y2, y3))
    even, odd = writer.doubled(even), writer.doubled(writer.sum(b, c))
    every = writer.doubled(writer.sum(even, odd))
    even, odd = writer.sum(even, every), writer.sum(odd, every)
    return _program(
        writer, [writer.sum(y, z) for y, z in zip((y0, y1, y2, y3), (even, odd) * 2, strict=True)]
    )


def transposition(writer: RowWriter) -> Program:
    """Columns become rows, and rows columns."""
    w0, w1, w2, w3 = STATE
    w0, w1 = writer.exchanged(w0, w1, 8)
    w2, w3 = writer.exchanged(w2, w3, 8)
    w0, w2 = writer.exchanged(w0, w2, 16)
    w1, w3 = writer.exchanged(w1, w3, 16)
    return _program(writer, (w0, w1, w2, w3))


def pieces(writer: Callable[[], RowWriter]) -> dict[str, Program]:
    """The programs of both directions, by name."""
    made = {"transposition": transposition(writer())}
    for way, inverse in (("encrypt", False), ("decrypt", True)):
        made[f"{way}_substitution"] = substitution(writer(), inverse=inverse)
        made[f"{way}_mix"] = mix(writer(), inverse=inverse)
    return made

# SPDX-License-Identifier: MIT
"""Rounds of AES with one table of 1024 words (lib/src/cores/ttable_diffused.c) as programs.

A byte times 16 leads to four words, of which its row takes one by a constant offset.

On ARMv6-M operations reach eight registers: too few for four old columns, four new ones, what
addresses a word, and the mask of 0xff0.  So a round
  - begins two new columns with bytes of rows 0 and 3 while the table's address is in a register,
    which loads add at no cost, and takes the mask there instead for the rest of these columns;
  - begins the other two columns with an old column that is not needed any more then;
  - takes bytes 0 and 3, which two shifts place as well as a shift and the mask, while seven columns
    leave no register for the mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from make_tables import INV_SBOX, SBOX

from .lookups import WORDS
from .program import Operation, Program, Writer, rotate_right

STATE: Final = ("s0", "s1", "s2", "s3")
TABLE, MASK = "table", "mask"
"""What is fixed: the table's address, and the bits of a byte times 16."""
FIXED: Final = {TABLE: 0, MASK: 0xFF0}
"""What they are on this computer, where an address is worth nothing."""
BOX: Final = 256
"""How far in front of the table the S-box is, in bytes."""
REACHED: Final = {0: ((0, 0), (1, 0)), 3: ((3, 3), (0, 3))}
"""By row, old columns and rows of the bytes that are read while the table's address is in a
register.  In decryption columns are 4 - c where they are c here."""
FIRST_MASKED: Final = ((1, 1), (2, 2), (2, 1), (3, 2), (0, 2), (0, 1))
"""Those that follow with the mask: the rest of new columns 0 and 1, and of old column 0."""
CROWDED: Final = ((2, 0), (2, 3))
LAST_MASKED: Final = ((1, 3), (1, 2), (3, 0), (3, 1))
CONTENT: Final = {
    inverse: [rotate_right(words[x], -8 * row) for x in range(256) for row in range(4)]
    for inverse, words in WORDS.items()
}
"""The table, by whether it is that of decryption."""
BYTES: Final = {False: SBOX, True: INV_SBOX}


@dataclass(frozen=True)
class Diffused(Operation):
    """Also reach: a plus the table's address.

    row: the word `immediate` bytes behind a or, where that has not reached the table yet, behind a
    plus the address b.  next: the address a plus `immediate`.
    byte: the lowest byte of a.  box: the address of the S-box.  letter: its byte at index a.
    made: the mask, which is kept from then on.
    """

    inverse: bool = field(default=False, compare=False)

    def results(self, values: Mapping[str, int], key: Sequence[int]) -> tuple[int, ...]:
        """The result on a computer, where addresses are worth nothing."""
        match self.name:
            case "reach" | "next":
                return (values[self.a] + self.immediate,)
            case "row":
                at = values[self.a] + (values[self.b] if self.b else 0) + self.immediate
                return (CONTENT[self.inverse][at // 4],)
            case "byte":
                return (values[self.a] & 0xFF,)
            case "letter":
                return (BYTES[self.inverse][values[self.a]],)
            case "box" | "made":
                return (self.immediate,)
        return super().results(values, key)


@dataclass
class Round(Writer):
    """A round, byte by byte."""

    inverse: bool = False
    held: dict[str, str] = field(default_factory=dict)
    """What is fixed and in a register now."""
    sums: dict[int, str] = field(default_factory=dict)

    def own(self, name: str, a: str = "", b: str = "", immediate: int = 0) -> str:
        """The result of an operation that only these programs have."""
        out = next(self.names)
        one = Diffused(name, out, a, b, immediate=immediate, inverse=self.inverse)
        self.operations.append(one)
        return out

    def pair(self, name: str, a: str, b: str) -> str:
        """The operation of two values."""
        return self._append(name, a, b)

    def shift(self, name: str, a: str, amount: int) -> str:
        """A shift by a constant."""
        return self._append(name, a, amount=amount)

    def hold(self, name: str) -> None:
        """The only fixed value in a register from now on."""
        self.held = {name: self._append("mov", immediate=FIXED[name])}

    def source(self, new: int, row: int) -> str:
        """The old column of which a new one takes this row."""
        return STATE[(new - row if self.inverse else new + row) % 4]

    def offset(self, x: str, row: int) -> str:
        """Byte `row` of a column, times 16."""
        if row == 0:
            return self.shift("lsr", self.shift("lsl", x, 24), 20)
        if row == 3:
            return self.shift("lsl", self.shift("lsr", x, 24), 4)
        return self.pair("and", self.shift("lsr", x, 8 * row - 4), self.held[MASK])

    def look(self, places: Sequence[tuple[int, int]]) -> None:
        """Adds the words of these bytes to the new columns."""
        for column, row in places:
            new = (row - column if self.inverse else column - row) % 4
            at = self.offset(self.source(new, row), row)
            if TABLE in self.held:
                word = self.own("row", at, self.held[TABLE])
            else:
                word = self.own("row", self.own("reach", at), immediate=4 * row)
            before = self.sums.get(new, "")
            self.sums[new] = self.pair("eor", before, word) if before else word

    def look_reached(self) -> None:
        """The same with the table's address, which goes from row to row, in a register."""
        self.hold(TABLE)
        for row, places in REACHED.items():
            if row:
                self.held = {TABLE: self.own("next", self.held[TABLE], immediate=4 * row)}
            self.look(places)

    def substituted(self, box: str, new: int) -> str:
        """A column of the last round, from the highest byte on: one register collects it."""
        word = ""
        for row in (3, 2, 1, 0):
            x = self.source(new, row)
            index = self.shift("lsr", x, 8 * row) if row else x
            letter = self.own("letter", index if row == 3 else self.own("byte", index), box)
            word = self.pair("eor", self.shift("lsl", word, 8), letter) if word else letter
        return word


def middle(*, inverse: bool, first: bool = False) -> Program:
    """A round without its key, for ARMv6-M; the first one makes the mask."""
    one = Round(inverse=inverse)
    one.look_reached()
    if first:
        one.held = {MASK: one.own("made", immediate=FIXED[MASK])}
    else:
        one.hold(MASK)
    one.look(FIRST_MASKED)
    one.held = {}
    one.look(CROWDED)
    one.hold(MASK)
    one.look(LAST_MASKED)
    return Program(STATE, tuple(one.operations), tuple(one.sums[i] for i in range(4)))


def last(*, inverse: bool) -> tuple[Program, list[str]]:
    """The round that reads the S-box, without its key, for ARMv6-M, and its schedule.

    Column 0 waits in a further register while the others are made.
    """
    one = Round(inverse=inverse)
    box = one.own("box")
    one.sums[0] = one.substituted(box, 0)
    first = len(one.operations)
    for new in (1, 2, 3):
        one.sums[new] = one.substituted(box, new)
    order = [each.out for each in one.operations]
    schedule = [*order[:first], f"out {one.sums[0]}", *order[first:], f"in {one.sums[0]}"]
    return Program(STATE, tuple(one.operations), tuple(one.sums[i] for i in range(4))), schedule

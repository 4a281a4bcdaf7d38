# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable_diffused_rv32.h: two functions for blocks with the table of 4 KiB.

Ten rounds stand one after the other.  The first is a loop, which 12 rounds go through three times
and 14 rounds five times.  Instructions keep the order of the programs below.  Fifteen registers are
enough, so none is preserved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import c_text, diffused, key_schedule
from .allocate import Registers, colour, parallel_moves, read
from .program import Operation, Program
from .targets import rv32 as target

CORE: Final = "ttable_diffused_rv32"
KEY, OUT, IN, COUNT, TABLE, LIMIT, MASK = "a0", "a1", "a2", "a3", "a4", "a5", "a6"
"""Registers of arguments, and of the mask.  KEY goes on to LIMIT, where ten rounds are left."""
WORKING: Final = (IN, "a7", *(f"t{i}" for i in range(7)))
"""The other registers that a function need not preserve; IN is free once a block is loaded."""
FIRST: Final = ("t0", "t1", "t2", "t3")
"""Registers of the columns before the first round."""
FRAME: Final = {KEY: 0, IN: 4}
"""Offsets in the stack frame: arguments that a block uses up."""
STACK: Final = 16
ROUNDS: Final = 10
"""Rounds of the shortest keys."""
ROUND_KEY: Final = 16
"""Bytes."""
OPTIONS: Final = (".option push", ".option norvc")
"""Compressed instructions, which few of these could be, would move the others off words."""
FUNCTION: Final = """\
/* $WHAT blocks.  $BYTES bytes of code; $STACK bytes of stack. */
$LINKAGE void $NAME_blocks(const uint32_t *key AESFIT_ARGUMENT,
$INDENT uint8_t *out AESFIT_ARGUMENT,
$INDENT const uint8_t *in AESFIT_ARGUMENT,
$INDENT size_t blocks AESFIT_ARGUMENT,
$INDENT const uint32_t *table AESFIT_ARGUMENT,
$INDENT const uint32_t *limit AESFIT_ARGUMENT)
{
$BODY
}
"""
ABOUT: Final = """\
/* The rounds of ttable_diffused for RV32I (E31, PicoRV32, VexRiscv).  Written by tools/assemble,
 * whose README says how; its test compares this file with what the tool writes."""
ARGUMENTS: Final = """\
 * Arguments of both functions: the round key that is added first; where the blocks go and where
 * they come from, both at words; their number, at least one; the table's words, behind the S-box;
 * the round key with which ten rounds begin."""


@dataclass
class Interleaved(diffused.Round):
    """Rounds in which nothing reads what a load or shift just before it gives.

    On E31 a word that was loaded can be read one instruction later, a byte two; on VexRiscv the
    result of a shift one later.
    """

    pending: tuple[list[str], int, int, str] | None = None
    """Columns, one of them, and what is to be added to it after a shift by so many bits."""

    def move_up(self) -> None:
        """The shift of what is pending."""
        if self.pending and self.pending[2]:
            columns, new, amount, word = self.pending
            self.pending = columns, new, 0, self.shift("lsl", word, amount)

    def finish(self) -> None:
        """Adds what is pending."""
        if self.pending:
            columns, new, _, word = self.pending
            columns[new] = self.pair("eor", columns[new], word)
        self.pending = None

    def begin(self, columns: list[str], new: int, first_word: int) -> None:
        """A column begins with its word of the round key."""
        if not columns[new]:
            columns[new] = self._append("word", immediate=first_word + new)

    def middle(self, state: Sequence[str], first_word: int) -> list[str]:
        """The columns behind a round, column 3 pending."""
        columns = [""] * 4
        for old in range(4):
            for row in (1, 2, 3, 0):
                new = (old + row if self.inverse else old - row) % 4
                at = self.shift("lsr" if row else "lsl", state[old], 8 * row - 4 if row else 4)
                self.finish()
                self.begin(columns, new, first_word)
                reached = self.own("reach", self.pair("and", at, diffused.MASK), diffused.TABLE)
                self.pending = columns, new, 0, self.own("row", reached, immediate=4 * row)
        return columns

    def last(self, state: Sequence[str], first_word: int) -> list[str]:
        """The columns behind the round that reads the S-box, column 3 pending."""
        columns = [""] * 4
        for new in range(4):
            for row in range(4):
                old = (new - row if self.inverse else new + row) % 4
                index = self.shift("lsr", state[old], 8 * row) if row else state[old]
                if row < 3:
                    index = self.own("byte", index)
                self.begin(columns, new, first_word)
                self.move_up()
                reached = self.own("reach", index, diffused.TABLE)
                self.finish()
                self.pending = columns, new, 8 * row, self.own("letter", reached)
        return columns


def rounds(numbers: Sequence[int], *, inverse: bool) -> Program:
    """Rounds one after the other; number 10 is the last one.

    The table's address and the mask are inputs that stay.
    """
    one = Interleaved(inverse=inverse)
    columns: Sequence[str] = diffused.STATE
    for number in numbers:
        first_word = ROUND_KEY // 4 * (-number if inverse else number)
        columns = (one.last if number == ROUNDS else one.middle)(columns, first_word)
    one.move_up()
    one.finish()
    fixed = (diffused.TABLE, diffused.MASK)
    return Program((*diffused.STATE, *fixed), tuple(one.operations), tuple(columns))


def _text(one: Operation, out: str, reads: Sequence[str]) -> str:
    """The instruction of an operation on registers."""
    match one.name:
        case "reach":
            return f"add {out}, {reads[0]}, {reads[1]}"
        case "row":
            return f"lw {out}, {one.immediate}({reads[0]})"
        case "byte":
            return f"andi {out}, {reads[0]}, 255"
        case "letter":
            return f"lbu {out}, -{diffused.BOX}({reads[0]})"
        case _:
            return target.operation(one, out, (*reads, "")[0], reads[-1] if reads else "", 0)


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Makes the mask and the frame; for each block, the sum with the first round key."""
        self.add(*target.constant(MASK, diffused.FIXED[diffused.MASK]), f"addi sp, sp, -{STACK}")
        self.add(target.store(KEY, FRAME[KEY]), "0:", target.store(IN, FRAME[IN]))
        words = [reg for reg in WORKING if reg not in (IN, *FIRST)]
        self.add(*(f"lw {reg}, {4 * i}({IN})" for i, reg in enumerate(FIRST)))
        self.add(*(f"lw {reg}, {4 * i}({KEY})" for i, reg in enumerate(words)))
        self.add(*(f"xor {a}, {a}, {b}" for a, b in zip(FIRST, words, strict=True)))

    def piece(self, program: Program, entry: Sequence[str]) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        listing = read(program, [one.out for one in program.operations])
        found = colour(listing, (*entry, TABLE, MASK), registers=Registers(WORKING))
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            if one.operation:
                self.add(_text(one.operation, outs[0], reads))
        return found.exit

    def leave(self, state: Sequence[str]) -> None:
        """Stores the columns, those that are there first; goes on, or returns."""
        late, self.lines = self.lines[-2:], self.lines[:-2]
        stores = [f"sw {reg}, {4 * i}({OUT})" for i, reg in enumerate(state)]
        self.add(*stores[:-1], *late, f"addi {COUNT}, {COUNT}, -1", stores[-1])
        self.add(f"bnez {COUNT}, 4f", f"addi sp, sp, {STACK}", "ret", "4:")
        self.add(*(target.load(reg, offset) for reg, offset in FRAME.items()))
        self.add(f"addi {OUT}, {OUT}, 16", f"addi {IN}, {IN}, 16", "j 0b")


def lines(*, inverse: bool) -> list[str]:
    """A function, whose arguments are in the registers named above."""
    text = Text(inverse)
    text.enter()
    text.add("1:")
    state = text.piece(rounds([1], inverse=inverse), FIRST)
    late = text.lines.pop()
    text.add(f"bne {KEY}, {LIMIT}, 3f", late)
    text.leave(text.piece(rounds(range(2, ROUNDS + 1), inverse=inverse), state))
    text.add("3:", late, f"addi {KEY}, {KEY}, {-ROUND_KEY if inverse else ROUND_KEY}")
    text.add(*(target.move(*pair) for pair in parallel_moves(FIRST, state, WORKING)), "j 1b")
    return text.lines


def header() -> str:
    """The text of the header."""
    functions = []
    for way in ("encrypt", "decrypt"):
        found = lines(inverse=way == "decrypt")
        code = 4 * len(c_text.instructions(found))
        functions.append(
            c_text.Function(
                CORE, way, found, code, STACK, before=OPTIONS, behind=(".option pop",),
                template=FUNCTION,
            )
        )  # fmt: skip
    keys = key_schedule.naked(CORE, OPTIONS, (".option pop",))
    facts = {
        "$ABOUT": ABOUT,
        "$ARGUMENTS": ARGUMENTS,
        "$GUARD": CORE.upper(),
        "$FUNCTIONS": "\n".join([*(one.text() for one in functions), *keys]),
    }
    return c_text.filled(c_text.HEADER, facts)

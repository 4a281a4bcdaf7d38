# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv4.h: two functions that encrypt or decrypt blocks with one table.

Ten rounds stand one after the other.  The first two are a loop, which 12 rounds go through twice
and 14 rounds three times: the flags say so before them, and none of their instructions changes the
flags.  Round keys are loaded four words at once into registers in rising order, where the state
then is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import lookups, lookups_text
from .allocate import colour, read
from .program import Operation
from .ttable1_armv7m import FRAME, ROUNDS

REGISTERS: Final = (*(f"r{i}" for i in range(13)), "r14")
KEY, TABLE, MASK = "r0", "r12", "r3"
"""Registers of the key pointer, the table and 0xff throughout the rounds."""
FIRST: Final = ("r4", "r5", "r6", "r7")
"""The state before the first and before the third round."""


def _text(one: Operation, out: str, reads: Sequence[str]) -> str:
    """The instruction of an operation on registers."""
    match one.name:
        case "byte" if one.amount == 24:
            return f"mov {out}, {reads[0]}, lsr #24"
        case "byte":
            shift = f", lsr #{one.amount}" if one.amount else ""
            return f"and {out}, {MASK}, {reads[0]}{shift}"
        case "entry" | "letter":
            load = "ldr" if one.name == "entry" else "ldrb"
            shift = f", lsl #{one.amount}" if one.amount else ""
            return f"{load} {out}, [{reads[1]}, {reads[0]}{shift}]"
        case "next":
            return f"add {out}, {reads[0]}, #{one.immediate}"
        case _:
            shift = f", ror #{one.amount}" if one.amount else ""
            return f"{one.name} {out}, {reads[0]}, {reads[1]}{shift}"


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Saves registers and arguments; r3 gets the number of rounds as well.

        In decryption r0 goes behind the last key: those of encryption lie before its own if they
        are there.
        """
        self.add("push {r4-r11, lr}", "ldrb r4, [r0, #%c[rounds]]")
        if self.inverse:
            self.add(
                "ldrb r5, [r0, #%c[directions]]",
                "add r0, r0, #16",
                "tst r5, #1",
                "add r0, r0, r4, lsl #4",
                "addne r0, r0, r4, lsl #4",
                "addne r0, r0, #16",
            )
        self.add("add r0, r0, #%c[keys]", "add r3, r4, r3, lsl #4", "push {r0-r3}")

    def key(self, words: Sequence[str], columns: Sequence[str], ror: int) -> None:
        """The sum of the columns and the next round key."""
        mode = "ldmdb" if self.inverse else "ldmia"
        self.add(f"{mode} {KEY}!, {{{', '.join(words)}}}")
        turned = f", ror #{ror}" if ror else ""
        for word, column in zip(words, columns, strict=True):
            self.add(f"eor {word}, {word}, {column}{turned}")

    def round(
        self, state: Sequence[str], *, final: bool = False, leave: Sequence[str] = ()
    ) -> tuple[list[str], str]:
        """A round; the registers of the state behind it, and that of the table or S-box."""
        program, ror = lookups.columns(inverse=self.inverse, final=final)
        listing = read(program, [one.out for one in program.operations])
        avoid = [reg for reg in REGISTERS if reg not in (*leave, KEY, TABLE, MASK)][-4:]
        found = colour(listing, (*state, KEY, MASK, TABLE), avoid if leave else ())
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            if one.operation:
                self.add(_text(one.operation, outs[0], reads))
        self.add(*(f"mov {to}, {of}" for to, of in found.moves))
        *columns, _, _, table = found.exit
        free = [reg for reg in REGISTERS if reg not in found.exit]
        words = list(leave) if leave else free[:4]
        self.key(words, columns, ror)
        return words, table

    def further(self, spare: Sequence[str]) -> None:
        """Z: the two rounds that follow are the last in the loop."""
        on, back = ("sub", "add") if self.inverse else ("add", "sub")
        at, count = spare
        self.add(
            f"ldr {count}, [sp, #{FRAME['count']}]",
            f"ldr {at}, [sp, #{FRAME['keys']}]",
            f"and {count}, {count}, #15",
            f"{on} {at}, {at}, {count}, lsl #4",
            f"{back} {at}, {at}, #{16 * (ROUNDS - 1)}",
            f"cmp {KEY}, {at}",
        )

    def leave(self, state: Sequence[str], box: str) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        out, block, count = [reg for reg in REGISTERS if reg not in (*state, KEY, box)][:3]
        self.add(
            f"ldmib sp, {{{out}, {block}, {count}}}",
            f"stmia {out}!, {{{', '.join(state)}}}",
            f"cmp {count}, #32",
            "blt 9f",
            f"sub r12, {box}, #{lookups.BOX[self.inverse]}",
            f"sub {count}, {count}, #16",
            f"add {block}, {block}, #16",
            f"stmib sp, {{{out}, {block}, {count}}}",
            "ldmia sp, {r0-r3}",
            "b 0b",
        )


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse)
    text.enter()
    text.add("0:", "tst r3, #4", f"mov {MASK}, #255", "ldmia r2, {r8-r11}")
    text.key(FIRST, ("r8", "r9", "r10", "r11"), 0)
    text.add("1:")
    state, _ = text.round(FIRST)
    text.round(state, leave=FIRST)
    text.add("bne 2f")
    state = list(FIRST)
    for _ in range(3, ROUNDS):
        state, _ = text.round(state)
    text.leave(*text.round(state, final=True))
    text.add("2:")
    text.further(("r8", "r9"))
    text.add("b 1b", "9:", "add sp, sp, #16", "pop {r4-r11, lr}")
    return text.lines


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    return lookups_text.header("ttable1_armv4", "ARM state (ARM7TDMI, ARM9TDMI)", found)

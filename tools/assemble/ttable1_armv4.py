# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv4.h: functions that encrypt or decrypt blocks with one table.

Ten rounds stand one after the other.  The first two are a loop, which 12 rounds go through twice
and 14 rounds three times: the flags say so before them, and none of their instructions changes the
flags.  Round keys are loaded four words at once into registers in rising order, where the state
then is.

A third function adds the encryption of counter blocks to a text, as ttable1_armv7m.py says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import lookups, lookups_text
from .program import KEY as KEY_POINTER
from .program import Operation, Program
from .ttable1_armv7m import FRAME, ROUNDS

REGISTERS: Final = (*(f"r{i}" for i in range(13)), "r14")
KEY, TABLE, MASK = "r0", "r12", "r3"
"""Registers of the key pointer, the table and 0xff throughout the rounds."""
FIRST: Final = ("r4", "r5", "r6", "r7")
"""The state before the first and before the third round, and those of counter blocks also before
the fifth."""
INDEX: Final = "r1"
"""The last byte of the counter and of the round key, added."""
KEPT: Final = ("r4", "r5", "r6", "r7", "r8")
COUNTER_KEYS: Final = 12
"""Offset in the stack frame of the function for counter blocks of what a block begins with: the
address of the third round's key, what is kept, the table.  Before it: out, in, the counter."""


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


def _move(to: str, of: str) -> str:
    """A copy."""
    return f"mov {to}, {of}"


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

    def piece(
        self, program: Program, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves its results in."""
        lines, left = lookups_text.instructions(program, entry, leave, _text, _move)
        self.add(*lines)
        return left

    def round(
        self, state: Sequence[str], *, final: bool = False, leave: Sequence[str] = ()
    ) -> tuple[list[str], str]:
        """A round; the registers of the state behind it, and that of the table or S-box."""
        program, ror = lookups.columns(inverse=self.inverse, final=final)
        avoid = [reg for reg in REGISTERS if reg not in (*leave, KEY, TABLE, MASK)][-4:]
        left = self.piece(program, (*state, KEY, MASK, TABLE), avoid if leave else ())
        *columns, _, _, table = left
        free = [reg for reg in REGISTERS if reg not in left]
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

    def counter_index(self, counter: str) -> None:
        """The last byte of the counter and of the round key, added."""
        self.add(f"eor {INDEX}, {counter}, {counter}, lsr #8", f"and {INDEX}, {INDEX}, #255")

    def enter_counter(self) -> None:
        """Saves registers and arguments."""
        begin = f"{KEY}, {', '.join(KEPT)}, {TABLE}"
        self.add("push {r4-r11, lr}", f"add {KEY}, {KEY}, #%c[keys]+48")
        self.add(f"ldmia r4, {{{', '.join(KEPT)}}}", f"push {{{begin}}}", "push {r1-r3}")
        self.counter_index("r3")
        self.add("mov r2, r3, asr #16", "cmp r2, #0")

    def leave_counter(self, state: Sequence[str]) -> None:
        """Adds and stores the columns and goes on with the next block, if there is one."""
        free = [reg for reg in REGISTERS if reg not in (*state, INDEX)]
        (out, block, counter), words = free[:3], free[3:7]
        self.add(f"ldmia sp, {{{out}, {block}, {counter}}}")
        self.add(f"ldmia {block}!, {{{', '.join(words)}}}")
        self.add(*(f"eor {a}, {a}, {b}" for a, b in zip(state, words, strict=True)))
        self.add(f"stmia {out}!, {{{', '.join(state)}}}")
        self.add(f"add {counter}, {counter}, #1", f"adds {counter}, {counter}, #0x10000")
        self.add(f"stmia sp, {{{out}, {block}, {counter}}}")
        self.counter_index(counter)
        self.add(f"add {TABLE}, sp, #{COUNTER_KEYS}")
        self.add(f"ldmia {TABLE}, {{{KEY}, {', '.join(KEPT)}, {TABLE}}}")
        self.add("blt 0b", "bcs 9f", "bvc 0b", "b 9f")

    def further_counter(self, spare: Sequence[str]) -> None:
        """LT: the two rounds that follow are the last in the loop."""
        at, count = spare
        self.add(
            f"ldr {at}, [sp, #{COUNTER_KEYS}]",
            f"ldrb {count}, [{at}, #%c[rounds]-%c[keys]-48]",
            f"add {at}, {at}, {count}, lsl #4",
            f"sub {at}, {at}, #{16 * ROUNDS + 1}",
            f"cmp {at}, {KEY}",
        )


def counter_lines() -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 the counter's word, r4 what is kept, r12 table.

    Flags mean what they do in ttable1_armv7m.counter_lines().
    """
    text = Text(inverse=False)
    text.enter_counter()
    text.add("0:", f"mov {MASK}, #255")
    fixed = (KEY_POINTER, lookups.MASK, lookups.TABLE)
    text.piece(lookups.second_of_counter(fixed), (INDEX, *KEPT, KEY, MASK, TABLE), FIRST)
    text.add("1:")
    state, _ = text.round(FIRST)
    text.round(state, leave=FIRST)
    text.add("bge 2f")
    state = list(FIRST)
    for _ in range(5, ROUNDS):
        state, _ = text.round(state)
    text.leave_counter(text.round(state, final=True)[0])
    text.add("2:")
    text.further_counter(("r8", "r9"))
    text.add("b 1b", "9:", "add sp, sp, #40", "pop {r4-r11, lr}")
    return text.lines


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
    found[lookups_text.COUNTER] = counter_lines()
    return lookups_text.header("ttable1_armv4", "ARM state (ARM7TDMI, ARM9TDMI)", found)

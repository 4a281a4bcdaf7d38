# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv7m.h: two functions that encrypt or decrypt blocks with one table.

Ten rounds stand one after the other.  The first two are a loop, which 12 rounds go through twice
and 14 rounds three times: the flags say so before them, and none of their instructions changes the
flags.  Instructions keep the order of the program, in which loads stand in rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import lookups
from .allocate import colour, read
from .program import Operation, Program
from .targets import armv7m as target

KEY_WORDS: Final = 4
KEYS: Final = "%c[keys]"
"""Bytes from the key's beginning to its first round key."""
ROUNDS: Final = 10
"""Rounds of the shortest keys."""
FRAME: Final = {"keys": 0, "out": 4, "in": 8, "count": 12}
"""Offsets in the stack frame: of the arguments, pushed with the caller's registers."""
ARGUMENTS: Final = 16
"""Bytes of the frame below the caller's registers."""
STACK: Final = 52


def _text(one: Operation, out: str, reads: Sequence[str]) -> str:
    """The instruction of an operation on registers."""
    match one.name:
        case "byte" if one.amount == 24:
            return f"lsr.w {out}, {reads[0]}, #24"
        case "byte":
            return f"ubfx.w {out}, {reads[0]}, #{one.amount}, #8"
        case "word" | "letter":
            load = "ldr.w" if one.name == "word" else "ldrb.w"
            shift = f", lsl #{one.amount}" if one.amount else ""
            return f"{load} {out}, [{reads[1]}, {reads[0]}{shift}]"
        case "next":
            return f"add.w {out}, {reads[0]}, #{one.immediate}"
        case "slot":
            return target.load(out, one.immediate)
        case "key" | "column":
            base = KEYS if one.name == "key" else ""
            return f"ldr.w {out}, [{reads[0]}, #{base}{4 * one.immediate:+}]"
        case _:
            return target.operation(one, out, reads[0], reads[1], 0)


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def key(self, number: int) -> int:
        """The word at which the key of a round begins, behind the key pointer."""
        return KEY_WORDS * (-number if self.inverse else number)

    def enter(self) -> None:
        """Saves registers and arguments; r3 gets the number of rounds as well.

        In decryption r0 goes to the last key: those of encryption lie before its own if they are
        there.
        """
        self.add("push.w {r4-r11, lr}", "ldrb.w r4, [r0, #%c[rounds]]")
        if self.inverse:
            self.add(
                "ldrb.w r5, [r0, #%c[directions]]",
                "add.w r0, r0, r4, lsl #4",
                "add.w r6, r4, #1",
                "sbfx.w r5, r5, #0, #1",
                "and.w r6, r6, r5",
                "add.w r0, r0, r6, lsl #4",
            )
        self.add("add.w r3, r4, r3, lsl #4", "push.w {r0-r3}")

    def piece(
        self, program: Program, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves its results in."""
        listing = read(program, [one.out for one in program.operations])
        found = colour(listing, entry, leave)
        for one, out, reads in zip(listing.items, found.out, found.reads, strict=True):
            if one.operation:
                self.add(_text(one.operation, out, reads))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def middle(self, number: int, at: Sequence[str], leave: Sequence[str] = ()) -> tuple[str, ...]:
        """A round but the last."""
        return self.piece(lookups.middle(self.key(number), inverse=self.inverse), at, leave)

    def further(self, key: str, spare: Sequence[str]) -> None:
        """The key pointer goes on by two rounds; Z: those that follow are the last in the loop."""
        on, back = ("sub", "add") if self.inverse else ("add", "sub")
        at, count = spare
        self.add(
            f"ldr.w {count}, [sp, #{FRAME['count']}]",
            f"ldr.w {at}, [sp, #{FRAME['keys']}]",
            f"and.w {count}, {count}, #15",
            f"{on}.w {at}, {at}, {count}, lsl #4",
            f"{back}.w {at}, {at}, #{16 * ROUNDS}",
            f"{on}.w {key}, {key}, #32",
            f"cmp.w {key}, {at}",
        )

    def leave(self, state: Sequence[str]) -> list[str]:
        """Stores the columns and goes on with the next block, if there is one; the stores."""
        *columns, _, box, out, count = state
        stores = [f"str.w {reg}, [{out}, #{4 * i}]" for i, reg in enumerate(columns)]
        self.add(f"cmp.w {count}, #32", "blt.w 9f", *stores)
        self.add(
            f"add.w {out}, {out}, #16",
            f"sub.w {count}, {count}, #16",
            f"str.w {out}, [sp, #{FRAME['out']}]",
            f"str.w {count}, [sp, #{FRAME['count']}]",
            f"sub.w r12, {box}, #{lookups.BOX[self.inverse]}",
            f"ldr.w r2, [sp, #{FRAME['in']}]",
            f"ldr.w r0, [sp, #{FRAME['keys']}]",
            f"ldr.w r3, [sp, #{FRAME['count']}]",
            "add.w r2, r2, #16",
            f"str.w r2, [sp, #{FRAME['in']}]",
            "b.w 0b",
        )
        return stores


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse)
    text.enter()
    text.add("0:", "tst.w r3, #4")
    first = at = text.piece(lookups.start(text.key(0)), ("r2", "r0", "r12"))
    text.add("1:")
    at = text.middle(1, at)
    text.middle(2, at, first[:4])
    text.add("bne.w 2f")
    at = first
    for number in range(3, ROUNDS):
        at = text.middle(number, at)
    program = lookups.last(text.key(ROUNDS), inverse=inverse, slots=(FRAME["out"], FRAME["count"]))
    stores = text.leave(text.piece(program, at))
    text.add("2:")
    text.further(first[4], [reg for reg in target.REGISTERS if reg not in first][:2])
    text.add("b.w 1b", "9:", f"add.w sp, sp, #{ARGUMENTS}", *stores, "pop.w {r4-r11, lr}")
    return text.lines


FUNCTION: Final = """\
/* $WHAT blocks.  $BYTES bytes of code; $STACK bytes of stack. */
AESFIT_INLINE void ttable1_armv7m_$NAME_blocks($PARAMETERS)
{
$REGISTERS
    __asm__ volatile($BODY
                     : $OPERANDS
                     : [keys] "i"(offsetof(aesfit_key, schedule)),
                       [rounds] "i"(offsetof(aesfit_key, rounds)),
                       [directions] "i"(offsetof(aesfit_key, directions))
                     : "cc", "memory");
}
"""
HEADER: Final = """\
/* SPDX-License-Identifier: MIT */
/* The rounds of ttable1 for ARMv7-M (Cortex-M3, M4).  Written by tools/assemble, whose README says
 * how; its test compares this file with what the tool writes.
 *
 * The assembly saves the registers that a function preserves, so that compilers need not, and takes
 * its arguments in the others: the key; where the blocks go and where they come from, at addresses
 * that words are loaded from; their number, at least 1 and less than 2^27; and the table. */
#ifndef AESFIT_ASSEMBLY_TTABLE1_ARMV7M_H
#define AESFIT_ASSEMBLY_TTABLE1_ARMV7M_H

#include <stddef.h>

#include "../core.h"

/* GNU C has no limit for what ISO C promises 4095 characters. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
/* clang-format off */

$FUNCTIONS
/* clang-format on */
#pragma GCC diagnostic pop

#endif
"""
PARAMETERS: Final = (
    ("const aesfit_key *", "key", "r0"),
    ("uint8_t *", "out", "r1"),
    ("const uint8_t *", "in", "r2"),
    ("size_t ", "blocks", "r3"),
    ("const uint32_t *", "table", "r12"),
)


def function(name: str) -> str:
    """A function in C whose body is assembly on operands in fixed registers."""
    inverse = name == "decrypt"
    found = lines(inverse=inverse)
    facts = {
        "$WHAT": f"{name.capitalize()}s",
        "$NAME": name,
        "$BYTES": str(4 * sum(not line.endswith(":") for line in found)),
        "$STACK": str(STACK),
        "$PARAMETERS": (",\n" + " " * 49).join(f"{kind}{one}" for kind, one, _ in PARAMETERS),
        "$REGISTERS": "\n".join(
            f'    register {kind}{reg} __asm__("{reg}") = {one};' for kind, one, reg in PARAMETERS
        ),
        "$BODY": "\n                     ".join(f'"{line}\\n\\t"' for line in found),
        "$OPERANDS": ", ".join(f'"+r"({reg})' for _, _, reg in PARAMETERS),
    }
    text = FUNCTION
    for mark, fact in facts.items():
        text = text.replace(mark, fact)
    return text


def header() -> str:
    """The text of the header."""
    return HEADER.replace("$FUNCTIONS", "\n".join(map(function, ("encrypt", "decrypt"))))

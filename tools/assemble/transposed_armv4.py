# SPDX-License-Identifier: MIT
"""lib/src/assembly/transposed_armv4.h: two functions that encrypt or decrypt blocks by rows.

Two rounds are a loop, entered at the second, since all key sizes have an odd number of middle
rounds.  What is fixed is in registers, and so are the rows and four temporaries: nothing is
spilled, so there is no order to search for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import lookups_text, rows
from .allocate import Registers, colour, read
from .program import Operation
from .targets import armv4 as target

CORE: Final = "transposed_armv4"
KEY, LAST = "r0", "r1"
"""The round key that comes next, and the last one."""
FIXED: Final = {rows.TABLE: "r12", rows.LOW: "r3", rows.TOP: "r2", rows.POLYNOMIAL: "r14"}
ROWS, OTHERS = target.REGISTERS[4:8], target.REGISTERS[8:12]
"""Registers of the rows between rounds, and of what a round has beside them."""
REGISTERS: Final = Registers((*ROWS, *OTHERS))
FRAME: Final = {"key": 0, "out": 4, "in": 8, "count": 12}
"""Offsets in the stack frame: the first round key, and arguments."""
ARGUMENTS: Final = 16
"""Bytes of the frame below the caller's registers."""
HIGHEST: Final = 12
"""Offset of a round key's last word, where the pointer stands if keys come in falling order."""


def _text(one: Operation, out: str, reads: Sequence[str]) -> str:
    """The instruction of an operation on registers."""
    match one.name:
        case "byte":
            shift = f", lsr #{one.amount}" if one.amount else ""
            return f"and {out}, {FIXED[rows.LOW]}, {reads[0]}{shift}"
        case "letter":
            return f"ldrb {out}, [{reads[1]}, {reads[0]}]"
        case "topmost":
            return f"ldrb {out}, [{reads[1]}, {reads[0]}, lsr #24]"
        case "lsl" | "lsr":
            return f"mov {out}, {reads[0]}, {one.name} #{one.amount}"
        case _:
            return target.operation(one, (out,), reads[0], reads[-1], 0)


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Saves registers and arguments; r0 goes to the key that is added first."""
        self.add("push {r4-r11, lr}", "ldrb r4, [r0, #%c[rounds]]", "add r0, r0, #%c[keys]")
        if self.inverse:
            self.add(f"add r5, r0, #{HIGHEST}", "add r0, r5, r4, lsl #4", "push {r0-r3}")
            self.add(f"mov {LAST}, r5")
        else:
            self.add("push {r0-r3}", f"add {LAST}, r0, r4, lsl #4")
        self.add("0:", "ldmia r2, {r4-r7}", f"mov {FIXED[rows.LOW]}, #255")
        for name in (rows.TOP, rows.POLYNOMIAL):
            reg = FIXED[name]
            self.add(f"mov {reg}, #{rows.FIXED[name] & 0xFF}")
            self.add(f"orr {reg}, {reg}, {reg}, lsl #8", f"orr {reg}, {reg}, {reg}, lsl #16")

    def piece(self, name: str, entry: Sequence[str], leave: Sequence[str] = ()) -> tuple[str, ...]:
        """A program on registers; those that it leaves the rows in."""
        program = rows.pieces(rows.ArmRows)[name]
        listing = read(program, [one.out for one in program.operations])
        found = colour(listing, (*entry, *FIXED.values()), leave, registers=REGISTERS)
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            if one.operation:
                self.add(_text(one.operation, outs[0], reads))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit[:4]

    def key(self, state: Sequence[str]) -> None:
        """The sum with the next round key."""
        words = [reg for reg in REGISTERS.usual if reg not in state]
        mode = "ldmda" if self.inverse else "ldmia"
        self.add(f"{mode} {KEY}!, {target.listed(words)}")
        self.add(*(f"eor {row}, {row}, {word}" for row, word in zip(state, words, strict=True)))

    def leave(self, state: Sequence[str]) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        out, block, count = [reg for reg in REGISTERS.usual if reg not in state][:3]
        self.add(f"ldmib sp, {{{out}, {block}, {count}}}", f"stmia {out}!, {target.listed(state)}")
        self.add(f"subs {count}, {count}, #1", "beq 9f", f"add {block}, {block}, #16")
        self.add(f"stmib sp, {{{out}, {block}, {count}}}", f"ldr {KEY}, [sp, #{FRAME['key']}]")
        self.add(f"mov r2, {block}", "b 0b")
        self.add("9:", f"add sp, sp, #{ARGUMENTS}", "pop {r4-r11, lr}")

    def round(self, state: Sequence[str], leave: Sequence[str] = ()) -> tuple[str, ...]:
        """A round but the last."""
        way = "decrypt" if self.inverse else "encrypt"
        after = self.piece(f"{way}_substitution", state)
        if self.inverse:
            self.key(after)
        mixed = self.piece(f"{way}_mix", after, leave)
        if not self.inverse:
            self.key(mixed)
        return mixed


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse)
    way = "decrypt" if inverse else "encrypt"
    text.enter()
    state = text.piece("transposition", ROWS)
    text.key(state)
    text.add("b 2f", "1:")
    text.round(state, state)
    text.add("2:")
    text.round(state, state)
    text.add(f"cmp {KEY}, {LAST}", "bne 1b")
    after = text.piece(f"{way}_substitution", state)
    text.key(after)
    text.leave(text.piece("transposition", after, ROWS))
    return text.lines


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    shape = lookups_text.Shape(table="uint8_t")
    return lookups_text.header(CORE, "ARM state (ARM7TDMI, ARM9TDMI)", found, shape)

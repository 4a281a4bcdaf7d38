# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv7m.h: functions that encrypt or decrypt blocks with one table.

Ten rounds stand one after the other.  The first two are a loop, which 12 rounds go through twice
and 14 rounds three times: the flags say so before them, and none of their instructions changes the
flags.  Instructions keep the order of the program, in which loads stand in rows.

A third function adds the encryption of counter blocks to a text.  It begins in the second round
with what is kept of the counters; its loop is rounds 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from . import key_schedule, lookups, lookups_text
from .program import Operation, Program
from .targets import armv7m as target

KEY_WORDS: Final = 4
ROUNDS: Final = 10
"""Rounds of the shortest keys."""
FRAME: Final = {"keys": 0, "out": 4, "in": 8, "count": 12}
"""Offsets in the stack frame: of the arguments, pushed with the caller's registers."""
ARGUMENTS: Final = 16
"""Bytes of the frame below the caller's registers."""
COUNTER_FRAME: Final = {"kept": 0, "keys": 20, "out": 24, "in": 28, "counter": 32, "table": 36}
"""Offsets in the stack frame of the function for counter blocks."""
COUNTER_ARGUMENTS: Final = 40
COUNTER_STEP: Final = 0x10001
"""Added to the counter's word per block: its last byte is byte 0, blocks that are left in the upper
half count up (lookups_text.COUNTERS)."""


def text(one: Operation, out: str, reads: Sequence[str]) -> str:
    """The instruction of an operation on registers."""
    match one.name:
        case "byte" if one.amount == 24:
            return f"lsr.w {out}, {reads[0]}, #24"
        case "byte":
            return f"ubfx {out}, {reads[0]}, #{one.amount}, #8"
        case "entry" | "letter":
            load = "ldr.w" if one.name == "entry" else "ldrb.w"
            shift = f", lsl #{one.amount}" if one.amount else ""
            return f"{load} {out}, [{reads[1]}, {reads[0]}{shift}]"
        case "next":
            return f"add.w {out}, {reads[0]}, #{one.immediate}"
        case "slot":
            return target.load(out, one.immediate)
        case "key" | "column":
            wide = ".w" if one.immediate >= 0 else ""  # others have 32 bits, and clang takes no .w
            return f"ldr{wide} {out}, [{reads[0]}, #{4 * one.immediate}]"
        case _:
            return target.operation(one, out, reads[0], reads[1], 0)


Order = Callable[[Program], Program]
"""What puts the operations of a program in order."""


def rows(program: Program) -> Program:
    """Its own order, in which loads stand in rows."""
    return program


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    order: Order = rows
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def key(self, number: int) -> int:
        """The word at which the key of a round begins, behind the key pointer."""
        return KEY_WORDS * (-number if self.inverse else number)

    def enter(self) -> None:
        """At a word: saves registers and arguments; r3 gets the number of rounds as well.

        In decryption r0 goes to the last key: those of encryption lie before its own if they are
        there.
        """
        self.add(".balign 4", "push.w {r4-r11, lr}", "ldrb.w r4, [r0, #%c[rounds]]")
        directions = "ldrb.w r5, [r0, #%c[directions]]"
        self.add(*[directions] * self.inverse, "add.w r0, r0, #%c[keys]")
        if self.inverse:
            self.add(
                "add.w r0, r0, r4, lsl #4",
                "add.w r6, r4, #1",
                "sbfx r5, r5, #0, #1",
                "and.w r6, r6, r5",
                "add.w r0, r0, r6, lsl #4",
            )
        self.add("add.w r3, r4, r3, lsl #4", "push.w {r0-r3}")

    def piece(
        self, program: Program, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves its results in."""
        lines, left = lookups_text.instructions(
            self.order(program), entry, leave, text, target.move
        )
        self.add(*lines)
        return left

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
            f"teq.w {key}, {at}",  # keeps the carry
        )

    def leave(self, state: Sequence[str]) -> list[str]:
        """Stores the columns and goes on with the next block, if there is one; the stores."""
        *columns, _, box, out = state
        stores = [f"str.w {reg}, [{out}, #{4 * i}]" for i, reg in enumerate(columns)]
        self.add("bcc.w 9f", *stores[1:], f"str.w {columns[0]}, [{out}], #16")
        self.add(
            f"str.w {out}, [sp, #{FRAME['out']}]",
            f"sub.w r12, {box}, #{lookups.BOX[self.inverse]}",
            f"ldr.w r2, [sp, #{FRAME['in']}]",
            f"ldr.w r0, [sp, #{FRAME['keys']}]",
            f"ldr.w r3, [sp, #{FRAME['count']}]",
            "add.w r2, r2, #16",
            "sub.w r3, r3, #16",
            f"str.w r2, [sp, #{FRAME['in']}]",
            f"str.w r3, [sp, #{FRAME['count']}]",
            "b.w 0b",
        )
        return stores

    def counter_index(self, index: str, counter: str) -> None:
        """The last byte of the counter and of the round key, added."""
        self.add(f"eor.w {index}, {counter}, {counter}, lsr #8", f"uxtb.w {index}, {index}")

    def enter_counter(self, at: Sequence[str]) -> None:
        """At a word: saves registers and arguments; LT as counter_lines() has it."""
        index, *kept, key, table = at
        self.add(".balign 4", "push.w {r4-r11, lr}", f"add.w {key}, {key}, #%c[keys]")
        self.add(f"push.w {{r0-r3, {table}}}", f"ldm.w r4, {{{', '.join(kept)}}}")
        self.add(f"push.w {{{', '.join(kept)}}}")
        self.counter_index(index, "r3")
        self.add("asr.w r2, r3, #16", "cmp.w r2, #0")

    def leave_counter(self, state: Sequence[str]) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        *columns, key, block, out, counter, _ = state[:9]
        frame = COUNTER_FRAME
        self.add(
            f"str.w {block}, [sp, #{frame['in']}]",
            f"adds.w {counter}, {counter}, #0x{COUNTER_STEP:08x}",
        )
        self.counter_index(block, counter)
        self.add(f"str.w {counter}, [sp, #{frame['counter']}]")
        self.add(*(f"str.w {columns[i]}, [{out}, #{4 * i}]" for i in (1, 2, 3)))
        self.add(
            f"str.w {columns[0]}, [{out}], #16",
            f"str.w {out}, [sp, #{frame['out']}]",
            "blt.w 0b",
            "bcs.w 9f",
            "bvs.w 9f",
            f"ldr.w {key}, [sp, #{frame['keys']}]",
            "b.w 0b",
        )

    def further_counter(self, key: str, spare: Sequence[str]) -> None:
        """The key pointer goes on by two rounds; LT: those that follow are the last in the loop."""
        at, count = spare
        self.add(
            f"ldr.w {at}, [sp, #{COUNTER_FRAME['keys']}]",
            f"ldrb {count}, [{at}, #%c[rounds]-%c[keys]]",  # below 0, so it has 32 bits
            f"add.w {at}, {at}, {count}, lsl #4",
            f"sub.w {at}, {at}, #{16 * ROUNDS + 1}",
            f"add.w {key}, {key}, #32",
            f"cmp.w {at}, {key}",
        )


def counter_lines(order: Order = rows) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 the counter's word, r4 what is kept, r12 table.

    Flags say two things at once.  LT: keys have ten rounds, and the block is not behind the last.
    The upper half of the counter's word reaches 0x10000 behind the last block of such keys, which
    sets the carry, and 0x8000 behind that of longer ones, which overflows.
    """
    text, frame = Text(inverse=False, order=order), COUNTER_FRAME
    start = ("r1", "r4", "r5", "r6", "r7", "r8", "r0", "r12")
    text.enter_counter(start)
    text.add("0:")
    first = at = text.piece(lookups.second_of_counter(), start)
    text.add("1:")
    at = text.middle(3, at)
    text.middle(4, at, first[:4])
    text.add("bge.w 2f")
    at = first
    for number in range(5, ROUNDS):
        at = text.middle(number, at)
    kept = [frame["kept"] + 4 * i for i in range(len(lookups.KEPT))]
    slots = (frame["out"], frame["counter"], frame["table"], *kept)
    program = lookups.last_of_counter(text.key(ROUNDS), source=frame["in"], slots=slots)
    index, *words, _, table = start
    leave = ("", "", "", "", "", index, "", "", table, *words)
    text.leave_counter(text.piece(program, at, leave))
    text.add("2:")
    text.further_counter(first[4], [reg for reg in target.REGISTERS if reg not in first][:2])
    text.add("b.w 1b", "9:", f"add.w sp, sp, #{COUNTER_ARGUMENTS}", "pop.w {r4-r11, lr}")
    return text.lines


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table.

    Flags of a block: the carry says that another one follows, Z that the first two rounds are the
    last in their loop.
    """
    text = Text(inverse)
    text.enter()
    text.add("0:", "cmp.w r3, #32", "tst.w r3, #4")
    first = at = text.piece(lookups.start(text.key(0)), ("r2", "r0", "r12"))
    text.add("1:")
    at = text.middle(1, at)
    text.middle(2, at, first[:4])
    text.add("bne.w 2f")
    at = first
    for number in range(3, ROUNDS):
        at = text.middle(number, at)
    program = lookups.last(text.key(ROUNDS), inverse=inverse, slots=(FRAME["out"],))
    stores = text.leave(text.piece(program, at))
    text.add("2:")
    text.further(first[4], [reg for reg in target.REGISTERS if reg not in first][:2])
    text.add("b.w 1b", "9:", *stores, f"add.w sp, sp, #{ARGUMENTS}", "pop.w {r4-r11, lr}")
    return text.lines


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    found[lookups_text.COUNTER] = counter_lines()
    core = "ttable1_armv7m"
    keys = key_schedule.inlined(core, key_schedule.Armv7m, 4)
    return lookups_text.header(core, "ARMv7-M (Cortex-M3, M4)", found, further=keys)

# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable_diffused_armv6m.h: two functions for blocks with the table of 4 KiB.

Ten rounds stand one after the other.  The first is a loop, which 12 rounds go through three times
and 14 rounds five times.  Instructions keep the order of the programs (diffused.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from . import diffused, key_schedule, lookups_text
from .allocate import Item, Registers, colour, parallel_moves, read
from .program import Operation, Program
from .targets import armv6m as target
from .targets.costs import FIRST_DIES

CORE: Final = "ttable_diffused_armv6m"
KEY: Final = "r8"
"""The key of the block's start; the loop moves it by the rounds beyond ten."""
HIGH: Final = {diffused.MASK: "r14", diffused.TABLE: "r12"}
"""Registers of what is fixed.  In the last round that of the mask is free."""
FRAME: Final = {"key": 0, "out": 4, "in": 8, "count": 12, "rounds": 16, "r8": 20}
"""Offsets in the stack frame: arguments, rounds, the caller's register."""
STACK: Final = 24 + 16
"""Bytes, with four registers of the caller."""
ROUNDS: Final = 10
"""Rounds of the shortest keys."""
ROUND_KEY: Final = 16
"""Bytes."""
FIRST: Final = target.REGISTERS[4:]
"""Registers of the columns before a round that others jump to."""
STORED: Final = target.REGISTERS[:4]
"""Those of the block."""


def _destroyed(one: Operation) -> int:
    return FIRST_DIES if one.name in ("reach", "next") else target.destroyed(one)


def _text(one: Operation, out: str, reads: Sequence[str]) -> list[str]:
    """The instructions of an operation on registers."""
    match one.name:
        case "mov":
            name = next(name for name, value in diffused.FIXED.items() if value == one.immediate)
            return [target.move(out, HIGH[name])]
        case "made":
            mask = HIGH[diffused.MASK]
            return [f"movs {out}, #255", f"lsls {out}, {out}, #4", target.move(mask, out)]
        case "reach":
            return [f"add {out}, {HIGH[diffused.TABLE]}"]
        case "row" if one.b:
            return [f"ldr {out}, [{reads[1]}, {reads[0]}]"]
        case "row":
            return [f"ldr {out}, [{reads[0]}, #{one.immediate}]"]
        case "next":
            return [f"adds {out}, #{one.immediate}"]
        case "byte":
            return [f"uxtb {out}, {reads[0]}"]
        case "letter":
            return [f"ldrb {out}, [{reads[1]}, {reads[0]}]"]
        case "box":
            half = f"subs {out}, #{diffused.BOX // 2}"
            return [target.move(out, HIGH[diffused.TABLE]), half, half]
        case _:
            return target.operation(one, out, (*reads, "")[0], reads[-1] if reads else "", 0)


def _lines(one: Item, outs: Sequence[str], reads: Sequence[str]) -> list[str]:
    if one.operation is None:
        return [target.move(outs[0], reads[0])]
    return _text(one.operation, outs[0], reads)


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Saves registers and arguments, and loads a block; r0 goes to the key that is added first.

        In decryption that is the last one, and those of encryption lie before its own if they are
        there.
        """
        self.add(".syntax unified", "push {r4-r7}", f"mov r5, {KEY}", "ldrb r4, [r0, #%c[rounds]]")
        directions = "ldrb r6, [r0, #%c[directions]]"
        self.add(*[directions] * self.inverse, "adds r0, #%c[keys]")
        if self.inverse:
            self.add("lsls r7, r4, #4", "adds r0, r0, r7", "lsls r6, r6, #31")
            self.add("beq 1f", "adds r0, r0, r7", f"adds r0, #{ROUND_KEY}", "1:")
        self.add("push {r0-r5}", "0:", f"ldmia r2!, {{{', '.join(FIRST)}}}")

    def piece(
        self, program: Program, entry: Sequence[str], leave: Sequence[str] = (),
        schedule: Sequence[str] = (),
    ) -> tuple[str, ...]:  # fmt: skip
        """A program on registers; those that it leaves the state in."""
        listing = read(program, schedule or [one.out for one in program.operations])
        registers = Registers(target.REGISTERS, (HIGH[diffused.MASK],), _destroyed)
        found = colour(listing, entry, leave, registers=registers)
        if found.moves:
            raise ValueError("the state has to be moved")
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            self.add(*_lines(one, outs, reads))
        return found.exit

    def key(self, state: Sequence[str], number: int) -> None:
        """The sum with a round key, by its number from the start of the block."""
        words = [reg for reg in target.REGISTERS if reg not in state]
        step = "subs" if self.inverse else "adds"
        self.add(target.move(*((words[0], KEY) if number else (KEY, words[0]))))
        self.add(*[f"{step} {words[0]}, #{ROUND_KEY * number}"] * bool(number))
        self.add(f"ldmia {words[0]}, {{{', '.join(words)}}}")
        self.add(*(f"eors {row}, {word}" for row, word in zip(state, words, strict=True)))

    def further(self, state: Sequence[str]) -> None:
        """On to the loop's end where a key has more than ten rounds."""
        spare = next(reg for reg in target.REGISTERS if reg not in state)
        self.add(
            f"ldr {spare}, [sp, #{FRAME['rounds']}]", f"cmp {spare}, #{ROUNDS}", "bne 3f", "2:"
        )

    def loop(self, before: Sequence[str], state: Sequence[str]) -> None:
        """The loop's end: back to the round before unless KEY has gone on by what is beyond ten."""
        rounds, key, first = [reg for reg in target.REGISTERS if reg not in state][:3]
        step, difference = ("subs", (first, key)) if self.inverse else ("adds", (key, first))
        self.add("3:", f"subs {rounds}, #{ROUNDS}", f"lsls {rounds}, {rounds}, #4")
        self.add(f"ldr {first}, [sp, #{FRAME['key']}]", target.move(key, KEY))
        self.add(f"subs {first}, {', '.join(difference)}", f"cmp {first}, {rounds}", "beq 2b")
        self.add(f"{step} {key}, #{ROUND_KEY}", target.move(KEY, key))
        self.add(*(target.move(*pair) for pair in parallel_moves(before, state, target.REGISTERS)))
        self.add("b 1b")

    def leave(self, state: Sequence[str]) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        key, out, block, count = [reg for reg in target.REGISTERS if reg not in state]
        self.add(f"pop {{{key}, {out}, {block}, {count}}}", f"stmia {out}!, {{{', '.join(state)}}}")
        self.add(f"subs {count}, #1", "beq 9f", f"adds {block}, #16")
        self.add(f"push {{{key}, {out}, {block}, {count}}}", target.move("r2", block))
        self.add(target.move("r0", key), "b 0b")


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse)
    text.enter()
    text.key(FIRST, 0)
    state = FIRST
    for number in range(1, ROUNDS):
        before = state
        text.add(*["1:"] * (number == ROUNDS - 1))
        state = text.piece(diffused.middle(inverse=inverse, first=number == 1), before)
        text.key(state, number)
    text.further(state)
    program, schedule = diffused.last(inverse=inverse)
    left = text.piece(program, state, STORED, schedule)
    text.key(left, ROUNDS)
    text.leave(left)
    text.loop(before, state)
    text.add("9:", "pop {r4, r5}", f"mov {KEY}, r5", "pop {r4-r7}")
    return text.lines


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    shape = lookups_text.Shape(2, STACK, "uint32_t", changed="lr")
    keys = key_schedule.inlined(CORE, key_schedule.Armv6m, 2)
    return lookups_text.header(CORE, "ARMv6-M (Cortex-M0, M0+)", found, shape, keys)

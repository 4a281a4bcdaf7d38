# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv8m.h: functions that encrypt or decrypt blocks with one table.

On Cortex-M33 a load takes one cycle wherever it stands.  What it gives, and the result of an
operation with a shifted operand, is there one cycle later: so no instruction may read what the one
before it made.  Nine registers do for a round in such an order, and the five that a function need
not preserve keep the key pointer, where blocks go and come from, their number, and the table.

Ten rounds stand one after the other.  The first is a loop, which 12 rounds go through three times
and 14 rounds five times.  The function for counter blocks is that of ttable1_armv7m, reordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from . import lookups, lookups_text, ttable1_armv7m
from .allocate import Registers, colour, parallel_moves, read
from .program import Operation, Program
from .targets import armv7m as target

CORE: Final = "ttable1_armv8m"
KEY, OUT, IN, COUNT, TABLE = "r0", "r1", "r2", "r3", "r12"
"""Registers of arguments.  COUNT: 16 times the number of blocks, plus the number of rounds."""
WORKING: Final = (*(f"r{i}" for i in range(4, 12)), "r14")
FIRST: Final = WORKING[:4]
"""Registers of the columns before the first round, and of those that are stored."""
STACK: Final = 4 * len(WORKING) + 4
"""Bytes: registers of the caller, and how often the loop is still gone through."""
ROUND_KEY: Final = 16
"""Bytes."""


@dataclass
class _Order:
    """Operations as they are put in order."""

    program: Program
    done: list[Operation] = field(default_factory=list)
    waiting: Operation | None = None
    """A sum that comes behind the next operation."""

    def missing(self, one: Operation) -> list[Operation]:
        """What has to be made before, apart from what waits, in the order of the program."""
        made = {name for each in self.done for name in each.outs} | {*self.program.inputs}
        wanted = {*one.operands()} - made
        found = []
        for each in reversed(self.program.operations):
            if not wanted.isdisjoint(each.outs) and each is not self.waiting:
                found.append(each)
                wanted |= {*each.operands()} - made
        return found[::-1]

    def add(self, several: Iterable[Operation]) -> None:
        """Operations, the first of them before what waits unless it reads that."""
        for one in several:
            waiting = self.waiting
            if waiting and not {*one.operands()}.isdisjoint(waiting.outs):
                self.finish()
            self.done.append(one)
            self.finish()

    def finish(self) -> None:
        """What waits."""
        self.done += [self.waiting] if self.waiting else []
        self.waiting = None


def interleaved(program: Program) -> Program:
    """A byte is extracted before the sum of the look-up before it, and its word loaded behind.

    A block is loaded before anything is added.
    """
    if not any(one.name == "byte" for one in program.operations):
        return program
    order = _Order(program)
    for one in program.operations:
        if one.name == "eor":
            order.add(order.missing(one))
            order.finish()
            order.waiting = one
    order.finish()
    order.add(one for one in program.operations if one not in order.done)
    return replace(program, operations=tuple(order.done))


@dataclass
class Text:
    """The lines of a function."""

    inverse: bool
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    def enter(self) -> None:
        """Saves registers, and loads a block.

        KEY is the key's address, moved to where its last round key is less that of the first one in
        decryption; those of encryption lie before it if bit 0 of `directions`, 2 or 3, is set.
        """
        count = f"add.w {COUNT}, lr, {COUNT}, lsl #4"
        block = self.block()
        self.add("push.w {r4-r11, lr}", "ldrb.w lr, [r0, #%c[rounds]]")
        if self.inverse:
            self.add("ldrb.w r8, [r0, #%c[directions]]", count, "sub.w r8, r8, #1")
            self.add("mla r8, lr, r8, r8", *block, f"add.w {KEY}, {KEY}, r8, lsl #4")
        else:
            self.add(*block, count)

    def block(self) -> list[str]:
        """Loads a block; words, because LDM and STM take no address that is none of a word."""
        return [f"ldr.w {reg}, [{IN}, #{4 * i}]" for i, reg in enumerate(FIRST)]

    def begin(self) -> None:
        """For each block, the sum with the first round key; Z: no key is longer."""
        words = WORKING[4:8]
        keys = [self.key(reg, i) for i, reg in enumerate(words)]
        test = f"tst.w {COUNT}, #4"  # stands where COUNT is there, and until KEY is there
        self.add("0:", *([test, *keys] if self.inverse else [*keys, test]))
        self.add(*(f"eor.w {a}, {a}, {b}" for a, b in zip(FIRST, words, strict=True)))

    def key(self, out: str, word: int) -> str:
        """Loads a word of the round keys, which the first one begins."""
        at = 4 * word - ROUND_KEY * self.inverse
        wide = ".w" if at >= -4 else ""  # others are below KEY, and clang takes no .w
        return f"ldr{wide} {out}, [{KEY}, #%c[keys]{at:+d}]"

    def piece(
        self, program: Program, entry: Sequence[str], leave: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """A program on registers; those that it leaves the state in."""
        listing = read(program, [one.out for one in program.operations])
        usable = Registers((*WORKING, TABLE))  # the last round has another address in its place
        found = colour(listing, (*entry, KEY, TABLE), leave, registers=usable)
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            operation = one.operation
            if operation and operation.name == "key":
                self.add(self.key(outs[0], operation.immediate))
            elif operation:
                self.add(ttable1_armv7m.text(operation, outs[0], reads))
        self.add(*(target.move(*pair) for pair in found.moves))
        return found.exit

    def loop(self, state: Sequence[str]) -> None:
        """Behind the first round of longer keys: once more, and Z if it is the last time.

        N is clear when a block comes here first; how often is then pushed.
        """
        step = "sub" if self.inverse else "add"
        self.add(
            "2:", "bmi.w 3f", f"and.w lr, {COUNT}, #15", "sub.w lr, lr, #10", "str.w lr, [sp, #-4]!"
        )
        self.add("3:", "ldr.w lr, [sp], #4", f"{step}.w {KEY}, {KEY}, #{ROUND_KEY}")
        self.add(*(target.move(*pair) for pair in parallel_moves(FIRST, state, WORKING[:8])))
        self.add("subs.w lr, lr, #1", "beq.w 1b", "str.w lr, [sp, #-4]!", "mvns.w lr, #0", "b.w 1b")

    def leave(self, box: str) -> None:
        """Stores the columns and goes on with the next block, if there is one."""
        back = "add" if self.inverse else "sub"
        stores = [f"str.w {reg}, [{OUT}, #{4 * i}]" for i, reg in enumerate(FIRST)]
        self.add(f"cmp.w {COUNT}, #32", *stores[:-1], stores[-1].replace(".w", ".n"), "bcc.n 9f")
        self.add(f"sub.w {TABLE}, {box}, #{lookups.BOX[self.inverse]}")
        self.add(*(f"add.w {reg}, {reg}, #16" for reg in (IN, OUT)), f"and.w lr, {COUNT}, #15")
        self.add("sub.w lr, lr, #10", f"sub.w {COUNT}, {COUNT}, #16", *self.block())
        self.add(f"{back}.w {KEY}, {KEY}, lr, lsl #4", "b.w 0b")


def lines(*, inverse: bool) -> list[str]:
    """A function: r0 key, r1 out, r2 in, r3 blocks, r12 table."""
    text = Text(inverse)
    text.enter()
    text.begin()
    text.add("1:")
    way = -4 if inverse else 4
    after = state = text.piece(interleaved(lookups.middle(way, inverse=inverse)), FIRST)[:4]
    text.add("bne.w 2f")
    for number in range(2, ttable1_armv7m.ROUNDS):
        program = interleaved(lookups.middle(way * number, inverse=inverse))
        state = text.piece(program, state)[:4]
    last = lookups.last(way * ttable1_armv7m.ROUNDS, inverse=inverse, slots=())
    text.leave(text.piece(interleaved(last), state, FIRST)[5])
    text.loop(after)
    text.add("9:", "pop.w {r4-r11, lr}")
    return text.lines


def header() -> str:
    """The text of the header."""
    found = {name: lines(inverse=name == "decrypt") for name in ("encrypt", "decrypt")}
    found[lookups_text.COUNTER] = ttable1_armv7m.counter_lines(interleaved)
    shape = lookups_text.Shape(stack=STACK)
    return lookups_text.header(CORE, "Thumb-2 (Cortex-M33)", found, shape)

# SPDX-License-Identifier: MIT
"""Functions for ARMv7-M that add blocks to a GHASH, around products of two words by two.

Three of these make a block, in a loop whose body a search put in order.  What is around it,
Karatsuba's sums and the reduction of lib/src/parts/ghash_words.h, needs no more registers than
there are: it is written here in the order in which it is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from . import anneal, c_text, ghash_text
from .allocate import Registers, colour, read, slots
from .ghash import MASK, THIRD
from .ghash_pairs import STRIDE, LongPairs, LowPairs, pair
from .makers import makers
from .program import Program
from .search import ORDERS, load
from .targets import armv7m_products as target

PIECE: Final = "pair"
PAIR: Final = 4 * STRIDE
"""Bytes of the frame for a product: operand and product, and key (ghash_pairs.py)."""
PAIRS: Final = 3
KEY: Final = 16
FRAME: Final = {"hash": PAIR * PAIRS, "in": PAIR * PAIRS + 4, "end": PAIR * PAIRS + 8}
"""Offsets in the stack frame: where the hash goes, the next block, the end of the blocks."""
SPILLS: Final = PAIR * PAIRS + 12
PUSHED: Final = 36
"""Bytes of the registers that the function saves."""
STATE: Final = ("r4", "r5", "r6", "r7")
"""The hash between blocks."""
BLOCK, END = "r12", "r14"
"""The next block, and where the blocks end, between blocks."""
ENTRY: Final = ("r0", "r1")
"""The pointer, and the mask if there is one."""


class Text(ghash_text.Lines):
    """The lines of the function, with the bytes of stack that spills take."""

    frame: int = SPILLS

    def get(self, register: str, name: str) -> None:
        """From the frame."""
        self.add(target.load(register, FRAME[name]))

    def put(self, register: str, name: str) -> None:
        """Into the frame."""
        self.add(target.store(register, FRAME[name]))

    def pair(self, program: Program, schedule: Sequence[str]) -> tuple[str, ...]:
        """A product; its registers, with those of ENTRY behind."""
        listing = read(program, schedule, makers(program))
        entry = ENTRY[: len(program.inputs)]
        registers = Registers(target.REGISTERS)
        found = colour(listing, entry, ("",) * 4 + entry, registers=registers)
        offsets = slots(listing, SPILLS)
        self.frame = max(self.frame, *(offset + 4 for offset in [0, *offsets.values()]))
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            if one.operation:
                self.add(target.operation(one.operation, outs, reads))
            elif one.kind == "store":
                self.add(target.store(reads[0], offsets[one.slot]))
            else:
                self.add(target.load(outs[0], offsets[one.slot]))
        self.add(*(target.move(*one) for one in found.moves))
        return found.exit


def _enter(text: Text) -> None:
    """At a word: saves registers and arguments: r0 hash, r1 key, r2 blocks, r3 their number."""
    text.add(".balign 4", "push.w {r4-r11, lr}", "sub.w sp, sp, #FRAME", "ldm.w r1, {r4-r12}")
    for one in range(PAIRS):
        for word in range(3):
            text.add(target.store(f"r{4 + 3 * one + word}", PAIR * one + KEY + 4 * word))
    text.add("add.w r3, r2, r3, lsl #4")
    text.put("r0", "hash")
    text.put("r3", "end")
    text.add(target.move(BLOCK, "r2"))
    text.add(f"ldm.w r0, {{{', '.join(STATE)}}}")


def _operands(text: Text, *, masked: bool) -> None:
    """Adds a block and writes three operands: low half, high half, sum."""
    loads, sums = added(BLOCK, ("r8", "r9", "r10", "r11"))
    text.add(*loads)
    text.put(BLOCK, "in")  # a store behind loads takes no cycle
    text.add(*sums)
    text.add("eor.w r8, r4, r6", "eor.w r9, r5, r7")
    for one, low, high in ((0, "r4", "r5"), (1, "r6", "r7"), (2, "r8", "r9")):
        text.add(target.store(low, PAIR * one), target.store(high, PAIR * one + 4))
    pointer, mask = ENTRY
    text.add(f"mov.w {pointer}, sp")
    if masked:
        text.add(f"movw {mask}, #{THIRD & 0xFFFF}", f"movt {mask}, #{THIRD >> 16}")


def _products(text: Text, program: Program, schedule: Sequence[str]) -> None:
    text.add("1:")
    *words, pointer = text.pair(program, schedule)[:5]
    end = next(reg for reg in target.REGISTERS if reg not in (*words, *ENTRY))
    text.add(*(f"str.w {words[i]}, [{pointer}, #{4 * i}]" for i in range(1, 4)))
    text.add(f"str.w {words[0]}, [{pointer}], #{PAIR}", f"add.w {end}, sp, #{PAIR * PAIRS}")
    text.add(f"cmp.w {pointer}, {end}", "bne.w 1b")


def _reduced(text: Text) -> None:
    """The product of four words by four in r0 to r7, of its parts; then its remainder in STATE.

    With L, M, H for the products of the low, the summed and the high halves, words 2 and 3 are
    L2 + H0 + L0 + M0 and L3 + H1 + L1 + M1, words 4 and 5 L2 + H0 + H2 + M2 and L3 + H1 + H3 + M3.
    """
    offsets = [PAIR * one + 4 * word for one in range(PAIRS) for word in range(4)]
    text.add(*(target.load(f"r{i}", offset) for i, offset in enumerate(offsets)))
    text.get(BLOCK, "in")
    text.get(END, "end")
    for low, high, first, second in (
        ("r2", "r4", ("r8", "r0"), ("r10", "r6")),
        ("r3", "r5", ("r9", "r1"), ("r11", "r7")),
    ):
        text.add(f"eor.w {low}, {low}, {high}")
        text.add(*(f"eor.w {a}, {a}, {b}" for a, b in (first, second)))
        text.add(f"eor.w {high}, {low}, {second[0]}", f"eor.w {low}, {low}, {first[0]}")
    text.add(*folds())


def folds() -> Iterator[str]:
    """ghash_words_reduce() of eight words in r0 to r7; the remainder is in STATE."""
    for word in range(4):
        to, below = f"r{word + 4}", f"r{word + 3}"
        yield f"eor.w {to}, {to}, r{word}"
        yield from (f"eor.w {to}, {to}, r{word}, lsr #{amount}" for amount in (1, 2, 7))
        yield from (f"eor.w {below}, {below}, r{word}, lsl #{amount}" for amount in (31, 30, 25))


def added(pointer: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The block at a pointer into four registers; their sum with STATE."""
    loads = [f"ldr.w {word}, [{pointer}, #{4 * i}]" for i, word in enumerate(words)]
    pairs = zip(reversed(STATE), words, strict=True)
    sums = [f"rev.w {word}, {word}" for word in words]
    return loads, [*sums, *(f"eor.w {a}, {a}, {b}" for a, b in pairs)]


def _leave(text: Text) -> None:
    """Goes on with the next block, if there is one, or stores the hash and returns."""
    text.add(f"add.w {BLOCK}, {BLOCK}, #16", f"cmp.w {BLOCK}, {END}", "bne.w 0b")
    text.get("r0", "hash")
    text.add(f"stm.w r0, {{{', '.join(STATE)}}}", "add.w sp, sp, #FRAME", "pop.w {r4-r11, pc}")


@dataclass(frozen=True)
class ByPairs:
    """A multiplier, as a core's module is."""

    multiplier: str
    writer: type[LowPairs | LongPairs]
    steps: int
    """Of the search."""

    @property
    def CORE(self) -> str:  # noqa: N802 - as modules have it
        """The header's name."""
        return f"{self.multiplier}_armv7m"

    @property
    def SCHEDULES(self) -> Path:  # noqa: N802
        """Where its schedule is kept."""
        return ORDERS / f"{self.CORE}.json"

    def programs(self) -> dict[str, Program]:
        """What schedules are searched for."""
        return {PIECE: pair(self.writer())}

    def _problem(self) -> anneal.Problem:
        return anneal.Problem(self.programs()[PIECE], target)

    def searched(self, _: str, seed: int) -> list[str]:
        """A schedule, without stores of what is in memory already."""
        found = anneal.search(self._problem(), seed, replace(target.HEAT, steps=self.steps))
        return [
            name
            for at, name in enumerate(found)
            if not name.startswith("store ") or name not in found[:at]
        ]

    def cost(self, _: str, schedule: Sequence[str]) -> int:
        """Cycles of a schedule."""
        return anneal.checked(self._problem(), schedule)

    def header(self) -> str:
        """The text of the header."""
        text = Text()
        _enter(text)
        text.add("0:")
        _operands(text, masked=MASK in self.writer.kept)
        _products(text, self.programs()[PIECE], load(self.SCHEDULES)[PIECE].schedule)
        _reduced(text)
        _leave(text)
        return written(self.multiplier, text.lines, text.frame)


def written(multiplier: str, lines: Sequence[str], frame: int) -> str:
    """The text of a header, of the lines of its function with #FRAME for the bytes of its frame."""
    function = c_text.Function(
        f"{multiplier}_armv7m",
        "add",
        [line.replace("#FRAME", f"#{frame}") for line in lines],
        code=4 * len(c_text.instructions(lines)),
        stack=frame + PUSHED,
        before=(".syntax unified",),
        template=ghash_text.FUNCTION,
    )
    isa, where = "ARMv7-M (Cortex-M3, M4)", "where words can be loaded"
    return ghash_text.header(multiplier, "armv7m", isa, where, function)


mul_low = ByPairs("mul_low", LowPairs, steps=500_000)
mul32 = ByPairs("mul32", LongPairs, steps=150_000)

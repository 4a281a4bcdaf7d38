# SPDX-License-Identifier: MIT
"""lib/src/assembly/mul_low_armv6m.h: a function that adds blocks to a GHASH.

The nine products of two words are a loop, whose body a search put in order.  What is around it,
Karatsuba's sums and the reduction of lib/src/parts/ghash_words.h, has few values at a time: it is
written here in the order in which it is executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from . import anneal, c_text, ghash, ghash_text
from .allocate import Registers, colour, read, slots
from .makers import makers
from .program import Program
from .search import ORDERS, Found, load
from .targets import armv6m, armv6m_products

CORE: Final = "mul_low_armv6m"
SCHEDULES: Final = ORDERS / f"{CORE}.json"
PIECE: Final = "product"
WORDS: Final = 9
"""Of the key; so many are the products of a block."""
LOW, HIGH, KEY = (4 * WORDS * i for i in range(3))
"""Offsets in the stack frame: factors, and the lower words of products in their place; the higher
words; the key."""
FRAME: Final = {"hash": 108, "in": 112, "end": 116, "third": 120}
"""Offsets: where the hash goes, the next block, the end of the blocks, ghash.THIRD."""
SPILLS: Final = 124
PUSHED: Final = 36
"""Bytes of the registers that the function saves."""
STATE: Final = ("r0", "r2", "r3", "r4")
"""The hash between blocks."""
REGISTERS: Final = Registers(armv6m.REGISTERS, armv6m_products.FURTHER, armv6m.destroyed)
FACTORS: Final = ("r0", "r1", "r2")
"""Where a product finds its factors and the mask."""


class Text(ghash_text.Lines):
    """The lines of the function, with the bytes of stack that spills take."""

    frame: int = SPILLS

    def get(self, register: str, name: str) -> None:
        """From the frame."""
        self.add(armv6m.load(register, FRAME[name]))

    def put(self, register: str, name: str) -> None:
        """Into the frame."""
        self.add(armv6m.store(register, FRAME[name]))

    def moves(self, *pairs: tuple[str, str]) -> None:
        """(to, from)."""
        self.add(*(armv6m.move(*pair) for pair in pairs))

    def xor(self, *pairs: tuple[str, str]) -> None:
        """Each second register added to the first."""
        self.add(*(f"eors {out}, {other}" for out, other in pairs))

    def product(self, schedule: Sequence[str]) -> tuple[str, ...]:
        """Of two words, in FACTORS; the registers of its words."""
        program = programs()[PIECE]
        listing = read(program, schedule, makers(program))
        found = colour(listing, FACTORS, ("", "", FACTORS[2]), registers=REGISTERS)
        offsets = slots(listing, SPILLS)
        self.frame = max(self.frame, *(offset + 4 for offset in [0, *offsets.values()]))
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True):
            if one.kind == "store":
                self.add(armv6m.store(reads[0], offsets[one.slot]))
            elif one.kind in ("in", "out"):
                self.moves((outs[0], reads[0]))
            elif one.operation is None:
                self.add(armv6m.load(outs[0], offsets[one.slot]))
            else:
                self.add(*armv6m.operation(one.operation, outs[0], reads[0], reads[-1], 0))
        self.moves(*found.moves)
        return found.exit


def _enter(text: Text) -> None:
    """Saves registers and arguments, and makes the mask: r0 hash, r1 key, r2 blocks, r3 count."""
    text.add("push {r4-r7, lr}", *(f"mov r{i}, r{i + 4}" for i in range(4, 8)), "push {r4-r7}")
    text.add("sub sp, #FRAME")
    text.put("r0", "hash")
    text.put("r2", "in")
    text.add("lsls r3, r3, #4", "adds r3, r3, r2")
    text.put("r3", "end")
    text.add(f"add r2, sp, #{KEY}", "ldmia r1!, {r3-r7}", "stmia r2!, {r3-r7}")
    text.add("ldmia r1!, {r3-r6}", "stmia r2!, {r3-r6}")
    text.add("movs r3, #0x49", "lsls r4, r3, #9", "orrs r3, r4", "lsls r4, r3, #18", "orrs r3, r4")
    text.put("r3", "third")
    text.add(f"ldm r0, {{{', '.join(STATE)}}}")
    text.get("r1", "in")


def _factors(text: Text) -> None:
    """Adds the block at r1, and splits the sum into nine factors."""
    text.add("ldm r1, {r1, r5, r6, r7}")
    for word, block in zip(reversed(STATE), ("r1", "r5", "r6", "r7"), strict=True):
        text.add(f"rev {block}, {block}", f"eors {word}, {block}")
    text.moves(("r1", "sp"), ("r8", "sp"), ("r5", "r0"), ("r6", "r3"))
    text.xor(("r5", "r2"), ("r6", "r4"))
    text.add("stmia r1!, {r0, r2, r5}", "stmia r1!, {r3, r4, r6}")
    text.xor(("r0", "r3"), ("r2", "r4"), ("r5", "r6"))
    text.add("stmia r1!, {r0, r2, r5}")
    text.moves(("r10", "r1"))
    text.get(FACTORS[2], "third")


def _products(text: Text, schedule: Sequence[str]) -> None:
    """Replaces the nine factors by products; r8 goes from the first to r10."""
    a, b, mask = FACTORS
    text.add("1:", f"mov {b}, r8", f"ldr {a}, [{b}]", f"ldr {b}, [{b}, #{KEY}]")
    low, high, _ = text.product(schedule)
    at = next(reg for reg in armv6m.REGISTERS if reg not in (low, high, mask))
    text.add(f"mov {at}, r8", f"str {high}, [{at}, #{HIGH}]", f"stmia {at}!, {{{low}}}")
    text.add(f"mov r8, {at}", f"cmp {at}, r10", "beq 2f", "b 1b", "2:")


def _join(text: Text) -> None:
    """Two words by two: of three products their four words, in STATE."""
    text.add("ldmia r6!, {r0, r1, r2}", "ldmia r7!, {r3, r4, r5}")
    text.xor(("r3", "r1"), ("r2", "r0"), ("r2", "r3"), ("r3", "r4"), ("r3", "r5"))


def _joined(text: Text) -> None:
    """The product's words 0 to 7 in r8, r9, r1, r5, r0, r2, r3, r4.

    With L, M, H for the products of the low, the summed and the high halves, words 2 and 3 are
    L2 + L0 + M0 + H0 and L3 + L1 + M1 + H1, words 4 and 5 L2 + M2 + H0 + H2 and L3 + M3 + H1 + H3.
    """
    text.add(f"add r6, sp, #{LOW}", f"add r7, sp, #{HIGH}")
    _join(text)
    text.moves(("r8", "r0"), ("r9", "r2"), ("r10", "r3"), ("r11", "r4"))
    text.add("adds r6, #12", "adds r7, #12")
    _join(text)
    for low, high, first, third, fifth in (
        ("r0", "r3", "r8", "r10", "r12"), ("r2", "r4", "r9", "r11", "r14"),
    ):  # fmt: skip
        text.add(f"mov r1, {first}", f"eors {low}, r1", f"mov r1, {third}", f"eors {low}, r1")
        text.add(f"eors {high}, r1", f"mov {third}, {low}", f"mov {fifth}, {high}")
    text.add("subs r6, #24", "subs r7, #24")
    _join(text)
    text.add("mov r1, r10", "eors r1, r0", "eors r0, r3", "mov r5, r12", "eors r0, r5")
    text.add("mov r5, r11", "eors r5, r2", "eors r2, r4", "mov r6, r14", "eors r2, r6")


def _fold(text: Text, word: str, to: str, below: str) -> None:
    """Adds a word of x^128 and above where ghash_words_fold() does; r7 is lost."""
    text.xor((to, word))
    for shift, amounts, goal in (("lsrs", (1, 2, 7), to), ("lsls", (31, 30, 25), below)):
        for amount in amounts:
            text.add(f"{shift} r7, {word}, #{amount}", f"eors {goal}, r7")


def _reduced(text: Text) -> None:
    """Reduces what _joined() left."""
    text.add("mov r6, r8")
    _fold(text, "r6", "r0", "r5")
    text.add("mov r6, r9")
    _fold(text, "r6", "r2", "r0")
    _fold(text, "r1", "r3", "r2")
    _fold(text, "r5", "r4", "r3")


def _leave(text: Text) -> None:
    """Goes on with the next block, if there is one, or stores the hash and returns."""
    text.get("r1", "in")
    text.get("r5", "end")
    text.add("adds r1, #16")
    text.put("r1", "in")
    text.add("cmp r1, r5", "beq 3f", "b 0b", "3:")
    text.get("r1", "hash")
    text.add(f"stmia r1!, {{{', '.join(STATE)}}}", "add sp, #FRAME", "pop {r4-r7}")
    text.add(*(f"mov r{i + 4}, r{i}" for i in range(4, 8)), "pop {r4-r7, pc}")


def programs() -> dict[str, Program]:
    """What schedules are searched for."""
    return {PIECE: ghash.product()}


def _problem() -> anneal.Problem:
    return anneal.Problem(programs()[PIECE], armv6m_products)


def searched(name: str, seed: int) -> list[str]:
    """A schedule of the program of that name."""
    return anneal.search(_problem(), seed)


def cost(name: str, schedule: Sequence[str]) -> int:
    """Cycles of a schedule, on both processors together."""
    return anneal.checked(_problem(), schedule)


def header() -> str:
    """The text of the header."""
    schedules: dict[str, Found] = load(SCHEDULES)
    text = Text()
    _enter(text)
    text.add("0:")
    _factors(text)
    _products(text, schedules[PIECE].schedule)
    _joined(text)
    _reduced(text)
    _leave(text)
    lines = [line.replace("#FRAME", f"#{text.frame}") for line in text.lines]
    function = c_text.Function(
        CORE,
        "add",
        lines,
        code=2 * len(c_text.instructions(lines)),
        stack=text.frame + PUSHED,
        before=(".syntax unified",),
        template=ghash_text.FUNCTION,
    )
    return ghash_text.header("mul_low", "armv6m", "ARMv6-M (Cortex-M0, M0+)", "at words", function)

# SPDX-License-Identifier: MIT
"""lib/src/assembly/table4_armv7m.h: a function that adds blocks to a GHASH by a comb.

The comb is that of lib/src/parts/ghash_comb.h.
The product's eight words, a multiple of H, the key and the digit's place just fill the registers,
so there is nothing to search for: the words that the digits come from wait in the stack frame.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from .ghash_armv7m import STATE, added, folds, written
from .targets import armv7m as target

CORE: Final = "table4_armv7m"
BITS: Final = 4
"""Of a digit."""
FRAME: Final = {"hash": 16, "in": 20, "end": 24}
"""Offsets in the stack frame, behind the words of a block: where the hash goes, the next block, the
end of the blocks."""
BYTES: Final = 28
PRODUCT: Final = tuple(f"r{i}" for i in range(8))
KEY: Final = "r8"
MULTIPLE: Final = ("r9", "r10", "r11", "r12")
AT: Final = "r14"
"""The lowest bit of the digits."""


def _enter() -> list[str]:
    """At a word: saves registers and arguments: r0 hash, r1 key, r2 blocks, r3 their number."""
    return [
        ".balign 4",
        "push.w {r4-r11, lr}",
        "sub.w sp, sp, #FRAME",
        "add.w r3, r2, r3, lsl #4",
        target.store("r0", FRAME["hash"]),
        target.store("r3", FRAME["end"]),
        target.move(KEY, "r1"),
        target.move(AT, "r2"),
        f"ldm.w r0, {{{', '.join(STATE)}}}",
    ]


def _operand() -> list[str]:
    """Adds the block at AT, and begins a product."""
    loads, sums = added(AT, MULTIPLE)
    return [
        *loads,
        target.store(AT, FRAME["in"]),
        *sums,
        *(target.store(word, 4 * i) for i, word in enumerate(STATE)),
        *(f"mov.w {word}, #0" for word in (*PRODUCT, AT)),
    ]


def _digits() -> list[str]:
    """Adds the multiples by a digit of each word, and shifts the product unless it is the last."""
    lines = ["1:"]
    first = MULTIPLE[0]
    for word in range(4):
        lines += [
            target.load(first, 4 * word),
            f"lsr.w {first}, {first}, {AT}",
            f"and.w {first}, {first}, #{(1 << BITS) - 1}",
            f"add.w {first}, {KEY}, {first}, lsl #4",
            f"ldm.w {first}, {{{', '.join(MULTIPLE)}}}",
        ]
        pairs = zip(PRODUCT[word + 1 :], MULTIPLE, strict=False)
        lines += [f"eor.w {out}, {out}, {one}" for out, one in pairs]
    lines += [f"cmp.w {AT}, #{32 - BITS}", "beq.w 2f"]
    for low, high in pairwise(PRODUCT):
        lines.append(f"lsr.w {low}, {low}, #{BITS}")
        lines.append(f"orr.w {low}, {low}, {high}, lsl #{32 - BITS}")
    lines.append(f"lsr.w {PRODUCT[-1]}, {PRODUCT[-1]}, #{BITS}")
    return [*lines, f"add.w {AT}, {AT}, #{BITS}", "b.w 1b", "2:"]


def _leave() -> list[str]:
    """Goes on with the next block, if there is one, or stores the hash and returns."""
    return [
        target.load(AT, FRAME["in"]),
        target.load("r0", FRAME["end"]),
        f"add.w {AT}, {AT}, #16",
        f"cmp.w {AT}, r0",
        "bne.w 0b",
        target.load("r0", FRAME["hash"]),
        f"stm.w r0, {{{', '.join(STATE)}}}",
        "add.w sp, sp, #FRAME",
        "pop.w {r4-r11, pc}",
    ]


def header() -> str:
    """The text of the header."""
    return written("table4", [*_enter(), "0:", *_operand(), *_digits(), *folds(), *_leave()], BYTES)

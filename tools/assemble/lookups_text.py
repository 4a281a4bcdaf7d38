# SPDX-License-Identifier: MIT
"""Functions in C whose body is assembly on operands in fixed registers, for rounds with a table.

A call has room for four arguments in registers, and these functions need five.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .allocate import colour, read
from .program import Operation, Program

STACK: Final = 52
"""Bytes: nine registers of the caller and four arguments."""


@dataclass(frozen=True)
class Shape:
    """What differs between cores and instruction sets."""

    instruction: int = 4
    """Bytes."""
    stack: int = STACK
    table: str = "uint32_t"
    """The type of its entries."""
    changed: str = ""
    """Registers that the assembly changes and leaves to compilers to save."""


FUNCTION: Final = """\
/* $WHAT.  $BYTES bytes of code; $STACK bytes of stack. */
AESFIT_INLINE void $CORE_$NAME_blocks($PARAMETERS)
{
$REGISTERS
    __asm__ volatile($BODY
                     : $OPERANDS
                     : [keys] "i"(offsetof(aesfit_key, schedule)),
                       [rounds] "i"(offsetof(aesfit_key, rounds)),
                       [directions] "i"(offsetof(aesfit_key, directions))
                     : $CHANGED"cc", "memory");
}
"""
HEADER: Final = """\
/* SPDX-License-Identifier: MIT */
/* The rounds of $OF for $FOR.  Written by tools/assemble, whose
 * README says how; its test compares this file with what the tool writes.
 *
 * The assembly saves the registers that a function preserves, so that compilers need not, and takes
 * its arguments in the others: the key; where the blocks go and where they come from, at addresses
 * that words are loaded from; their number, at least 1 and less than 2^27; and the table.$END
#ifndef AESFIT_ASSEMBLY_$GUARD_H
#define AESFIT_ASSEMBLY_$GUARD_H

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
    ("const $ENTRY *", "table", "r12"),
)
COUNTER: Final = "counter"
"""The function that adds the encryption of counter blocks to a text."""
COUNTER_PARAMETERS: Final = (
    *PARAMETERS[:3],
    ("uint32_t ", "counter", "r3"),
    ("const uint32_t *", "kept", "r4"),
    PARAMETERS[-1],
)
COUNTER_STACK: Final = 76
"""Bytes: nine registers of the caller, four arguments, the round keys' address, what is kept."""
COUNTERS: Final = """
 * For counter blocks the number is in the upper half of `counter`, less than what ends the loop:
 * 0x10000 for keys of ten rounds, 0x8000 for others.  Byte 0 is the last byte of the first counter
 * block without bit 7, and does not get beyond 127 before the last block.  Byte 1 is that bit and
 * the byte of the round key that is added to it.
 * `kept` is what parts/steps/ttable1_counter.h has. */"""


def function(core: str, name: str, lines: Sequence[str], shape: Shape) -> str:
    """A function whose instructions all have the same size, but for those marked .n: 2 bytes."""
    parameters: Sequence[tuple[str, str, str]] = PARAMETERS
    what = f"{name.capitalize()}s blocks"
    if name == COUNTER:
        parameters, what = COUNTER_PARAMETERS, "Adds the encryption of counter blocks to blocks"
    indent = " " * len(f"AESFIT_INLINE void {core}_{name}_blocks(")
    facts = {
        "$WHAT": what,
        "$CORE": core,
        "$NAME": name,
        "$BYTES": str(
            sum(
                2 if ".n " in line else shape.instruction
                for line in lines
                if line[0] != "." and line[-1] != ":"
            )
        ),
        "$STACK": str(COUNTER_STACK if name == COUNTER else shape.stack),
        "$CHANGED": f'"{shape.changed}", ' if shape.changed else "",
        "$PARAMETERS": f",\n{indent}".join(f"{kind}{one}" for kind, one, _ in parameters),
        "$REGISTERS": "\n".join(
            f'    register {kind}{reg} __asm__("{reg}") = {one};' for kind, one, reg in parameters
        ),
        "$BODY": "\n                     ".join(f'"{line}\\n\\t"' for line in lines),
        "$OPERANDS": ", ".join(f'"+r"({reg})' for _, _, reg in parameters),
        "$ENTRY": shape.table,
    }
    return _filled(FUNCTION, facts)


def instructions(
    program: Program,
    entry: Sequence[str],
    leave: Sequence[str],
    text: Callable[[Operation, str, Sequence[str]], str],
    move: Callable[[str, str], str],
) -> tuple[list[str], tuple[str, ...]]:
    """A program in its own order on registers, and those that it leaves its results in.

    `text` and `move` give an operation and a copy on registers as an instruction.
    """
    listing = read(program, [one.out for one in program.operations])
    found = colour(listing, entry, leave)
    lines = [
        text(one.operation, outs[0], reads)
        for one, outs, reads in zip(listing.items, found.outs, found.reads, strict=True)
        if one.operation
    ]
    return [*lines, *(move(*pair) for pair in found.moves)], found.exit


def _filled(text: str, facts: Mapping[str, str]) -> str:
    for mark, fact in facts.items():
        text = text.replace(mark, fact)
    return text


def header(
    core: str,
    processors: str,
    functions: Mapping[str, Sequence[str]],
    shape: Shape | None = None,
    further: Sequence[str] = (),
) -> str:
    """The text of a header; `further` are functions that are written already."""
    written = [function(core, *one, shape or Shape()) for one in functions.items()]
    written += further
    facts = {
        "$OF": core.rpartition("_")[0],
        "$FOR": processors,
        "$GUARD": core.upper(),
        "$FUNCTIONS": "\n".join(written),
        "$END": COUNTERS if COUNTER in functions else " */",
    }
    return _filled(HEADER, facts)

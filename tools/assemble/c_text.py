# SPDX-License-Identifier: MIT
"""Functions in C whose bodies are assembly, and the header around them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FUNCTION: Final = """\
/* $WHAT blocks.  $BYTES bytes of code; $STACK bytes of stack. */
$LINKAGE void $NAME_blocks(const uint32_t *schedule AESFIT_ARGUMENT,
$INDENT uint8_t *out AESFIT_ARGUMENT,
$INDENT const uint8_t *in AESFIT_ARGUMENT,
$INDENT size_t blocks_and_rounds AESFIT_ARGUMENT)
{
$BODY
}
"""
HEADER: Final = """\
/* SPDX-License-Identifier: MIT */
$ABOUT
 *
$ARGUMENTS */
#ifndef AESFIT_ASSEMBLY_$GUARD_H
#define AESFIT_ASSEMBLY_$GUARD_H

#include "../core.h"

/* clang-format off */

$FUNCTIONS
/* clang-format on */

#endif
"""
ABOUT: Final = """\
/* The rounds of fixslice for $FOR.  Written by tools/assemble, whose README says how;
its test compares this file with what the tool writes."""
ARGUMENTS: Final = """\
 * Arguments of both functions: the schedule of parts/steps/fixslice_keys.h; where the blocks go
and where they come from, $WHERE; 16 times the number of blocks, of which there is at
least one and less than 2 GB, plus the number of rounds."""
WIDTH: Final = 100
STATEMENT: Final = 100
"""Lines of a statement: C promises string literals of 4095 characters, no longer ones."""


def filled(text: str, facts: dict[str, str]) -> str:
    """The text with facts for marks."""
    for mark, fact in facts.items():
        text = text.replace(mark, fact)
    return text


def _body(lines: Sequence[str], before: Sequence[str], behind: Sequence[str]) -> str:
    step = STATEMENT - len(before) - len(behind)
    statements = [lines[at : at + step] for at in range(0, len(lines), step)]
    return "\n".join(
        "    __asm__ volatile(" + "\n                     ".join(
            f'"{line}\\n\\t"' for line in [*before, *one, *behind]) + ");"
        for one in statements
    )  # fmt: skip


@dataclass(frozen=True)
class Function:
    """A function of a core, `way` a verb."""

    core: str
    way: str
    lines: Sequence[str]
    code: int
    """Bytes."""
    stack: int
    linkage: str = "AESFIT_ASSEMBLY"
    before: Sequence[str] = ()
    """Lines for the assembler in front of each statement, which some compilers assemble alone."""
    behind: Sequence[str] = ()
    template: str = FUNCTION

    def text(self) -> str:
        """The function in C."""
        name = f"{self.core}_{self.way}"
        facts = {
            "$WHAT": f"{self.way.capitalize()}s",
            "$NAME": name,
            "$LINKAGE": self.linkage,
            "$INDENT": " " * len(f"{self.linkage} void {name}_blocks"),
            "$BYTES": str(self.code),
            "$STACK": str(self.stack),
            "$BODY": _body(self.lines, self.before, self.behind),
        }
        return filled(self.template, facts)


def instructions(lines: Sequence[str]) -> list[str]:
    """Lines that are no labels and tell the assembler nothing."""
    return [line for line in lines if not line.endswith(":") and not line.startswith(".")]


def header(core: str, processors: str, where: str, functions: Sequence[Function]) -> str:
    """The text of a header; `where` says at which addresses blocks may lie."""
    facts = {
        "$ABOUT": _wrapped(ABOUT.replace("$FOR", processors)),
        "$ARGUMENTS": _wrapped(ARGUMENTS.replace("$WHERE", where)),
        "$GUARD": core.upper(),
        "$FUNCTIONS": "\n".join(one.text() for one in functions),
    }
    return filled(HEADER, facts)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=" * ", break_on_hyphens=False)

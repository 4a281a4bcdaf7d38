# SPDX-License-Identifier: MIT
"""Functions in C that add blocks to a GHASH, whose bodies are assembly, and the header around."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .c_text import Function, filled

FUNCTION: Final = """\
/* $BYTES bytes of code; $STACK bytes of stack. */
$LINKAGE void $NAME_blocks(uint32_t a[4] AESFIT_ARGUMENT,
$INDENT const uint32_t *key AESFIT_ARGUMENT,
$INDENT const uint8_t *in AESFIT_ARGUMENT,
$INDENT size_t blocks AESFIT_ARGUMENT)
{
$BODY
}
"""
HEADER: Final = """\
/* SPDX-License-Identifier: MIT */
/* GHASH by $MULTIPLIER for $FOR.  Written by tools/assemble, whose
 * README says how; its test compares this file with what the tool writes.
 *
 * Arguments: the hash as four words, the lowest first; the key of the multiplier; blocks, which lie
 * $WHERE; how many, at least one and less than 2 GB. */
#ifndef AESFIT_ASSEMBLY_$GUARD_H
#define AESFIT_ASSEMBLY_$GUARD_H

#include "../core.h"

/* clang-format off */

$FUNCTION
/* clang-format on */

#endif
"""


@dataclass
class Lines:
    """The lines of a function."""

    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines


def header(multiplier: str, isa: str, processors: str, where: str, function: Function) -> str:
    """The text of a header."""
    facts = {
        "$MULTIPLIER": multiplier,
        "$FOR": processors,
        "$WHERE": where,
        "$GUARD": f"{multiplier}_{isa}".upper(),
        "$FUNCTION": function.text(),
    }
    return filled(HEADER, facts)

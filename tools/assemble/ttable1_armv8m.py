# SPDX-License-Identifier: MIT
"""lib/src/assembly/ttable1_armv8m.h: the functions of ttable1_armv7m in an order for Cortex-M33.

There a load takes one cycle wherever it stands.  What it gives, and the result of an operation with
a shifted operand, is there one cycle later: so no instruction may read what the one before it made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from . import lookups_text
from .program import Operation, Program
from .ttable1_armv7m import counter_lines, lines

CORE: Final = "ttable1_armv8m"


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


def header() -> str:
    """The text of the header."""
    found = {
        name: lines(inverse=name == "decrypt", order=interleaved) for name in ("encrypt", "decrypt")
    }
    found[lookups_text.COUNTER] = counter_lines(interleaved)
    return lookups_text.header(CORE, "Thumb-2 (Cortex-M33)", found)

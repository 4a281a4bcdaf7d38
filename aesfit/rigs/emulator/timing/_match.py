# SPDX-License-Identifier: MIT
"""What rules match on: the kind of an executed instruction together with the names it may have.

Both are asked for, so that an instruction a table does not list finds no rule.
"""

from collections.abc import Callable

from .model import Window

Match = Callable[[Window], bool]

LOADS = "ldr ldrb ldrh ldrsb ldrsh"
STORES = "str strb strh"
EXCLUSIVE = "ldrex ldrexb ldrexh strex strexb strexh"


def executed(
    kinds: str, names: str, *, jumps: bool | None = None, indexed: bool | None = None
) -> Match:
    """An executed instruction of these kinds and names, both separated by spaces.

    `jumps`: whether it writes the program counter; `indexed`: whether it has an index register.
    """
    kind_set, name_set = frozenset(kinds.split()), frozenset(names.split())

    def matches(window: Window) -> bool:
        this = window.this
        return (
            window.step.executed
            and this.kind in kind_set
            and this.name in name_set
            and jumps in (None, this.writes_pc)
            and indexed in (None, this.indexed)
        )

    return matches


def after(kinds: str, *, jumps: bool | None = None) -> Match:
    """The step before was executed and of these kinds."""
    kind_set = frozenset(kinds.split())

    def matches(window: Window) -> bool:
        last = window.last
        return (
            last is not None
            and last.executed
            and last.instruction.kind in kind_set
            and jumps in (None, last.instruction.writes_pc)
        )

    return matches


def address_from_last(window: Window) -> bool:
    """The address hangs on a register, PC apart, that the step before wrote."""
    written = window.last.instruction.writes - {"r15"} if window.last else frozenset[str]()
    return not written.isdisjoint(window.this.address_registers)


def same_memory_as_last(window: Window) -> bool:
    """Both accessed a memory in common."""
    return window.last is not None and not window.last.memories.isdisjoint(window.step.memories)


def both(*matches: Match) -> Match:
    """All of them."""
    return lambda window: all(match(window) for match in matches)


def negate(match: Match) -> Match:
    """Not that one."""
    return lambda window: not match(window)


def one_and_each(window: Window) -> int:
    """1 + N cycles for N registers."""
    return 1 + window.this.transfers

# SPDX-License-Identifier: MIT
"""What the rules of RV32IMC processors in order share: Ibex and CV32E40P."""

from collections.abc import Callable

from ...profile import Operand
from ..instruction import Instruction, Kind
from .model import OperandRule, Rule, Window

MULTIPLIES: tuple[Kind, ...] = ("multiply", "multiply-long")
JUMPS: tuple[Kind, ...] = ("branch", "branch-link", "branch-register")


def base(
    source: str, *, access: int, multiply: int, high: int, divide: int, jump: int, taken: int
) -> tuple[Rule, ...]:
    """Cycles of each kind, all from one table of the manual.

    `access` is a load or store, `high` a multiplication whose upper word is the result, `divide`
    the fastest division, `taken` a conditional branch that is; one that is not takes a cycle, as
    data processing does.
    """

    def kinds(name: str, cycles: int, *wanted: Kind) -> Rule:
        return Rule(name, source, lambda window: window.this.kind in wanted, cycles)

    return (
        kinds("data processing", 1, "alu", "nop"),
        kinds("load", access, "load"),
        kinds("store", access, "store"),
        kinds("multiply", multiply, "multiply"),
        kinds("multiply, upper word", high, "multiply-long"),
        kinds("divide", divide, "divide"),
        Rule(
            "branch",
            source,
            lambda window: window.this.conditional,
            lambda window: taken if window.step.taken else 1,
        ),
        kinds("jump, call or return", jump, *JUMPS),
    )


def divisor(source: str, cycles: Callable[[Operand], int]) -> OperandRule:
    """Cycles that a division takes beyond the fastest, by its divisor."""
    return OperandRule(
        "divisor",
        source,
        lambda one: one.kind == "divide",
        lambda one, _, code: cycles(Operand.decoded(code)),
    )


def of_the_system(
    source: str, *, fence: int, control: int, slow: Callable[[Instruction], bool], slowly: int
) -> tuple[Rule, ...]:
    """Cycles of fences and of accesses to control and status registers: `slow` ones and others."""

    def accesses(window: Window) -> bool:
        return window.this.kind == "status" and window.this.name.startswith("csrr")

    return (
        Rule("fence", source, lambda window: window.this.name == "fence", fence),
        Rule(
            "control register with a flush",
            source,
            lambda window: accesses(window) and slow(window.this),
            slowly,
        ),
        Rule("control register", source, accesses, control),
    )


def across(one: Instruction | None) -> bool:
    """Whether it is a full instruction in two words of memory."""
    return one is not None and one.size == 4 and one.address % 4 == 2


def across_words(source: str) -> Rule:
    """What is jumped to and lies in two words is fetched in two cycles.

    The window of a call has the jump to its first instruction, and not the one that its return is.
    """
    return Rule(
        "target across words",
        source,
        lambda window: across(window.step.target) or (not window.before and across(window.this)),
        lambda window: (
            int(across(window.step.target)) + int(not window.before and across(window.this))
        ),
    )

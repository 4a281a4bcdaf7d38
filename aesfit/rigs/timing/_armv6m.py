# SPDX-License-Identifier: MIT
"""What the instruction tables of Cortex-M0 and Cortex-M0+ have in common.

The two differ in the length of the pipeline alone: everything that fills it anew takes one cycle
more on Cortex-M0.  Neither table knows anything that neighbours add.
"""

from ._match import LOADS, STORES, Match, executed, one_and_each
from .model import Cycles, Rule, Window

DATA_PROCESSING = (
    "adc add adr and asr bic cmn cmp eor lsl lsr mov mvn neg orr rev rev16 revsh ror rsb sbc sub "
    "sxtb sxth tst uxtb uxth"
)


def base(table: str, taken: int) -> tuple[Rule, ...]:
    """Rules of the table, in a processor on which a taken branch costs `taken` cycles."""

    def pop_pc(window: Window) -> int:
        return 1 + taken + window.this.transfers

    def rule(name: str, row: str, applies: Match, cycles: Cycles) -> Rule:
        return Rule(name, f"{table}: {row}", applies, cycles)

    alu = "alu alu-shift-register"
    return (
        rule("data processing", "all others 1", executed(alu, DATA_PROCESSING, jumps=False), 1),
        rule(
            "data processing to PC",
            f"MOV PC, ADD PC: {taken}",
            executed(alu, "mov add", jumps=True),
            taken,
        ),
        rule("multiply", "MULS: 1 with the fast multiplier", executed("multiply", "mul"), 1),
        rule("load", "LDR, LDRH, LDRB, LDRSH, LDRSB: 2", executed("load", LOADS), 2),
        rule("store", "STR, STRH, STRB: 2", executed("store", STORES), 2),
        rule(
            "load multiple",
            "LDM, POP: 1 + N",
            executed("load-many", "ldm pop", jumps=False),
            one_and_each,
        ),
        rule(
            "pop and return",
            f"POP with PC: {1 + taken} + N, PC counted",
            executed("load-many", "pop", jumps=True),
            pop_pc,
        ),
        rule(
            "store multiple",
            "STM, PUSH: 1 + N",
            executed("store-many", "stm push"),
            one_and_each,
        ),
        rule("branch not taken", "B<cc>: 1", _not_taken, 1),
        rule("branch", f"B, B<cc>: {taken}", executed("branch", "b"), taken),
        rule(
            "branch with link",
            f"BL: {taken + 1}",
            executed("branch-link", "bl"),
            taken + 1,
        ),
        rule(
            "branch to register",
            f"BX, BLX: {taken}",
            executed("branch-register branch-link", "bx blx"),
            taken,
        ),
        rule("no operation", "NOP: 1", executed("nop", "nop"), 1),
    )


def _not_taken(window: Window) -> bool:
    this = window.this
    return this.kind == "branch" and this.name == "b" and not window.step.executed

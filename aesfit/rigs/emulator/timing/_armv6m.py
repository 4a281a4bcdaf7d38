# SPDX-License-Identifier: MIT
"""What the instruction tables of Cortex-M0 and Cortex-M0+ have in common.

The two differ only in the length of the pipeline: a refill takes one cycle more on Cortex-M0.
Neither table has a cost that depends on the instructions around it.
"""

from ._match import LOADS, STORES, executed, one_and_each
from .model import FetchUnit, Rule, Window

DATA_PROCESSING = (
    "adc add adr and asr bic cmn cmp eor lsl lsr mov mvn neg orr rev rev16 revsh ror rsb sbc sub "
    "sxtb sxth tst uxtb uxth"
)


def fetch_unit(taken: int, source: str) -> FetchUnit:
    """Of a processor on which a taken branch costs `taken` cycles; `source`: how this is known."""
    return FetchUnit(
        queue_words=1,
        ahead=taken,
        source="half-words are fetched two at a time, each word when it is wanted, and the one bus "
        f"stops the processor until it is there: {source}",
        leaves_out="words behind a taken branch that are fetched in vain; that the cost of a "
        "literal depends on the half of the word that its load lies in",
    )


def base(table: str, taken: int) -> tuple[Rule, ...]:
    """Rules of the table, in a processor on which a taken branch costs `taken` cycles."""
    return (
        *_data_processing(table, taken),
        *_accesses(table, taken),
        *_branches(table, taken),
        *_of_the_system(table, taken),
        Rule("no operation", f"{table}: NOP, SEV, YIELD: 1", executed("nop", "nop sev yield"), 1),
    )


def _of_the_system(table: str, taken: int) -> tuple[Rule, ...]:
    """Special registers, interrupts and barriers."""
    return (
        Rule("interrupt mask", f"{table}: CPSID, CPSIE: 1", executed("status", "cps"), 1),
        Rule(
            "special register",
            f"{table}: MRS, MSR: {taken + 1}",
            executed("status", "mrs msr"),
            taken + 1,
        ),
        Rule(
            "barrier",
            f"{table}: DMB, DSB, ISB: {taken + 1}",
            executed("barrier", "dmb dsb isb"),
            taken + 1,
        ),
    )


def _data_processing(table: str, taken: int) -> tuple[Rule, ...]:
    alu = "alu alu-shift-register"
    return (
        Rule(
            "data processing",
            f"{table}: all others 1",
            executed(alu, DATA_PROCESSING, jumps=False),
            1,
        ),
        Rule(
            "data processing to PC",
            f"{table}: MOV PC, ADD PC: {taken}",
            executed(alu, "mov add", jumps=True),
            taken,
        ),
        Rule(
            "multiply",
            f"{table}: MULS: 1 with the fast multiplier",
            executed("multiply", "mul"),
            1,
        ),
    )


def _accesses(table: str, taken: int) -> tuple[Rule, ...]:
    def pop_pc(window: Window) -> int:
        return 1 + taken + window.this.transfers

    return (
        Rule("load", f"{table}: LDR, LDRH, LDRB, LDRSH, LDRSB: 2", executed("load", LOADS), 2),
        Rule("store", f"{table}: STR, STRH, STRB: 2", executed("store", STORES), 2),
        Rule(
            "load multiple",
            f"{table}: LDM, POP: 1 + N",
            executed("load-many", "ldm pop", jumps=False),
            one_and_each,
        ),
        Rule(
            "pop and return",
            f"{table}: POP with PC: {1 + taken} + N, PC counted",
            executed("load-many", "pop", jumps=True),
            pop_pc,
        ),
        Rule(
            "store multiple",
            f"{table}: STM, PUSH: 1 + N",
            executed("store-many", "stm push"),
            one_and_each,
        ),
    )


def _branches(table: str, taken: int) -> tuple[Rule, ...]:
    return (
        Rule("branch not taken", f"{table}: B<cc>: 1", _not_taken, 1),
        Rule("branch", f"{table}: B, B<cc>: {taken}", executed("branch", "b"), taken),
        Rule(
            "branch with link",
            f"{table}: BL: {taken + 1}",
            executed("branch-link", "bl"),
            taken + 1,
        ),
        Rule(
            "branch to register",
            f"{table}: BX, BLX: {taken}",
            executed("branch-register branch-link", "bx blx"),
            taken,
        ),
    )


def _not_taken(window: Window) -> bool:
    this = window.this
    return this.kind == "branch" and this.name == "b" and not window.step.executed

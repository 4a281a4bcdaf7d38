# SPDX-License-Identifier: MIT
"""ARM7TDMI in ARM state: three stages, one memory port.

An instruction takes sequential (S), non-sequential (N) and internal (I) cycles; with zero-wait
memory each is one clock cycle, which is what the rules sum.  Nothing overlaps: there are no
interlocks, so no rule looks at neighbours.
"""

from ..instruction import Instruction
from ._match import LOADS, STORES, executed
from .model import OperandRule, Rule, TimingModel, Window

MANUAL = "ARM7TDMI Technical Reference Manual, ARM DDI 0210C"
SUMMARY = "DDI 0210C, 6.20 Instruction speed summary"

DATA_PROCESSING = (
    "adc add and asr bic cmn cmp eor lsl lsr mov mvn orr ror rrx rsb rsc sbc sub teq tst"
)
LOAD_MANY = "ldm ldmda ldmdb ldmib pop"
STORE_MANY = "stm stmda stmdb stmib push"
BRANCHES = "branch branch-link branch-register"
UNSIGNED = frozenset({"umull", "umlal"})


def multiplier_cycles(instruction: Instruction, unsigned: int, signed: int) -> int:
    """m, 1 to 4: bytes of Rs that the 8-bit multiplier array has to work off.

    MUL, MLA, SMULL and SMLAL stop when all bits above are 0 or all are 1, UMULL and UMLAL when all
    are 0.
    """
    return unsigned if instruction.name in UNSIGNED else signed


def _fetches(window: Window) -> int:
    """One, and two more to refill the pipeline after a jump."""
    return 3 if window.step.taken else 1


MODEL = TimingModel(
    name="arm7tdmi",
    title="ARM7TDMI",
    manual=MANUAL,
    assumptions=(
        "ARM state, one 32-bit memory for code and data without wait states: S, N and I cycles "
        "are one clock cycle each."
    ),
    base=(
        Rule(
            "condition failed",
            f"{SUMMARY}; 6.19 Unexecuted instructions: 1S",
            lambda window: not window.step.executed,
            1,
        ),
        Rule(
            "data processing to PC",
            f"{SUMMARY}; 6.5 Data operations: 2S+1N",
            executed("alu", DATA_PROCESSING, jumps=True),
            3,
        ),
        Rule(
            "data processing",
            f"{SUMMARY}; 6.5 Data operations: 1S",
            executed("alu", DATA_PROCESSING),
            1,
        ),
        Rule(
            "data processing, shift by register, to PC",
            f"{SUMMARY}; 6.5 Data operations: 2S+1N+1I",
            executed("alu-shift-register", DATA_PROCESSING, jumps=True),
            4,
        ),
        Rule(
            "data processing, shift by register",
            f"{SUMMARY}; 6.5 Data operations: 1S+1I",
            executed("alu-shift-register", DATA_PROCESSING),
            2,
        ),
        Rule(
            "status register",
            f"{SUMMARY}: MRS and MSR 1S",
            executed("status", "mrs msr"),
            1,
        ),
        Rule(
            "multiply",
            f"{SUMMARY}; 6.6 Multiply: 1S+mI, of which mI is the rule 'multiplier'",
            executed("multiply", "mul"),
            1,
        ),
        Rule(
            "multiply and accumulate",
            f"{SUMMARY}; 6.6 Multiply: 1S+(m+1)I, of which mI is the rule 'multiplier'",
            executed("multiply", "mla"),
            2,
        ),
        Rule(
            "multiply long",
            f"{SUMMARY}; 6.6 Multiply: 1S+(m+1)I, of which mI is the rule 'multiplier'",
            executed("multiply-long", "umull smull"),
            2,
        ),
        Rule(
            "multiply long and accumulate",
            f"{SUMMARY}; 6.6 Multiply: 1S+(m+2)I, of which mI is the rule 'multiplier'",
            executed("multiply-long", "umlal smlal"),
            3,
        ),
        Rule(
            "load to PC",
            f"{SUMMARY}; 6.7 Load register: 2S+2N+1I",
            executed("load", "ldr", jumps=True),
            5,
        ),
        Rule(
            "load",
            f"{SUMMARY}; 6.7 Load register: 1S+1N+1I",
            executed("load", LOADS),
            3,
        ),
        Rule(
            "store",
            f"{SUMMARY}; 6.8 Store register: 2N",
            executed("store", STORES),
            2,
        ),
        Rule(
            "load multiple to PC",
            f"{SUMMARY}; 6.9 Load multiple registers: (n+1)S+2N+1I",
            executed("load-many", LOAD_MANY, jumps=True),
            lambda window: window.this.transfers + 4,
        ),
        Rule(
            "load multiple",
            f"{SUMMARY}; 6.9 Load multiple registers: nS+1N+1I",
            executed("load-many", LOAD_MANY),
            lambda window: window.this.transfers + 2,
        ),
        Rule(
            "store multiple",
            f"{SUMMARY}; 6.10 Store multiple registers: (n-1)S+2N",
            executed("store-many", STORE_MANY),
            lambda window: window.this.transfers + 1,
        ),
        Rule(
            "swap",
            f"{SUMMARY}; 6.11 Data swap: 1S+2N+1I",
            executed("swap", "swp swpb"),
            4,
        ),
        Rule(
            "branch",
            f"{SUMMARY}; 6.2 Branch and branch with link, 6.4 Branch and exchange: 2S+1N",
            executed(BRANCHES, "b bl bx"),
            3,
        ),
    ),
    operands=(
        OperandRule(
            "multiplier",
            "DDI 0210C, 6.6: m by the bytes of Rs",
            lambda instruction: instruction.kind in ("multiply", "multiply-long"),
            multiplier_cycles,
        ),
    ),
    fetches=_fetches,
    variable_time=frozenset({"multiply", "multiply-long"}),
)

# SPDX-License-Identifier: MIT
"""What single instructions cost on Cortex-M3 and Cortex-M4, which have the same pipeline.

What they cost or save because of their neighbours is in _armv7m_neighbours.py.  Sources, beside the
table and the section that the two manuals name: the stages at which branch targets are issued
(DDI 0337G, table 15-3), and what others saw silicon do where the manuals are silent; rules that
rest on the latter name the measurement.
"""

from ...profile import Operand
from ._match import EXCLUSIVE, LOADS, STORES, both, executed, one_and_each
from .model import FetchUnit, OperandRule, Rule, SplitRule, Window

DATA_PROCESSING = (
    "adc add adr and asr bfc bfi bic clz cmn cmp eor lsl lsr mov movt mvn orn orr rbit rev rev16 "
    "revsh ror rrx rsb sbc sbfx ssat sub sxtb sxth teq tst ubfx usat uxtb uxth"
)
FLOAT_PLAIN = "vabs vcmp vcmpe vneg"
FLOAT_ARITHMETIC = "vadd vcvt vcvtr vmul vnmul vsub"
FLOAT_MULTIPLY_ADD = "vfma vfms vfnma vfnms vmla vmls vnmla vnmls"
FLOAT_LONG = "vdiv vsqrt"
LOADS_MULTIPLE = "ldm ldmdb pop"
STORES_MULTIPLE = "stm stmdb push"
SKIPPABLE = frozenset(
    f"{DATA_PROCESSING} {LOADS} {STORES} {LOADS_MULTIPLE} {STORES_MULTIPLE} ldrd strd mul mla mls "
    "umull smull umlal smlal sdiv udiv b cbz cbnz bl bx blx tbb tbh nop vmov vldr vldm vldmdb vpop "
    f"vstr vstm vstmdb vpush {EXCLUSIVE} mrs msr vmrs vmsr {FLOAT_PLAIN} {FLOAT_ARITHMETIC} "
    f"{FLOAT_MULTIPLY_ADD} {FLOAT_LONG}".split()
)
"""Names of instructions that an IT block, or a condition of their own, may skip."""

REFILL_FROM_DECODE = 1
REFILL_FROM_EXECUTE = 2
REFILL_FROM_LOAD = 3
"""P, the cycles of a pipeline refill, for which the manuals give a range of 1 to 3: 3 after a load
into PC, as the section on loads says; that it is 1 where the target is issued in the decode stage
and 2 where it is a stage later is inferred."""

STAGES = "DDI 0337G, table 15-3"
MEASURED = (
    "measured (jnk0le, cortex_m3m4.md in github.com/jnk0le/random, on STM32F103 and STM32F407)"
)

PAIRED = (
    "a load pairs with a next load or store if both were seen in one memory, whichever address of "
    "it they take"
)
TABLES_IN_FLASH = (
    "nothing for loads from the flash that the code is fetched from, where published routines with "
    "tables there took 0.5 to 4 % longer than counted, even at 0 wait states"
)
"""Schwabe and Stoffelen's routines on STM32L100 and STM32F407 (tests/evidence/silicon.csv)."""


DIVISIONS = "measured on Cortex-M4 (compendium.i-0.nl, 'Division timing')"
DIVIDER = OperandRule(
    "operands of a division",
    f"{DIVISIONS}: 3 where the dividend has fewer bits than the divisor, otherwise 5 and 1 more "
    "for each 4 bits that it has more, signs left out; of Cortex-M3, whose manual has the same "
    "range and the same note, inferred",
    lambda one: one.kind == "divide",
    lambda one, dividend, divisor: _beyond_two(Operand.decoded(dividend), Operand.decoded(divisor)),
)

FETCH = FetchUnit(
    queue_words=3,
    ahead=3,
    source="three stages and a prefetch unit of three words (Cortex-M3 manual); decode of a branch "
    f"sends its target's address ({STAGES})",
    leaves_out="targets of conditional branches that are fetched ahead and not taken",
)


def base(table: str, pairing: str) -> tuple[Rule, ...]:
    """Cycles of the instructions that both processors execute alike.

    `table` and `pairing` name the manual's instruction table and its section on loads and stores.
    """
    return (
        Rule(
            "condition failed",
            f"{table}: B<cc>, CBZ not taken 1; in an IT block taken to be 1 too, which the manual "
            "does not say",
            _skipped,
            1,
        ),
        *_branches(table, pairing),
        *_single_accesses(table, pairing),
        *_multiple_accesses(table, pairing),
        Rule(
            "data processing",
            f"{table}: 1",
            executed("alu", DATA_PROCESSING, jumps=False),
            1,
        ),
        Rule("multiply", f"{table}: MUL 1", executed("multiply", "mul"), 1),
        Rule(
            "divide",
            f"{table}: SDIV, UDIV 2 to 12 by operand values; 2 where one is zero ({DIVISIONS})",
            executed("divide", "sdiv udiv"),
            2,
        ),
        *_of_the_system(table),
        Rule("if-then", f"{table}: IT 1", executed("it", "it"), 1),
        Rule(
            "no operation",
            f"{table}: NOP, SEV, CLREX 1",
            executed("nop", "nop sev yield clrex"),
            1,
        ),
    )


def _of_the_system(table: str) -> tuple[Rule, ...]:
    """Exclusive accesses, special registers, interrupts and barriers."""
    return (
        Rule(
            "exclusive access",
            f"{table}: LDREX, STREX 2",
            executed("load-exclusive store-exclusive", EXCLUSIVE),
            2,
        ),
        Rule(
            "special register or interrupt mask",
            f"{table}: MRS, MSR, CPS 1 or 2; the upper bound",
            executed("status", "mrs msr cps"),
            2,
            least=1,
        ),
        Rule(
            "barrier",
            f"{table}: DMB, DSB 1 + B, B at least 0; 0, as with ideal memory no access is left "
            "to wait for",
            executed("barrier", "dmb dsb"),
            1,
        ),
        Rule(
            "instruction barrier",
            f"{table}: ISB 1 + B, B at least a refill, which takes 1 to 3; the upper bound of it",
            executed("barrier", "isb"),
            1 + REFILL_FROM_LOAD,
            least=1 + REFILL_FROM_DECODE,
        ),
    )


def splits(pairing: str) -> SplitRule:
    """What an access costs more that is not on a multiple of its size."""
    return SplitRule(
        "unaligned access",
        f"{pairing}: a half-word is made as two bytes, +1; a word as two half-words, +1, or as a "
        "byte, a half-word and a byte, +2; of stores the manual also says that the write buffer "
        "hides it: the upper bound",
        lambda further: further,
    )


def _branches(table: str, pairing: str) -> tuple[Rule, ...]:
    decode, execute = 1 + REFILL_FROM_DECODE, 1 + REFILL_FROM_EXECUTE
    return (
        Rule(
            "branch",
            f"{table}: B, BL 1 + P; target issued in decode ({STAGES}), so P is taken to be 1",
            executed("branch branch-link", "b bl"),
            decode,
        ),
        Rule(
            "compare and branch",
            f"{table}: CBZ 1 + P; target issued in execute ({STAGES}), so P is taken to be 2",
            executed("branch", "cbz cbnz"),
            execute,
        ),
        Rule(
            "branch to link register",
            f"{table}: BX, MOV PC 1 + P; LR issued in decode if it is not being written "
            f"({STAGES}), so P is taken to be 1",
            both(executed("branch-register alu", "bx blx mov", jumps=True), _from_lr),
            decode,
        ),
        Rule(
            "branch to register",
            f"{table}: BX, BLX, MOV PC, ADD PC 1 + P; target issued in execute ({STAGES}), so P is "
            "taken to be 2",
            executed("branch-register alu", "bx blx mov add", jumps=True),
            execute,
        ),
        Rule(
            "table branch",
            f"{pairing}: TBB, TBH at least six, more than the table's 2 + P",
            executed("branch-register", "tbb tbh"),
            6,
        ),
    )


def _single_accesses(table: str, pairing: str) -> tuple[Rule, ...]:
    return (
        Rule("load", f"{table}: LDR 2", executed("load", LOADS, jumps=False), 2),
        Rule(
            "load PC",
            f"{table}: LDR PC 2 + P; {pairing}: at least five",
            executed("load", "ldr", jumps=True),
            2 + REFILL_FROM_LOAD,
        ),
        Rule(
            "store",
            f"{pairing}: STR with immediate offset always one; pre- and post-indexed {MEASURED}",
            executed("store", STORES, indexed=False),
            1,
        ),
        Rule(
            "store, register offset",
            f"{table}: STR 2",
            executed("store", STORES, indexed=True),
            2,
        ),
    )


def _multiple_accesses(table: str, pairing: str) -> tuple[Rule, ...]:
    def return_cycles(window: Window) -> int:
        return one_and_each(window) + REFILL_FROM_LOAD

    return (
        Rule(
            "load multiple",
            f"{table}: LDM, POP, LDRD 1 + N",
            executed("load-many", f"{LOADS_MULTIPLE} ldrd", jumps=False),
            one_and_each,
        ),
        Rule(
            "load multiple with PC",
            f"{table}: POP with PC 1 + N + P; P as for LDR PC ({pairing})",
            executed("load-many", LOADS_MULTIPLE, jumps=True),
            return_cycles,
        ),
        Rule(
            "store multiple",
            f"{table}: STM, PUSH, STRD 1 + N",
            executed("store-many", f"{STORES_MULTIPLE} strd"),
            one_and_each,
        ),
    )


def _beyond_two(dividend: Operand, divisor: Operand) -> int:
    """Cycles of a division beyond the fastest."""
    if not dividend.bits or not divisor.bits:
        return 0
    more = dividend.bits - divisor.bits
    return 1 if more < 0 else 3 + more // 4


def _skipped(window: Window) -> bool:
    return not window.step.executed and window.this.name in SKIPPABLE


def _from_lr(window: Window) -> bool:
    last = window.last
    written = last is not None and last.executed and "r14" in last.instruction.writes
    return "r14" in window.this.reads and not written

# SPDX-License-Identifier: MIT
"""What Cortex-M3 and Cortex-M4 have in common: the same pipeline, the same pairing of loads.

Sources, beside the table and the section that the two manuals name: the stages at which branch
targets are issued (DDI 0337G, table 15-3), and what others saw silicon do where the manuals are
silent; rules that lean on the latter name the measurement (MEASURED, ALIGNMENT).
"""

from ._match import LOADS, STORES, address_from_last, after, both, executed, negate, one_and_each
from .model import FetchUnit, Rule, Window

DATA_PROCESSING = (
    "adc add adr and asr bfc bfi bic clz cmn cmp eor lsl lsr mov movt mvn orn orr rbit rev rev16 "
    "revsh ror rrx rsb sbc sbfx ssat sub sxtb sxth teq tst ubfx usat uxtb uxth"
)
LOADS_MULTIPLE = "ldm ldmdb pop"
STORES_MULTIPLE = "stm stmdb push"
SKIPPABLE = frozenset(
    f"{DATA_PROCESSING} {LOADS} {STORES} {LOADS_MULTIPLE} {STORES_MULTIPLE} ldrd strd mul mla mls "
    "umull smull umlal smlal sdiv udiv b cbz cbnz bl bx blx tbb tbh nop".split()
)
"""Names of instructions that an IT block, or a condition of their own, may skip."""

REFILL_FROM_DECODE = 1
REFILL_FROM_EXECUTE = 2
REFILL_FROM_LOAD = 3
"""P, the cycles of a pipeline refill, for which the manuals give a range of 1 to 3: 3 after a load
into PC, as the section on loads says; that it is 1 where the target is issued in the decode stage
and 2 where it is a stage later is inferred."""

SINGLE_LOAD = after("load", jumps=False)
ALU_RESULT = after("alu multiply multiply-long divide")
STAGES = "DDI 0337G, table 15-3"
MEASURED = (
    "measured (jnk0le, cortex_m3m4.md in github.com/jnk0le/random, on STM32F103 and STM32F407)"
)
ALIGNMENT = "measured (compendium.i-0.nl, 'Alignment rules')"


FETCH = FetchUnit(
    queue_words=3,
    ahead=3,
    source="three stages and a prefetch unit that holds three words (Cortex-M3 manual); a branch sends "
    f"its target's address in decode ({STAGES})",
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
            f"{table}: SDIV, UDIV 2 to 12 by operand values; the upper bound",
            executed("divide", "sdiv udiv"),
            12,
        ),
        Rule("if-then", f"{table}: IT 1", executed("it", "it"), 1),
        Rule("no operation", f"{table}: NOP 1", executed("nop", "nop"), 1),
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


def neighbours(table: str, pairing: str, chains_updates: bool) -> tuple[Rule, ...]:
    """Cycles that an instruction costs or saves because of the one before it or its target.

    `chains_updates`: pre- and post-indexed loads, too, follow a load without a gap.
    """
    return (
        _target_alignment(table),
        *_after_load(pairing, chains_updates),
        *_after_store(pairing),
        Rule(
            "address from data processing",
            f"{pairing}: no forwarding into addresses, one cycle",
            both(_accesses_memory, ALU_RESULT, address_from_last),
            1,
        ),
        *_hidden(table),
    )


def _target_alignment(table: str) -> Rule:
    return Rule(
        "target across words",
        f"{table}: P hangs on alignment and width of the target; +1 for a 32-bit instruction "
        f"at an odd half-word {ALIGNMENT}",
        _target_across_words,
        1,
    )


def _after_load(pairing: str, chains_updates: bool) -> tuple[Rule, ...]:
    """Accesses that overlap with the load before them."""

    def chained(window: Window) -> bool:
        return chains_updates or not window.this.writeback

    follows_load = both(SINGLE_LOAD, negate(address_from_last))
    return (
        Rule(
            "load after load",
            f"{pairing}: LDR saves a cycle of a next LDR that does not take its address from it",
            both(executed("load", LOADS, jumps=False), follows_load, chained),
            -1,
        ),
        Rule(
            "store, register offset, after load",
            f"{pairing}: LDR saves a cycle of a next STR; with immediate offset it has one anyway",
            both(executed("store", STORES, indexed=True), follows_load),
            -1,
        ),
    )


def _after_store(pairing: str) -> tuple[Rule, ...]:
    """Accesses that wait for the store before them."""
    return (
        Rule(
            "load after store",
            f"{pairing}: nothing can be pipelined after a store; that it then takes two {MEASURED}",
            both(_loads, after("store"), _one_cycle_store_before),
            1,
        ),
        Rule(
            "stores that update one base",
            f"pre- and post-indexed stores on the same base do not follow at once: {MEASURED}",
            _stores_on_one_base,
            1,
        ),
    )


def _hidden(table: str) -> tuple[Rule, ...]:
    """Instructions that the one before them hides."""
    return (
        Rule(
            "no operation after an access",
            f"a load or a register-offset store hides a next NOP: {MEASURED}",
            both(executed("nop", "nop"), _hides_nop),
            -1,
        ),
        Rule(
            "folded if-then",
            f"{table}: IT can be folded onto a preceding 16-bit instruction; taken to be always so",
            both(executed("it", "it"), _after_narrow),
            -1,
        ),
    )


def _skipped(window: Window) -> bool:
    return not window.step.executed and window.this.name in SKIPPABLE


def _from_lr(window: Window) -> bool:
    last = window.last
    written = last is not None and last.executed and "r14" in last.instruction.writes
    return "r14" in window.this.reads and not written


def _loads(window: Window) -> bool:
    return window.step.executed and window.this.kind in ("load", "load-many")


def _accesses_memory(window: Window) -> bool:
    return window.step.executed and bool(window.this.address_registers)


def _target_across_words(window: Window) -> bool:
    """After loads into PC P is 3 already, its most."""
    target = window.step.target
    across = target is not None and target.size == 4 and target.address % 4 == 2
    return across and not window.this.address_registers


def _one_cycle_store_before(window: Window) -> bool:
    return window.last is not None and not window.last.instruction.indexed


def _stores_on_one_base(window: Window) -> bool:
    last = window.last
    return (
        window.step.executed
        and window.this.kind == "store"
        and window.this.writeback
        and after("store")(window)
        and last is not None
        and last.instruction.writeback
        and address_from_last(window)
    )


def _hides_nop(window: Window) -> bool:
    last = window.last
    if last is None or not last.executed:
        return False
    load = last.instruction.kind == "load" and not last.instruction.writes_pc
    return load or (last.instruction.kind == "store" and last.instruction.indexed)


def _after_narrow(window: Window) -> bool:
    last = window.last
    return last is not None and last.instruction.size == 2 and not last.taken

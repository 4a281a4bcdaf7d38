# SPDX-License-Identifier: MIT
"""What instructions of Cortex-M3 and Cortex-M4 cost or save because of their neighbours.

The manuals' section on loads and stores, and what others saw silicon do.
"""

from functools import partial

from ._armv7m import MEASURED
from ._match import (
    LOADS,
    STORES,
    Match,
    address_from_last,
    after,
    both,
    executed,
    negate,
    same_memory_as_last,
)
from .model import Rule, Step, Window

SINGLE_LOAD = after("load", jumps=False)
FOLLOWS_LOAD = both(SINGLE_LOAD, negate(address_from_last), same_memory_as_last)
ALU_RESULT = after("alu multiply multiply-long divide")
ALIGNMENT = "measured (compendium.i-0.nl, 'Alignment rules')"
FETCHES = (
    "measured on Cortex-M4 (IACR ePrint 2025/523, as quoted by jnk0le's cortex_m3m4.md: "
    "'multi-cycle instruction followed by three unaligned 32-bit instructions')"
)
DEPTH = 4
"""Steps before that the rules look at."""
_LASTING = frozenset(
    {
        *("load", "load-many", "store-many", "float-load", "float-store", "divide"),
        *("load-exclusive", "store-exclusive", "status"),
    }
)
"""Kinds of instruction that take more than one cycle; stores with a register offset do too."""


def neighbours(
    table: str, pairing: str, *, chains_updates: bool, lasting: Match
) -> tuple[Rule, ...]:
    """Cycles that an instruction costs or saves because of those before it or its target.

    `chains_updates`: pre- and post-indexed loads and stores, too, follow a load without a gap.
    `lasting`: instructions that take several cycles, beside loads and stores.
    """
    return (
        *_across_words(table, partial(_lasts, lasting, _overlaps(chains_updates))),
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


def _across_words(table: str, lasts: Match) -> tuple[Rule, ...]:
    """32-bit instructions at an odd half-word, which take two fetches."""
    return (
        Rule(
            "target across words",
            f"{table}: P depends on alignment and width of the target; +1 for a 32-bit instruction "
            f"at an odd half-word {ALIGNMENT}",
            _target_across_words,
            1,
        ),
        Rule(
            "three instructions across words",
            "32-bit instructions at odd half-words, three in a row after one of several cycles, "
            f"lose a cycle: {FETCHES}; loads among them then fail to pipeline ({MEASURED}); a "
            f"row of stores alone loses it from four on {ALIGNMENT}, and is charged from three on",
            partial(_third_across_words, lasts),
            1,
        ),
    )


def _chained(chains_updates: bool) -> Match:
    """It follows a load without a gap, as far as its addressing mode goes."""
    return lambda window: chains_updates or not window.this.writeback


def _overlaps(chains_updates: bool) -> Match:
    """A load that follows a load without a gap."""
    return both(executed("load", LOADS, jumps=False), FOLLOWS_LOAD, _chained(chains_updates))


def _after_load(pairing: str, chains_updates: bool) -> tuple[Rule, ...]:
    """Accesses that overlap with the load before them."""
    return (
        Rule(
            "load after load",
            f"{pairing}: LDR saves a cycle of a next LDR that does not take its address from it; "
            f"only in one memory: {MEASURED} for SRAM1, SRAM2 and CCM; that flash is a memory of "
            "its own is inferred",
            _overlaps(chains_updates),
            -1,
        ),
        Rule(
            "store after load",
            f"a store with immediate offset removes the second cycle of a load before it: "
            f"{MEASURED}, in one memory; {pairing} gives three cycles in its example "
            "LDR R0,[R1,R2]; STR R0,[R3,#20], one more than silicon",
            both(executed("store", STORES, indexed=False), FOLLOWS_LOAD, _chained(chains_updates)),
            -1,
        ),
        Rule(
            "store, register offset, after load",
            f"{pairing}: LDR saves a cycle of a next STR; only in one memory: {MEASURED}",
            both(executed("store", STORES, indexed=True), FOLLOWS_LOAD),
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


def _across(step: Step) -> bool:
    one = step.instruction
    return step.executed and not one.conditional and one.size == 4 and one.address % 4 == 2


def _lasts(lasting: Match, overlaps: Match, window: Window) -> bool:
    """It takes more than one cycle; a load that overlaps with one before it takes one."""
    one = window.this
    if not window.step.executed or overlaps(window):
        return False
    return one.kind in _LASTING or (one.kind == "store" and one.indexed) or lasting(window)


def _third_across_words(lasts: Match, window: Window) -> bool:
    """Nothing jumps in between: a jump empties the queue of fetched words."""
    if len(window.before) < DEPTH - 1 or not _across(window.step):
        return False
    first, *row = window.before[1 - DEPTH :]
    if any(step.taken for step in (first, *row)) or not all(_across(step) for step in row):
        return False
    return lasts(Window(first, window.before[: 1 - DEPTH]))

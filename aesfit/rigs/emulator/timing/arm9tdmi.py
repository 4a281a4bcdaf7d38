# SPDX-License-Identifier: MIT
"""ARM9TDMI in ARM state: five stages, separate ports for instructions and data.

A loaded value leaves the memory stage one cycle later than an instruction needs it that follows at
once, and the rotation of bytes and half-words costs one more.  An interlock once paid has passed:
what was waited for by one instruction the next does not wait for again.
"""

from ..decode_arm import REGISTERS
from ._match import LOADS, STORES, executed
from .arm7tdmi import BRANCHES, DATA_PROCESSING, LOAD_MANY, STORE_MANY, multiplier_cycles
from .model import OperandRule, Rule, Step, TimingModel, Window

MANUAL = "ARM9TDMI Technical Reference Manual, ARM DDI 0180A (same chapter in DDI 0145B)"
TIMES = "DDI 0180A, 7.1 Instruction cycle times"
INTERLOCKS = "DDI 0180A, 7.2 Interlocks"
DEPTH = 6
"""Steps a stall can hang on: it takes a run of byte loads, each stalled by those before it."""


def _loaded(step: Step) -> str | None:
    """The register that is late after a load: its result, or the last one of a multiple load.

    A multiple load of one register takes two cycles, in which its value arrives.
    """
    this = step.instruction
    if not step.executed or this.writes_pc:
        return None
    if this.kind == "load" or this.name == "swpb":
        return REGISTERS[this.text.split()[1].strip("{},")]
    if this.kind == "load-many" and this.transfers > 1:
        listed = this.writes - this.address_registers if this.writeback else this.writes
        return max(listed, key=lambda register: int(register[1:]))
    return None


def _uses(step: Step, earlier: Step) -> bool:
    """Whether it needs that loaded value.

    The manual makes no exception for store data.  It is silent on an instruction whose condition
    fails: that it waits for nothing is an assumption.
    """
    return step.executed and _loaded(earlier) in step.instruction.reads


def _rotated(step: Step) -> bool:
    return step.instruction.kind == "load" and step.instruction.access_bytes < 4


def _takes_one_cycle(step: Step) -> bool:
    single = step.instruction.kind in ("alu", "load", "store", "status")
    return not step.executed or (single and not step.taken)


def _stall(steps: tuple[Step, ...]) -> int:
    """Cycles that the last of the steps waits."""
    if len(steps) < 2:
        return 0
    *_, last, this = steps
    if _uses(this, last):
        return 2 if _rotated(last) else 1
    return 1 if _waits_for_the_one_before_last(steps) else 0


def _waits_for_the_one_before_last(steps: tuple[Step, ...]) -> bool:
    """One more instruction came between, and took no more than its one cycle."""
    if len(steps) < 3:
        return False
    *_, earlier, last, this = steps
    return (
        _uses(this, earlier)
        and _rotated(earlier)
        and _takes_one_cycle(last)
        and _loaded(earlier) not in (last.instruction.writes if last.executed else ())
        and not _uses(this, last)
        and _stall(steps[:-1]) == 0
    )


def _used_next(window: Window) -> Step | None:
    """The load just before whose value this instruction uses."""
    return window.last if window.last and _uses(window.step, window.last) else None


def _word_used_next(window: Window) -> bool:
    load = _used_next(window)
    return load is not None and load.instruction.kind == "load" and not _rotated(load)


def _part_used_next(window: Window) -> bool:
    load = _used_next(window)
    return load is not None and _rotated(load)


def _last_used_next(window: Window) -> bool:
    load = _used_next(window)
    return load is not None and load.instruction.kind == "load-many"


def _swapped_byte_used_next(window: Window) -> bool:
    load = _used_next(window)
    return load is not None and load.instruction.kind == "swap"


def _part_used_next_but_one(window: Window) -> bool:
    return _waits_for_the_one_before_last((*window.before, window.step))


def _at_least_two(window: Window) -> int:
    return max(window.this.transfers, 2)


MODEL = TimingModel(
    name="arm9tdmi",
    title="ARM9TDMI",
    manual=MANUAL,
    assumptions=(
        "ARM state, separate memories for instructions and data without wait states; what uses a "
        "loaded value, store data too, waits for it unless its condition fails."
    ),
    base=(
        Rule("condition failed", TIMES, lambda window: not window.step.executed, 1),
        Rule(
            "data processing to PC",
            f"{TIMES}: Data Op, PC is destination",
            executed("alu", DATA_PROCESSING, jumps=True),
            3,
        ),
        Rule("data processing", f"{TIMES}: Data Op", executed("alu", DATA_PROCESSING), 1),
        Rule(
            "data processing, shift by register, to PC",
            f"{TIMES}: Data Op, register controlled shift, PC is destination",
            executed("alu-shift-register", DATA_PROCESSING, jumps=True),
            4,
        ),
        Rule(
            "data processing, shift by register",
            f"{TIMES}: Data Op, register controlled shift",
            executed("alu-shift-register", DATA_PROCESSING),
            2,
        ),
        Rule("status register read", f"{TIMES}: MRS", executed("status", "mrs"), 1),
        Rule(
            "multiply",
            f"{TIMES}: MUL and MLA 2+m, of which m is the rule 'multiplier'",
            executed("multiply", "mul mla"),
            2,
        ),
        Rule(
            "multiply long",
            f"{TIMES}: long multiplies 3+m, of which m is the rule 'multiplier'",
            executed("multiply-long", "umull umlal smull smlal"),
            3,
        ),
        Rule(
            "load to PC",
            f"{TIMES}: LDR, PC is destination",
            executed("load", "ldr", jumps=True),
            5,
        ),
        Rule("load", f"{TIMES}: LDR, normal case", executed("load", LOADS), 1),
        Rule("store", f"{TIMES}: STR", executed("store", STORES), 1),
        Rule(
            "load multiple to PC",
            f"{TIMES}: LDM of n registers including PC, n+4",
            executed("load-many", LOAD_MANY, jumps=True),
            lambda window: window.this.transfers + 4,
        ),
        Rule(
            "load multiple",
            f"{TIMES}: LDM of n registers, n but at least 2",
            executed("load-many", LOAD_MANY),
            _at_least_two,
        ),
        Rule(
            "store multiple",
            f"{TIMES}: STM of n registers, n but at least 2",
            executed("store-many", STORE_MANY),
            _at_least_two,
        ),
        Rule("swap", f"{TIMES}: SWP, normal case", executed("swap", "swp swpb"), 2),
        Rule("branch", f"{TIMES}: B, BL, BX", executed(BRANCHES, "b bl bx"), 3),
    ),
    neighbours=(
        Rule(
            "loaded word used next",
            f"{INTERLOCKS}, example 1; {TIMES}: 1 cycle load-use interlock",
            _word_used_next,
            1,
        ),
        Rule(
            "loaded byte or half-word used next",
            f"{INTERLOCKS}, example 2; {TIMES}: 2 cycle load-use interlock",
            _part_used_next,
            2,
        ),
        Rule(
            "loaded byte or half-word used next but one",
            f"{INTERLOCKS}: what is left of the 2 cycles after an instruction of 1 cycle",
            _part_used_next_but_one,
            1,
        ),
        Rule(
            "last register of a load multiple used next",
            f"{INTERLOCKS}, examples 3 and 4: registers arrive in order, the highest last",
            _last_used_next,
            1,
        ),
        Rule(
            "swapped byte used next",
            f"{TIMES}: SWP, loaded byte used by following instruction",
            _swapped_byte_used_next,
            1,
        ),
    ),
    operands=(
        OperandRule(
            "multiplier",
            f"{TIMES}: m by the bytes of Rs, as on the ARM7TDMI",
            lambda instruction: instruction.kind in ("multiply", "multiply-long"),
            multiplier_cycles,
        ),
    ),
    depth=DEPTH,
    variable_time=frozenset({"multiply", "multiply-long"}),
)

# SPDX-License-Identifier: MIT
"""CV32E40P: RV32IMC in four stages, without PULP extensions and without floating point."""

from ...profile import Operand
from ..instruction import Instruction
from ._rv32imc import JUMPS, across, across_words, base, divisor, of_the_system
from .model import Rule, Step, TimingModel, Window

MANUAL = "CV32E40P User Manual, Pipeline Details"
_TABLE = f"{MANUAL}: Cycle counts per instruction type"
_HAZARDS = f"{MANUAL}: Hazards"
_CONTROLLER = "cv32e40p_controller.sv"
_DIVIDER = "cv32e40p_alu.sv: div_shift; cv32e40p_alu_div.sv: IDLE, DIVIDE, FINISH"
_UPPER_WORD, _DIVIDE, _FLUSH = 5, 3, 4
_SLOW = (
    *(0x300, 0x305, 0x341, 0x342, 0x320),  # mstatus, mtvec, mepc, mcause, mcountinhibit
    *range(0x323, 0x340),  # mhpmevent
    *range(0x7B0, 0x7B4),  # debug
)
"""Control and status registers that the table lists as slow, counters apart."""
_EXECUTES = {"multiply-long": _UPPER_WORD, "divide": _DIVIDE}
"""Cycles in the stage behind decode, where they are not one.

A longer division delays all that follows, so nothing but its own cycles tells it from the fastest.
"""
_TAKEN = 3
"""Cycles until what a branch leads to can leave decode; two of them behind other jumps."""
_DEPTH = 4
"""A load shows two steps later at most, and the wait of the step between depends on it alone."""


def _ready(step: Step) -> int:
    """Cycles after leaving decode in which the result can be forwarded to decode."""
    kind = step.instruction.kind
    return 2 if kind == "load" else _EXECUTES.get(kind, 1)


def _schedule(window: Window) -> tuple[int, int]:
    """Cycles that the instruction waits in decode, and that a jump of it has begun early.

    A jump is made as soon as it is in decode, even while the stage behind is busy, and a register
    jump a cycle after its register could be forwarded.  The two write ports keep a result from
    overtaking a load of the same register.
    """
    ready: dict[str, int] = {}
    loaded: dict[str, int] = {}
    enters = free = leaves = jumps = 0
    for step in (*window.before, window.step):
        one = step.instruction
        later = int(one.kind == "branch-register")
        jumps = max([enters, *(ready[name] + later for name in one.reads if name in ready)])
        overtakes = () if one.kind == "load" else one.writes
        held = max([free, jumps, *(loaded.get(name, 0) for name in overtakes)])
        wait, leaves = held - free, held
        ready.update(dict.fromkeys(one.writes, leaves + _ready(step)))
        loaded = dict.fromkeys(one.writes, leaves + 2) if one.kind == "load" else {}
        enters = leaves + _decodes(one)
        free = max(enters, leaves + _EXECUTES.get(one.kind, 1))
        if step.taken:
            enters = leaves + _TAKEN if one.conditional else max(leaves + 1, jumps + 2)
            enters += int(across(step.target))
            free = max(free, enters)
    return wait, leaves - jumps


def _flushes(one: Instruction) -> bool:
    return one.immediate in _SLOW


def _decodes(one: Instruction) -> int:
    """Cycles in decode, from where a flush lets nothing else go on."""
    slow = one.name == "fence" or (one.kind == "status" and _flushes(one))
    return _FLUSH if slow else 1


def _behind_fence(window: Window) -> bool:
    return window.last is not None and window.last.instruction.name == "fence"


def _shifts(divisor: Operand) -> int:
    """Places that the divisor is shifted up before the first subtraction, one a cycle back."""
    return 32 - divisor.beyond_sign - divisor.negative


def _early(window: Window) -> int:
    """Cycles of a jump's refill that pass while it waits in decode: the one that a word takes.

    The second word of a target that lies in two is asked for later.
    """
    if window.this.kind not in JUMPS or window.this.conditional or window.step.target is None:
        return 0
    return min(_schedule(window)[1], 1)


MODEL = TimingModel(
    name="cv32e40p",
    title="CV32E40P (RV32IMC, four stages)",
    manual=MANUAL,
    assumptions=(
        "CV32E40P with COREV_PULP = 0, COREV_CLUSTER = 0 and FPU = 0; memories of their own for "
        "code and data that answer in the cycle after the request."
    ),
    base=(
        *base(_TABLE, access=1, multiply=1, high=_UPPER_WORD, divide=_DIVIDE, jump=2, taken=3),
        *of_the_system(
            f"{_TABLE}; a fence flushes for as long: cv32e40p_decoder.sv, fencei_insn_o",
            fence=_FLUSH,
            control=1,
            slow=_flushes,
            slowly=_FLUSH,
        ),
    ),
    neighbours=(
        Rule(
            "wait for a load, or of a register jump for its register",
            f"{_HAZARDS}; {_CONTROLLER}: load_stall_o, jr_stall_o",
            lambda window: _schedule(window)[0] > 0,
            lambda window: _schedule(window)[0],
        ),
        Rule(
            "jump beside what still executes",
            f"{_CONTROLLER}: jump_done_q",
            lambda window: _early(window) > 0,
            lambda window: -_early(window),
        ),
        Rule(
            "behind a fence across words",
            f"{_TABLE}: the fence is a jump to the next instruction",
            lambda window: _behind_fence(window) and across(window.this),
            1,
        ),
        across_words(f"{_TABLE}: jumps and branches to a non-word-aligned non-RVC instruction"),
    ),
    operands=(divisor(f"{_TABLE}: 3 to 35; {_DIVIDER}", _shifts),),
    variable_time=frozenset({"divide"}),
    depth=_DEPTH,
)

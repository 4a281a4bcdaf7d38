# SPDX-License-Identifier: MIT
"""SiFive E31: RV32IMAC, one instruction a cycle, five stages in order, branch predictor.

Sections are those of the SiFive E31 Core Complex Manual; the FE310-G000 Manual describes the same
core in the same sections, with a smaller predictor.
"""

from ..instruction import Instruction
from .model import FetchUnit, Rule, Step, TimingModel, Window

MANUAL = "SiFive E31 Core Complex Manual, sections 3.2 to 3.4"
_FETCH = "SiFive E31 Core Complex Manual, section 3.2 (instruction fetch unit)"
_PIPELINE = "SiFive E31 Core Complex Manual, section 3.3 (execution pipeline)"

_MISPREDICTED = 3
_MULTIPLY_LATENCY = 5
_READ_LATENCY, _FLUSH = 3, 5
"""Of control and status registers: cycles until what is read can be used, and of a flush behind
what is written."""
_DEPTH = 12
"""A result is late by 4 cycles at most, so that it shows 4 steps later; what it waited for itself
can be as many steps before that, and each step of such a chain takes off at least one cycle."""

_MULTIPLIES = ("multiply", "multiply-long")
_WRITES_CONTROL = ("csrrw", "csrrs", "csrrc")


def _latency(one: Instruction) -> int:
    """Cycles after which the result can be read."""
    if one.kind == "load":
        return 2 if one.access_bytes == 4 else 3
    if one.kind == "status":
        return _READ_LATENCY
    return _MULTIPLY_LATENCY if one.kind in _MULTIPLIES else 1


def _mispredicted(step: Step) -> bool:
    one = step.instruction
    if one.conditional:
        backward = one.immediate is not None and one.immediate < 0
        return step.taken != backward
    return one.kind == "branch-register" and not _is_return(one)


def _is_return(one: Instruction) -> bool:
    """By the hint of the RISC-V manual, volume I, table "return-address stack prediction"."""
    return one.reads in ({"x1"}, {"x5"}) and not one.writes


def _wait(window: Window) -> int:
    """Cycles that the instruction waits for registers and for the multiplier."""
    ready: dict[str, int] = {}
    multiplier_free = issue = 0
    for step in (*window.before, window.step):
        one = step.instruction
        earliest = max((ready.get(name, 0) for name in one.reads | one.writes), default=0)
        if one.kind in _MULTIPLIES:
            earliest = max(earliest, multiplier_free)
            multiplier_free = max(issue, earliest) + _MULTIPLY_LATENCY
        wait = max(0, earliest - issue)
        start = issue + wait
        ready.update(dict.fromkeys(one.writes, start + _latency(one)))
        flush = _FLUSH if one.name in _WRITES_CONTROL else 0
        issue = start + 1 + flush + (_MISPREDICTED if _mispredicted(step) else 0)
    return wait


MODEL = TimingModel(
    name="sifive_e31",
    title="SiFive E31",
    manual=MANUAL,
    assumptions=(
        "Code in ITIM or a warm instruction cache; data, tables, stack and all constants in DTIM; "
        "the five cycles that section 3.4 gives a load of what is still in the store pipeline are "
        "not counted, because they hang on addresses; divisions, whose time hangs on their "
        "operands, at their upper bound; a predicted "
        "jump costs no further cycle and a mispredicted one 3, by the predictor's state; direct "
        "jumps, calls, returns, backward branches taken and forward branches not taken count as "
        "predicted, every other branch and indirect jump as mispredicted."
    ),
    base=(
        Rule(
            "data processing",
            _PIPELINE,
            lambda window: window.this.kind in ("alu", "nop"),
            1,
        ),
        Rule("load", _PIPELINE, lambda window: window.this.kind == "load", 1),
        Rule("store", _PIPELINE, lambda window: window.this.kind == "store", 1),
        Rule("multiply", _PIPELINE, lambda window: window.this.kind in _MULTIPLIES, 1),
        Rule(
            "divide",
            f"{_PIPELINE}: a result after 2 to 33 cycles by operand values; the upper bound, "
            "nothing beside it; at least 1, where nothing waits for the result",
            lambda window: window.this.kind == "divide",
            33,
            least=1,
        ),
        Rule(
            "read control register",
            f"{_PIPELINE}: results after 3 cycles",
            lambda window: window.this.name == "csrr",
            1,
        ),
        Rule(
            "write control register",
            f"{_PIPELINE}: most writes flush the pipeline, a penalty of five cycles",
            lambda window: window.this.name in _WRITES_CONTROL,
            1 + _FLUSH,
        ),
        Rule(
            "jump, call or branch",
            _FETCH,
            lambda window: window.this.kind in ("branch", "branch-link", "branch-register"),
            1,
        ),
    ),
    neighbours=(
        Rule(
            "wait for a result (word load 2 cycles, byte and half-word load 3, multiply 5) or for "
            "the multiplier",
            _PIPELINE,
            lambda window: bool(window.before),
            _wait,
        ),
        Rule(
            "misprediction",
            _FETCH,
            lambda window: _mispredicted(window.step),
            _MISPREDICTED,
        ),
    ),
    fetch=FetchUnit(
        queue_words=2,
        ahead=3,
        source=f"{_FETCH}; that it holds two words is inferred",
        leaves_out="what is fetched in vain behind a mispredicted jump",
    ),
    variable_time=frozenset({"divide"}),
    tables=frozenset({"ram"}),
    depth=_DEPTH,
)

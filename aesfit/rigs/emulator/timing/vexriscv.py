# SPDX-License-Identifier: MIT
"""VexRiscv as LiteX has it: RV32IM, one instruction a cycle, five stages in order.

The rules are what the Verilog of third_party/vexriscv says of its stages: plugins and signals are
named by it and by the SpinalHDL sources that it was generated from (GenCoreDefault.scala).  What an
instruction costs is counted where it leaves decode, the stage that waits for registers.
"""

from ..instruction import Instruction, Kind
from .model import Rule, Step, TimingModel, Window

MANUAL = "VexRiscv README and the generated Verilog (third_party/vexriscv)"
_PIPELINE = "VexRiscv README, section 'Description': single issue, in order"
_HAZARD = "HazardSimplePlugin; BYPASSABLE_EXECUTE_STAGE, BYPASSABLE_MEMORY_STAGE"
_BRANCH = "BranchPlugin, IBusCachedPlugin (prediction: STATIC)"

_PREDICTED = 1
"""Cycles until what decode jumps to is in decode: it is fetched in the two stages before."""
_MISPREDICTED = 3
"""The same from the memory stage, two stages on, where a wrong prediction is found."""
_DIVIDE = 33
"""Cycles that a division keeps the memory stage: DivPlugin's counter goes to 33."""
_AGAIN = 5
"""Cycles from decode to decode of a load that its last stage sends back to be fetched anew."""
_IN_FLIGHT = 2
"""Cycles behind a store in which a load of the same bytes has read the cache too early."""
_DEPTH = 12
"""A result is late by 2 cycles at most; what it waited for itself can be 2 steps before that, and
so on in a chain that no code here makes longer."""

_SHIFTS = ("sll", "slli", "srl", "srli", "sra", "srai")
_MULTIPLIES: tuple[Kind, ...] = ("multiply", "multiply-long")
_LATE = (*_MULTIPLIES, "load")
_JUMPS: tuple[Kind, ...] = ("branch", "branch-link", "branch-register")


def _is(window: Window, *kinds: Kind) -> bool:
    """A full-size instruction of one of these kinds; there are no compressed ones here."""
    return window.this.kind in kinds and window.this.size == 4


def _latency(one: Instruction) -> int:
    """Cycles from decode to decode of what reads the result."""
    if one.kind in _LATE:
        return 3
    if one.kind == "divide":
        return _DIVIDE + 2
    return 2 if one.name in _SHIFTS else 1


def _backward(one: Instruction) -> bool:
    return one.immediate is not None and one.immediate < 0


def _predicted(step: Step) -> bool:
    """Decode jumps: direct jumps, and branches backwards."""
    one = step.instruction
    if one.conditional:
        return step.taken and _backward(one)
    return one.kind in ("branch", "branch-link")


def _mispredicted(step: Step) -> bool:
    one = step.instruction
    if one.conditional:
        return step.taken != _backward(one)
    return one.kind == "branch-register"


def _same_bytes(load: Instruction, store: Instruction) -> bool:
    """They overlap, as far as base and offset tell."""
    if load.address_registers != store.address_registers:
        return False
    apart = (load.immediate or 0) - (store.immediate or 0)
    return -load.access_bytes < apart < store.access_bytes


def _last(window: Window) -> tuple[int, bool]:
    """Cycles that the instruction waits in decode for registers, and whether it is done again."""
    ready: dict[str, int] = {}
    stores: list[tuple[Instruction, int]] = []
    wait = leaves = 0
    again = False
    for step in (*window.before, window.step):
        one = step.instruction
        wait = max([0, *(ready.get(name, 0) - leaves for name in one.reads)])
        leaves += wait
        again = one.kind == "load" and any(
            leaves - left <= _IN_FLIGHT and _same_bytes(one, store) for store, left in stores
        )
        leaves += _AGAIN if again else 0
        stores = [pair for pair in stores if one.writes.isdisjoint(pair[0].address_registers)]
        if one.kind == "store":
            stores.append((one, leaves))
        ready.update(dict.fromkeys(one.writes, leaves + _latency(one)))
        leaves += 1 + _after(step) + (_DIVIDE if one.kind == "divide" else 0)
    return wait, again


def _after(step: Step) -> int:
    """Cycles lost behind a jump."""
    if _mispredicted(step):
        return _MISPREDICTED
    return _PREDICTED if _predicted(step) else 0


MODEL = TimingModel(
    name="vexriscv",
    title="VexRiscv (RV32IM, bypassing, static prediction)",
    manual=MANUAL,
    assumptions=(
        "VexRiscv with full bypassing, static branch prediction, a shifter of one pass, MulPlugin "
        "and DivPlugin; caches that hold everything, and a memory that takes a store each cycle; "
        "a load soon after a store of the same bytes is done again, which is seen where both name "
        "them by the same register; a wrongly predicted jump may cost one cycle more than is "
        "counted, when what was fetched in vain behind it waits for a register."
    ),
    base=(
        Rule(
            "data processing",
            _PIPELINE,
            lambda window: _is(window, "alu", "nop"),
            1,
        ),
        Rule("load", _PIPELINE, lambda window: _is(window, "load"), 1),
        Rule("store", _PIPELINE, lambda window: _is(window, "store"), 1),
        Rule(
            "multiply",
            "MulPlugin: a stage each for products, sums and result",
            lambda window: _is(window, *_MULTIPLIES),
            1,
        ),
        Rule(
            "divide",
            "DivPlugin (MulDivIterativePlugin): halts the memory stage",
            lambda window: _is(window, "divide"),
            1 + _DIVIDE,
        ),
        Rule(
            "jump, call or branch",
            _PIPELINE,
            lambda window: _is(window, *_JUMPS),
            1,
        ),
    ),
    neighbours=(
        Rule(
            "wait for a result (load and multiply 3 cycles, shift 2, after a divide 1 more)",
            _HAZARD,
            lambda window: _last(window)[0] > 0,
            lambda window: _last(window)[0],
        ),
        Rule(
            "load of what was just stored, done again",
            "DataCache: dataColisions, redo",
            lambda window: window.this.kind == "load" and _last(window)[1],
            _AGAIN,
        ),
        Rule(
            "jump from decode",
            _BRANCH,
            lambda window: _predicted(window.step),
            _PREDICTED,
        ),
        Rule(
            "misprediction",
            _BRANCH,
            lambda window: _mispredicted(window.step),
            _MISPREDICTED,
        ),
    ),
    depth=_DEPTH,
)

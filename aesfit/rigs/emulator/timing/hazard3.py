# SPDX-License-Identifier: MIT
"""Hazard3 as RP2350 has it: RV32IMCB in three stages, with a branch predictor of one entry."""

from ...profile import Operand
from ._hazard3_fetch import DEPTH, starved, waits_for_load
from ._rv32imc import across, base
from .model import OperandRule, Rule, TimingModel, Window

MANUAL = "RP2350 data sheet, 3.8.7: Instruction cycle counts"
_PREDICTOR = "RP2350 data sheet, 3.8.7.10: Branch predictor"
_VERILOG = "its Verilog (hazard3_decode.v)"
_USE = "RP2350 data sheet, 3.8.7.9: footnote 2"
_ACROSS = "RP2350 data sheet, 3.8.7.9: footnote 1"
_LONG = {"divide": 19}
"""Cycles of what takes more than one.  The data sheet says 18 of a division."""


def _fetched_twice(window: Window) -> int:
    """Cycles for the second word of what a jump leads to, unless that was predicted.

    The window of a call has the jump to its first instruction, and not the one that its return is.
    """
    target = not window.step.predicted and across(window.step.target)
    return int(target) + int(not window.before and across(window.this))


def _mispredicted_across(window: Window) -> bool:
    """It follows a branch that was predicted to jump, and is fetched in two cycles."""
    last = window.last
    return last is not None and last.predicted and not last.taken and across(window.this)


MODEL = TimingModel(
    name="hazard3",
    title="Hazard3 (RV32IMCB as in RP2350, three stages)",
    manual=MANUAL,
    assumptions=(
        "Hazard3 configured as in RP2350; memories of their own for code and data that answer in "
        "the cycle after the address; no branch is remembered when a window begins."
    ),
    base=(
        *base(MANUAL, access=1, multiply=1, high=1, divide=_LONG["divide"], jump=2, taken=2),
        Rule("fence", f"{_VERILOG}: as NOP", lambda window: window.this.name == "fence", 1),
        Rule(
            "control register",
            MANUAL,
            lambda window: window.this.kind == "status" and window.this.name.startswith("csrr"),
            1,
        ),
    ),
    neighbours=(
        Rule("wait for a load", _USE, waits_for_load, 1),
        Rule(
            "predicted branch",
            _PREDICTOR,
            lambda window: window.step.predicted,
            lambda window: -1 if window.step.taken else 1,
        ),
        Rule("behind a mispredicted branch", _ACROSS, _mispredicted_across, 1),
        Rule(
            "target across words",
            _ACROSS,
            lambda window: _fetched_twice(window) > 0,
            _fetched_twice,
        ),
        Rule(
            "wait for a word in a loop",
            "its Verilog (hazard3_frontend.v): a predicted branch and its target leave halves of "
            "words unused",
            lambda window: starved(window, _LONG) > 0,
            lambda window: starved(window, _LONG),
        ),
    ),
    operands=(
        OperandRule(
            "dividend",
            f"{MANUAL}: a cycle more by sign correction; hazard3_muldiv_seq.v: of the dividend",
            lambda one: one.kind == "divide",
            lambda one, dividend, _: int(Operand.decoded(dividend).negative),
        ),
    ),
    variable_time=frozenset({"divide"}),
    depth=DEPTH,
)

# SPDX-License-Identifier: MIT
"""Ibex in the configuration "maxperf": RV32IMC in three stages, a multiplier of one cycle.

The manual leaves the third stage out; what it does to loads and stores was found in its Verilog.
"""

from ._rv32imc import across_words, base, divisor
from .ibex_small import DIVIDER, SYSTEM, unless_zero
from .model import Rule, TimingModel, Window

MANUAL = "Ibex Reference Guide, Pipeline Details and Instruction Fetch; its Verilog"
_TABLE = "Ibex Reference Guide, Pipeline Details: Multi- and Single-Cycle Instructions"
_HAZARD = "ibex_id_stage.sv: stall_ld_hz, with WritebackStage"


def _reads_load(window: Window) -> bool:
    """It reads what the step before loads."""
    last = window.last.instruction if window.last else None
    return (
        last is not None and last.kind == "load" and not window.this.reads.isdisjoint(last.writes)
    )


MODEL = TimingModel(
    name="ibex_maxperf",
    title="Ibex maxperf (RV32IMC, three stages)",
    manual=MANUAL,
    assumptions=(
        "Ibex with RV32M = RV32MSingleCycle, WritebackStage and BranchTargetALU; memories of their "
        "own for code and data that answer in the cycle after the request."
    ),
    base=(
        *base(
            f"{_TABLE}; loads and stores: ibex_wb_stage.sv, where their answers are awaited",
            access=1,
            multiply=1,
            high=2,
            divide=2,
            jump=2,
            taken=2,
        ),
        *SYSTEM,
    ),
    neighbours=(
        Rule("wait for a load", _HAZARD, _reads_load, 1),
        across_words("Ibex Reference Guide, Instruction Fetch: misaligned, two fetches"),
    ),
    operands=(divisor(DIVIDER, unless_zero),),
    variable_time=frozenset({"divide"}),
)

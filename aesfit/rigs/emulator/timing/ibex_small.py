# SPDX-License-Identifier: MIT
"""Ibex in the configuration "small": RV32IMC in two stages, a multiplier of three cycles.

Nothing waits for a result: an instruction stays in the second stage until it is complete.
"""

from ._rv32imc import across_words, base
from .model import TimingModel

MANUAL = "Ibex Reference Guide, Pipeline Details and Instruction Fetch"
_TABLE = "Ibex Reference Guide, Pipeline Details: Multi- and Single-Cycle Instructions"

MODEL = TimingModel(
    name="ibex_small",
    title="Ibex small (RV32IMC, two stages)",
    manual=MANUAL,
    assumptions=(
        "Ibex with RV32M = RV32MFast and neither WritebackStage nor BranchTargetALU; memories of "
        "their own for code and data that answer in the cycle after the request; divisions by "
        "zero, which take 2 cycles, count as the others."
    ),
    base=base(_TABLE, access=2, multiply=3, high=4, divide=37, jump=2, taken=3),
    neighbours=(across_words("Ibex Reference Guide, Instruction Fetch: misaligned, two fetches"),),
    variable_time=frozenset({"divide"}),
)

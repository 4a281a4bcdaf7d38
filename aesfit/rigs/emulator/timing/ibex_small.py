# SPDX-License-Identifier: MIT
"""Ibex in the configuration "small": RV32IMC in two stages, a multiplier of three cycles.

Nothing waits for a result: an instruction stays in the second stage until it is complete.
"""

from ...profile import Operand
from ._rv32imc import across_words, base, divisor, of_the_system
from .model import TimingModel

MANUAL = "Ibex Reference Guide, Pipeline Details and Instruction Fetch"
_TABLE = "Ibex Reference Guide, Pipeline Details: Multi- and Single-Cycle Instructions"
DIVIDER = f"{_TABLE}: 1 or 37; ibex_multdiv_fast.sv: 2 by zero, from MD_IDLE to MD_FINISH at once"


_SYSTEM = f"{_TABLE}; ibex_id_stage.sv: csr_pipe_flush, where mstatus or mie is written or set"
_MSTATUS, _MIE = 0x300, 0x304
SYSTEM = of_the_system(
    _SYSTEM,
    fence=1,
    control=1,
    slow=lambda one: one.name in ("csrrw", "csrrs") and one.immediate in (_MSTATUS, _MIE),
    slowly=3,
)


def unless_zero(one: Operand) -> int:
    """What a division by anything but zero takes beyond one by zero."""
    return 35 if one.bits else 0


MODEL = TimingModel(
    name="ibex_small",
    title="Ibex small (RV32IMC, two stages)",
    manual=MANUAL,
    assumptions=(
        "Ibex with RV32M = RV32MFast and neither WritebackStage nor BranchTargetALU; memories of "
        "their own for code and data that answer in the cycle after the request."
    ),
    base=(*base(_TABLE, access=2, multiply=3, high=4, divide=2, jump=2, taken=3), *SYSTEM),
    neighbours=(across_words("Ibex Reference Guide, Instruction Fetch: misaligned, two fetches"),),
    operands=(divisor(DIVIDER, unless_zero),),
    variable_time=frozenset({"divide"}),
)

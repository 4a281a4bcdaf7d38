# SPDX-License-Identifier: MIT
"""Cortex-M3: three stages, separate buses for instructions and data, targets fetched early."""

from . import _armv7m
from ._match import executed
from .model import Rule, TimingModel, Window

TABLE = "DDI 0337I, table 3-1"
PAIRING = "DDI 0337I, 3.3.2"


def _updating_store_after_load(window: Window) -> bool:
    this = window.this
    store = window.step.executed and this.kind == "store" and this.writeback
    return store and _armv7m.SINGLE_LOAD(window)


MODEL = TimingModel(
    name="cortex_m3",
    title="Cortex-M3",
    manual="Cortex-M3 Technical Reference Manual, ARM DDI 0337I",
    assumptions=(
        "No wait states, code and data on different buses, data aligned; loads follow one another "
        "without a gap whatever memories they read; long multiplies and divisions, whose time "
        "hangs on their operands, at their upper bound; IT always folded; what 32-bit "
        "instructions across words cost in straight code, loads among them, is not covered."
    ),
    base=(
        *_armv7m.base(TABLE, PAIRING),
        Rule(
            "multiply and accumulate",
            f"{TABLE}: MLA, MLS 2",
            executed("multiply", "mla mls"),
            2,
        ),
        Rule(
            "long multiply",
            f"{TABLE}: UMULL, SMULL 3 to 5 by operand values; the upper bound",
            executed("multiply-long", "umull smull"),
            5,
        ),
        Rule(
            "long multiply and accumulate",
            f"{TABLE}: UMLAL, SMLAL 4 to 7 by operand values; the upper bound",
            executed("multiply-long", "umlal smlal"),
            7,
        ),
    ),
    neighbours=(
        *_armv7m.neighbours(TABLE, PAIRING, chains_updates=False),
        Rule(
            "store that updates its base, after load",
            "pre- and post-indexed stores take one cycle unless a load precedes: "
            f"{_armv7m.MEASURED}",
            _updating_store_after_load,
            1,
        ),
    ),
    fetch=_armv7m.FETCH,
    variable_time=frozenset({"multiply-long", "divide"}),
)

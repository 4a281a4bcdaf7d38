# SPDX-License-Identifier: MIT
"""Cortex-M3: three stages, separate buses for instructions and data, targets fetched early."""

from . import _armv7m, _armv7m_neighbours
from ._match import executed
from .model import Rule, TimingModel, Window

TABLE = "DDI 0337I, table 3-1"
PAIRING = "DDI 0337I, 3.3.2"
LASTING = executed("multiply multiply-long", "mla mls umull smull umlal smlal")
"""Multiplies of more than one cycle."""


def _updating_store_after_load(window: Window) -> bool:
    this = window.this
    store = window.step.executed and this.kind == "store" and this.writeback
    return store and _armv7m_neighbours.SINGLE_LOAD(window)


MODEL = TimingModel(
    name="cortex_m3",
    title="Cortex-M3",
    manual="Cortex-M3 Technical Reference Manual, ARM DDI 0337I",
    assumptions=(
        f"No wait states, code and data on different buses; {_armv7m.PAIRED}; long multiplies and "
        "unaligned stores, whose time depends on operands or on the write buffer, at their upper "
        "bound; divisions by operands, as measured on Cortex-M4; IT always folded; "
        f"{_armv7m.TABLES_IN_FLASH}."
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
            least=3,
        ),
        Rule(
            "long multiply and accumulate",
            f"{TABLE}: UMLAL, SMLAL 4 to 7 by operand values; the upper bound",
            executed("multiply-long", "umlal smlal"),
            7,
            least=4,
        ),
    ),
    neighbours=(
        *_armv7m_neighbours.neighbours(TABLE, PAIRING, chains_updates=False, lasting=LASTING),
        Rule(
            "store that updates its base, after load",
            "pre- and post-indexed stores take one cycle unless a load precedes: "
            f"{_armv7m.MEASURED}",
            _updating_store_after_load,
            1,
        ),
    ),
    operands=(_armv7m.DIVIDER,),
    fetch=_armv7m.FETCH,
    splits=_armv7m.splits(PAIRING),
    depth=_armv7m_neighbours.DEPTH,
    variable_time=frozenset({"multiply-long", "divide"}),
)

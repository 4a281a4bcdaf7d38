# SPDX-License-Identifier: MIT
"""Cortex-M0+: two stages, one bus for instructions and data."""

from . import _armv6m
from .model import TimingModel

MODEL = TimingModel(
    name="cortex_m0plus",
    title="Cortex-M0+",
    manual="Cortex-M0+ Technical Reference Manual, ARM DDI 0484C",
    assumptions=(
        "No wait states, data not on the single-cycle I/O port; the multiplier that takes one "
        "cycle, an option of the processor beside one that takes 32."
    ),
    base=_armv6m.base("DDI 0484C, table 3-1", taken=2),
    fetch=_armv6m.fetch_unit(
        taken=2, source="inferred from Cortex-M0, for nothing is published of Cortex-M0+"
    ),
)

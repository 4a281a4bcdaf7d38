# SPDX-License-Identifier: MIT
"""Cortex-M0: three stages, one bus for instructions and data."""

from . import _armv6m
from .model import TimingModel

MODEL = TimingModel(
    name="cortex_m0",
    title="Cortex-M0",
    manual="Cortex-M0 Technical Reference Manual, ARM DDI 0432C",
    assumptions=(
        "No wait states; the multiplier that takes one cycle, an option of the processor beside "
        "one that takes 32."
    ),
    base=_armv6m.base("DDI 0432C, table 3-1", taken=3),
    fetch=_armv6m.fetch_unit(
        taken=3,
        source="12 routines that jnk0le timed on STM32F0 at one wait state, with the prefetch "
        "buffer, and about 45 % that he says are lost without it (the rule: 36 to 45 %)",
    ),
)

# SPDX-License-Identifier: MIT
"""Rows of `aesfit silicon` that no tool made, and the names that its JSON has."""

from aesfit.hardware.rows import SiliconRow

KEYS = {
    *("design", "family", "luts", "flip_flops", "ram_blocks", "ram_bits"),
    *("fmax_mhz", "fmax_seeds", "cycles_per_block", "mbit_per_s", "mbit_per_s_per_lut"),
    *("least_slices", "tool_versions", "why"),
}


def row(name: str, mhz: float | None, luts: int, cycles: int) -> SiliconRow:
    return SiliconRow(name, "ecp5", luts, 0, 0, 0, mhz, None, cycles, {}, {}, "made up")

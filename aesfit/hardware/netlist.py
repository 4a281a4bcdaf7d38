# SPDX-License-Identifier: MIT
"""A synthesised design: its file, by whose content placements are kept, and its cells."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CellCounts:
    """What a design takes of an FPGA."""

    luts: int
    """Look-up tables of four inputs, those of carry chains and small memories among them."""
    flip_flops: int
    ram_blocks: int
    ram_bits: int = 0
    """Held by the blocks (ram.py)."""


@dataclass(frozen=True)
class Netlist:
    """A synthesised design."""

    top: str
    file: Path
    """As Yosys writes JSON."""
    sha256: str
    """Of the file's content: sources that differ in comments alone give the same."""
    counts: CellCounts

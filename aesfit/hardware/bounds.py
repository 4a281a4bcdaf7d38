# SPDX-License-Identifier: MIT
"""What the cores on aes32x2 must reach, beside what is measured: `aesfit silicon --bounds`.

They are goals of this project: three times the rate of aes32_paper for each look-up table, and
nearly twice that with key expansion; aes_ccm no larger than the earlier design that it replaced
(docs/silicon.md); and GCM at 300 Mbit/s in 900 look-up tables.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from .designs import Design, design_named
from .exercise import with_key
from .families import ECP5, FAMILIES, ICE40, XC2VP, Family
from .rows import SiliconRow, ratio

PAPER, CCM, GCM = "aes32_paper", "aes_ccm", "aes_gcm"
PAIRED, LOADED, LUTRAM = "aes32x2", "aes32x2_loaded", "aes32x2_loaded_lutram"
_CYCLES = {128: (44, 60), 192: (52, 70), 256: (60, 80)}
"""Cycles of a block and of key expansion, at most, by the bits of the key."""
_PLACED = tuple(family for family in FAMILIES if family.device)
Rows = Callable[[str, Family], SiliconRow]


@dataclass(frozen=True)
class Bounded:
    """A quantity of a design, its bound, and what was measured."""

    design: str
    family: str | None
    """None: cycles are the same on all."""
    quantity: str
    kind: Literal["at least", "at most"]
    bound: float
    measured: float

    @property
    def met(self) -> bool:
        """Whether it is within its bound."""
        if self.kind == "at least":
            return self.measured >= self.bound
        return self.measured <= self.bound

    def json(self) -> dict[str, Any]:
        """The row with the names that stay."""
        return {**asdict(self), "met": self.met}


def of_cycles() -> list[Bounded]:
    """Simulated, so exact: a block in steady state, and expansion of a key."""
    found = []
    for bits, (block, key) in _CYCLES.items():
        cycles = with_key(design_named(PAIRED), bits)
        for what, bound, measured in (
            (f"cycles of a block, {bits}-bit key", block, cycles.block),
            (f"cycles from a {bits}-bit key to its first block", key, float(cycles.set_up)),
        ):
            found.append(Bounded(PAIRED, None, what, "at most", bound, measured))
    return found


def designs() -> tuple[Design, ...]:
    """Those of which of_rows() needs rows, on all families."""
    return tuple(map(design_named, (PAPER, PAIRED, LOADED, LUTRAM, CCM, GCM)))


def of_rows(rows: Sequence[SiliconRow]) -> list[Bounded]:
    """Of cells and clocks, which other versions of the tools change."""
    by = {(row.design, row.family): row for row in rows}

    def row(design: str, family: Family) -> SiliconRow:
        return by[design, family.name]

    return [*_sizes(row), *_rates(row), *_ratios(row)]


def _sizes(row: Rows) -> list[Bounded]:
    luts, blocks = "LUTs", "RAM blocks"
    limits = [
        *((LOADED, family, luts, 225, row(LOADED, family).luts) for family in _PLACED),
        (LUTRAM, XC2VP, luts, 290, row(LUTRAM, XC2VP).luts),
        (LUTRAM, XC2VP, blocks, 3, row(LUTRAM, XC2VP).ram_blocks),
        *(
            (PAIRED, family, f"{luts} of key expansion", 100,
             row(PAIRED, family).luts - row(LOADED, family).luts)
            for family in FAMILIES
        ),
        (CCM, ICE40, luts, 973, row(CCM, ICE40).luts),
        (GCM, ICE40, luts, 900, row(GCM, ICE40).luts),
    ]  # fmt: skip
    return [
        Bounded(design, family.name, what, "at most", bound, measured)
        for design, family, what, bound, measured in limits
    ]


def _rates(row: Rows) -> list[Bounded]:
    limits = (
        (LOADED, ICE40, 430.0),
        (LOADED, ECP5, 330.0),
        (CCM, ICE40, 210.0),
        (GCM, ICE40, 300.0),
    )
    return [
        Bounded(design, family.name, "Mbit/s", "at least", bound,
                row(design, family).mbit_per_s or 0.0)
        for design, family, bound in limits
    ]  # fmt: skip


def _ratios(row: Rows) -> list[Bounded]:
    """For each look-up table: Mbit/s, and times that of the paper's core."""
    rates = [
        Bounded(LOADED, family.name, "Mbit/s/LUT", "at least", bound,
                row(LOADED, family).mbit_per_s_per_lut or 0.0)
        for family, bound in ((ICE40, 2.0), (ECP5, 1.5))
    ]  # fmt: skip
    return rates + [
        Bounded(design, family.name, f"times {PAPER}'s Mbit/s/LUT", "at least", bound,
                ratio(row(design, family), row(PAPER, family)))
        for design, bound in ((LOADED, 3.0), (PAIRED, 1.9))
        for family in _PLACED
    ]  # fmt: skip

# SPDX-License-Identifier: MIT
"""Section III: S-boxes as tables in block RAM are faster and cheaper than computing the inverse.

"This proves faster and more cost-effective method than implementing the multiplicative inverse
operation and affine transformation"; tables in look-up tables "use up" slices that RAM blocks save.
No figures are given with either.

Ours: `aes32` with its S-boxes as a table in block RAM (`aes32_table`), as logic that look-up tables
make of the table (`aes32_logic`), and computed in a composite field (`aes32_composite`), all else
alike, synthesised for three families, placed and routed for two.

What differs: the composite field is the later and smaller way of computing the inverse; a plain
inversion would be larger still, so the paper's claims are tried against the better rival.  Claims
name every family that has the figure.  What the paper says of S-boxes and the width of a core is
judged in `width`.
"""

from collections.abc import Sequence

from aesfit.hardware.families import FAMILIES
from aesfit.jobs.job import Progress
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row
from aesfit_papers.judging.place import at
from aesfit_papers.judging.platforms import both, by_family, silicon, silicon_cells, silicon_lines
from aesfit_papers.judging.tables import table

NUMBER = "Section III, S-boxes"
TITLE = "S-boxes in block RAM, as logic, and computed"
COLUMNS = (
    Column("design"),
    Column("family"),
    Column("luts"),
    Column("flip_flops"),
    Column("ram_blocks"),
    Column("fmax_mhz", "MHz"),
    Column("cycles_per_block", "cycles"),
    Column("mbit_per_s", "Mbit/s"),
    Column("why_empty"),
)
FAST = False
_RAM, _LOGIC, _COMPUTED = "aes32_table", "aes32_logic", "aes32_composite"
_TOLD = {_RAM: "block RAM", _LOGIC: "look-up tables", _COMPUTED: "composite field"}


def rows(progress: Progress) -> Measured:
    """Three forms on three families."""
    taken = silicon(list(_TOLD), progress)
    return Measured([silicon_cells(row) for row in taken], silicon_lines(taken))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Clock and look-up tables, by family."""
    return [
        Claim("S-boxes in block RAM are faster than computed ones (MHz).", "order",
              both(rows, "fmax_mhz", (_RAM, _COMPUTED))),
        Claim("S-boxes in block RAM take less logic than computed ones (look-up tables).",
              "order of counts", both(rows, "luts", (_COMPUTED, _RAM))),
        Claim("S-boxes made of look-up tables take more logic than those in block RAM (look-up "
              "tables).", "order of counts", both(rows, "luts", (_LOGIC, _RAM))),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """All figures, and clocks and logic as bars."""
    told: list[Row] = [{**row, "s_boxes": _TOLD[str(row["design"])]} for row in rows]
    columns = (
        *(("S-boxes", "s_boxes"), ("family", "family"), ("LUTs", "luts")),
        *(("flip-flops", "flip_flops"), ("RAM blocks", "ram_blocks"), ("MHz", "fmax_mhz")),
        ("Mbit/s", "mbit_per_s"),
    )
    reasons = dict.fromkeys(
        f"{row['family']}: {row['why_empty']}" for row in rows if row["why_empty"] is not None
    )
    names = [family.name for family in FAMILIES]
    logic = [
        Bars(title, [by_family(rows, design, "luts").get(at(family=name)) for name in names])
        for design, title in _TOLD.items()
    ]
    placed = [family.name for family in FAMILIES if family.device]
    clocks = [
        Bars(title, [by_family(rows, design, "fmax_mhz").get(at(family=name)) for name in placed])
        for design, title in _TOLD.items()
    ]
    return [
        table("One core, three forms of S-boxes", told, columns, note="; ".join(reasons) + "."),
        Figure("Logic", bars(names, logic, Scale("look-up tables")), ".svg",
               "Bars: S-boxes as look-up tables take far more logic than the other two forms.",
               "The RAM blocks that remain hold round keys and blocks."),
        Figure("Clock", bars(placed, clocks, Scale("MHz")), ".svg",
               "Bars: with S-boxes in block RAM the clock is highest on both families."),
    ]  # fmt: skip

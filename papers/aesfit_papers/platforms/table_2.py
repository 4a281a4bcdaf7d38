# SPDX-License-Identifier: MIT
"""Table 2 gives what the Verilog core takes of an XC2VP30, and how fast it is.

It takes 536 slices, 620 slice flip-flops, 6.646 ns (150.5 MHz), 221.4 Mbit/s, for both directions.

Ours: `aes32_paper`, rebuilt from the paper's words, and `aes32`, our own core with the same width
(40 cycles a block, keys of all sizes expanded in hardware; `aes32_loaded` without the expansion,
`aes32_loaded_table` with the rebuilt core's S-boxes, too), are synthesised by Yosys for the
paper's family, for ECP5 and for iCE40, and placed and routed for the latter two.  Cycles are
simulated.

What differs: no open tool places and routes for the Virtex-II Pro, so its clock stays empty, and so
do slices, which the vendor's tools fill as they see fit; a slice has two look-up tables and two
flip-flops, so 536 hold 1072 of each, which is what can be compared.  150.5 MHz are of the paper's
device and tools, so no claim sets a clock against it; rates of 54 and 108 Mbit/s are needs, and
those are held on the families that have a clock; 250 are claimed of a faster grade of that device,
of which other families can tell nothing.  The paper counts no block RAM.
"""

from collections.abc import Sequence

from aesfit.hardware.designs import BLOCK_BITS
from aesfit.hardware.families import FAMILIES, XC2VP
from aesfit.hardware.published import PAPER as PUBLISHED
from aesfit.jobs.job import Progress
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.place import at, told
from aesfit_papers.judging.platforms import by_family, silicon, silicon_cells, silicon_lines
from aesfit_papers.judging.tables import number, table

NUMBER = "Table 2"
TITLE = "The core in an FPGA: cells, clock and rate"
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
    Column("published_slices"),
    Column("published_flip_flops"),
    Column("published_fmax_mhz", "MHz"),
    Column("published_cycles_per_block", "cycles"),
    Column("published_mbit_per_s", "Mbit/s"),
)
FAST = False
_REBUILT, _OURS = "aes32_paper", "aes32"
_DESIGNS = (_REBUILT, _OURS, "aes32_loaded", "aes32_loaded_table")
_CLOCKED = tuple(family.name for family in FAMILIES if family.device)
"""Families for which an open tool places and routes, so that they have a clock."""
_OF_SLICE = 2
"""Look-up tables, and flip-flops, of a slice of the Virtex-II Pro."""
_FUTURE = 250.0
"""Mbit/s that the paper expects of a higher speed grade."""
_OTHER_DEVICE = "the claim is about a faster grade of the Virtex-II Pro, and this is another family"


def rows(progress: Progress) -> Measured:
    """Four designs on three families; published figures beside the paper's family."""
    found = silicon(_DESIGNS, progress)
    names = ("slices", "flip_flops", "fmax_mhz", "cycles_per_block", "mbit_per_s")
    made: list[Row] = [
        {
            **silicon_cells(row),
            **{
                f"published_{name}": getattr(PUBLISHED, name) if row.family == XC2VP.name else None
                for name in names
            },
        }
        for row in found
    ]
    return Measured(made, silicon_lines(found))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Of the rebuilt core: size on the paper's family, and rates where there is a clock."""
    slices, clock = float(PUBLISHED.slices or 0), float(PUBLISHED.fmax_mhz or 0)
    cycles, cells = float(PUBLISHED.cycles_per_block or 0), _OF_SLICE * slices
    here = by_family(rows, _REBUILT, "luts")[at(family=XC2VP.name)]
    rates = by_family(rows, _REBUILT, "mbit_per_s")
    why = (
        f"250 Mbit/s need {_FUTURE * cycles / BLOCK_BITS:.0f} MHz at 87 cycles; of a faster "
        "Virtex-II Pro no open tool can tell."
    )
    return [
        Claim(f"The core fits {slices:.0f} slices, which have {cells:.0f} look-up tables.",
              "at most", {at(family=XC2VP.name).of(design=_REBUILT): here}, cells),
        Claim(f"The core has {PUBLISHED.flip_flops} flip-flops.", "about",
              by_family(rows, _REBUILT, "flip_flops"), PUBLISHED.flip_flops,
              cause="our code differs", why="Ours holds 128 bits of state, three words "
              "between its stages, and 24 bits of counters; what else the "
              "paper's holds it does not say."),
        Claim("150.5 MHz and 87 cycles make 221.4 Mbit/s.", "about",
              {told("its table 2"): BLOCK_BITS * clock / cycles}, PUBLISHED.mbit_per_s,
              by_construction="It is the product of two figures that the paper prints."),
        *(Claim(f"The core carries {rate:.0f} Mbit/s.", "at least", rates, rate)
          for rate in (54.0, 108.0)),
        Claim("With a faster device the core carries 250 Mbit/s.", "at least", rates, _FUTURE,
              why=why, untestable=dict.fromkeys(rates, _OTHER_DEVICE)),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """All of it, with the paper's line, and the rates."""
    return [_cells(rows), _rates_drawn(rows), Words(_rates_told(rows))]


def _cells(rows: Sequence[Row]) -> ResultTable:
    """Ours, without slices, and the paper's line below."""
    columns = (
        *(("design", "design"), ("family", "family"), ("LUTs", "luts")),
        *(("flip-flops", "flip_flops"), ("RAM blocks", "ram_blocks"), ("MHz", "fmax_mhz")),
        *(("cycles", "cycles_per_block"), ("Mbit/s", "mbit_per_s")),
    )
    ours = table("Cells, clock and rate", rows, columns)
    published = (
        *("published", PUBLISHED.device, number(None), number(PUBLISHED.slices)),
        *(number(PUBLISHED.flip_flops), number(None), number(PUBLISHED.fmax_mhz)),
        *(number(PUBLISHED.cycles_per_block), number(PUBLISHED.mbit_per_s)),
    )
    lines = [(*line[:3], number(None), *line[3:]) for line in ours.lines]
    head = (*ours.head[:3], "slices", *ours.head[3:])
    reasons = dict.fromkeys(
        f"{row['family']}: {row['why_empty']}" for row in rows if row["why_empty"] is not None
    )
    note = (
        "Empty cells are not known. " + ". ".join(reasons) + ". Slices are filled by the vendor's "
        "tools, and the paper counts neither look-up tables nor RAM blocks."
    )
    return ResultTable(ours.title, head, (*lines, published), note)


def _rates_drawn(rows: Sequence[Row]) -> Figure:
    series = [
        Bars(design, [*by_family(rows, design, "mbit_per_s").values(), None],
             [*(None for _ in _CLOCKED), PUBLISHED.mbit_per_s if design == _REBUILT else None])
        for design in _DESIGNS
    ]  # fmt: skip
    image = bars([*_CLOCKED, PUBLISHED.device], series, Scale("Mbit/s"))
    alt = "Bars: the rates of our cores on ECP5 and iCE40, and the paper's on its own FPGA."
    note = "Devices differ; the paper's bar is of another FPGA and other tools."
    return Figure("Rates of the cores", image, ".svg", alt, note)


def _rates_told(rows: Sequence[Row]) -> str:
    """Our core's rates beside those of the rebuilt one."""
    pair = [by_family(rows, design, "mbit_per_s") for design in (_REBUILT, _OURS)]
    gain = " and ".join(f"{pair[1][name] / pair[0][name]:.2f} times on {name}" for name in pair[0])
    (ours_takes, theirs) = (
        by_family(rows, design, "cycles_per_block")[at(family=_CLOCKED[0])]
        for design in (_OURS, _REBUILT)
    )
    return (
        f"{_OURS}, which expands its keys itself, encrypts at other rates than {_REBUILT}, {gain}: "
        f"it takes {ours_takes:.0f} cycles for a block instead of {theirs:.0f}, at another clock."
    )

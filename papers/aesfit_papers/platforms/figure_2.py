# SPDX-License-Identifier: MIT
"""Figure 2: blocks of ECB go one after another, or side by side, faster and with more resources.

The paper gives no figures with it: "serial encryption and decryption supports slower data rate,
whereas parallel provides higher data rate using more resources".

Ours: `aes32_parallel` with 1, 2 and 4 of our cores side by side behind the same ports, synthesised
for three families, placed and routed for those that have open tools, cycles simulated.

What differs: the paper shows a drawing; how many cores and of which kind is our choice.  Claims
name each family, from one step to the next.  The clock falls as the design grows, so rates in
Mbit/s are claimed where a device holds the design, and bits a cycle everywhere.
"""

from collections.abc import Sequence
from itertools import pairwise

from aesfit.hardware.families import ECP5, FAMILIES
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.platforms import silicon, silicon_cells, silicon_lines
from aesfit_papers.judging.tables import table

NUMBER = "Figure 2"
TITLE = "ECB on one, two and four cores"
COLUMNS = (
    Column("design"),
    Column("cores"),
    Column("family"),
    Column("luts"),
    Column("flip_flops"),
    Column("ram_blocks"),
    Column("fmax_mhz", "MHz"),
    Column("cycles_per_block", "cycles"),
    Column("bits_per_cycle", "bit"),
    Column("mbit_per_s", "Mbit/s"),
    Column("why_empty"),
)
FAST = False
_CORES = (1, 2, 4)
_RESOURCES = {"luts": "look-up tables", "flip_flops": "flip-flops", "ram_blocks": "RAM blocks"}


def rows(progress: Progress) -> Measured:
    """Three sizes on three families."""
    taken = silicon([f"aes32_parallel{cores}" for cores in _CORES], progress)
    made: list[Row] = [
        {
            **silicon_cells(row),
            "cores": int(row.design.removeprefix("aes32_parallel")),
            "bits_per_cycle": row.bits_per_cycle,
        }
        for row in taken
    ]
    return Measured(made, silicon_lines(taken))


def _steps(rows: Sequence[Row], column: str) -> dict[ClaimPlace, Pair]:
    """A column with more cores, against fewer, where both are known."""
    cell = found(rows, "cores", "family")
    gained = {}
    for family in FAMILIES:
        for few, many in pairwise(_CORES):
            both = cell(few, family.name)[column], cell(many, family.name)[column]
            if None not in both:
                place = (at(family=family.name) + f"{few} to {many}").of(cores=(few, many))
                gained[place] = Pair(figure(both[1]), figure(both[0]))
    return gained


def claims(rows: Sequence[Row]) -> list[Claim]:
    """More rate, more of each resource."""
    return [
        Claim("More cores give more bits a cycle.", "order", _steps(rows, "bits_per_cycle")),
        Claim("More cores give a higher data rate (Mbit/s).", "order",
              _steps(rows, "mbit_per_s")),
        *(Claim(f"More cores take more {told}.", "order of counts", _steps(rows, name))
          for name, told in _RESOURCES.items()),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Resources and rates, and rate over resources."""
    columns = (
        *(("cores", "cores"), ("family", "family"), ("LUTs", "luts")),
        *(("flip-flops", "flip_flops"), ("RAM blocks", "ram_blocks"), ("MHz", "fmax_mhz")),
        *(("cycles per block", "cycles_per_block"), ("Mbit/s", "mbit_per_s")),
    )
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["why_empty"] is not None:
            reasons.setdefault(str(row["why_empty"]), []).append(str(row["cores"]))
    note = "; ".join(
        f"{', '.join(cores)} core{'s' if len(cores) > 1 or cores != ['1'] else ''}: {reason}"
        for reason, cores in reasons.items()
    )
    placed = [row for row in rows if row["family"] == ECP5.name]
    one = figure(placed[0]["mbit_per_s"])
    drawn = [
        ChartLine("ECP5", [(figure(row["luts"]), figure(row["mbit_per_s"])) for row in placed]),
        ChartLine(
            "as many times the rate of one core",
            [(figure(row["luts"]), figure(row["cores"]) * one) for row in placed],
        ),
    ]
    scales = (
        Scale("look-up tables", limits=(0, 2600)),
        Scale("Mbit/s", limits=(0, 1200)),
    )
    image = lines(drawn, *scales)
    alt = (
        "Lines: the rate over look-up tables for 1, 2 and 4 cores, below as many times one core's."
    )
    return [
        table("Cores side by side", rows, columns, note=f"{note}."),
        Figure("Rate and resources of 1, 2 and 4 cores on the ECP5", image, ".svg", alt,
               "The only device here that holds four cores and has open place and route; its clock "
               "falls as the design grows."),
    ]  # fmt: skip

# SPDX-License-Identifier: MIT
"""Section III: a block takes 87 cycles in hardware, 4 + 9 x 8 + 7 + 4, encrypted or decrypted.

Four cycles take the block from block RAM in words, each of nine rounds takes eight, the last round
seven, and four put the block back.

Ours: `aes32_paper`, rebuilt from the paper's words, works on random blocks in Icarus Verilog;
before each clock edge its registers tell the phase.  Beside it `aes32`, our own core with the same
width, in steady state.

What differs: nothing that the paper states; why a round takes eight cycles it does not say (ours: 4
columns go through 5 stages, and the next round begins when the state is whole).  `aes32` takes the
next block while one is in work and spends 4 cycles on each of 10 rounds.  Claims name both
directions of `aes32_paper`, block by block.
"""

from collections.abc import Sequence

from aesfit.hardware.designs import design_named
from aesfit.hardware.exercise import measure
from aesfit.hardware.published import PAPER as PUBLISHED
from aesfit.hardware.schedule import DESIGN, stretches
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, placed
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, ResultTable, Row
from aesfit_papers.judging.place import ClaimPlace

NUMBER = "Section III"
TITLE = "The 87 cycles of a block, phase by phase"
COLUMNS = (
    Column("design"),
    Column("direction"),
    Column("block"),
    Column("phase"),
    Column("cycles", "cycles"),
    Column("published_cycles", "cycles"),
)
FAST = True
_BLOCKS = 2
_OURS = "aes32"
_PUBLISHED = {"load": 4, **{f"round {n}": 8 for n in range(1, 10)}, "round 10": 7, "store": 4}
_GROUPS = ("load", "rounds 1 to 9", "round 10", "store")


def rows(progress: Progress) -> Measured:
    """Both directions of the paper's core, then ours."""
    made: list[Row] = []
    told = []
    for decrypt, direction in enumerate(("encrypt", "decrypt")):
        progress(decrypt, 3)
        found, how = stretches(_BLOCKS, decrypt=bool(decrypt))
        told.append(f"{DESIGN}: {how}")
        for one in found:
            phase = one.phase if one.round is None else f"round {one.round}"
            made.append({"design": DESIGN, "direction": direction, "block": one.block + 1,
                         "phase": phase, "cycles": one.cycles,
                         "published_cycles": _PUBLISHED.get(phase)})  # fmt: skip
    progress(2, 3)
    ours = measure(design_named(_OURS))
    made.append({"design": _OURS, "direction": "encrypt", "block": None, "phase": "steady state",
                 "cycles": ours.cycles_per_block,
                 "published_cycles": PUBLISHED.cycles_per_block})  # fmt: skip
    return Measured(made, (*told, f"{_OURS}: {ours.provenance}"))


def _blocks(rows: Sequence[Row]) -> dict[ClaimPlace, list[Row]]:
    """Phases of each block of the paper's core."""
    return placed([row for row in rows if row["design"] == DESIGN], "direction", "block")


def _spent(some: Sequence[Row], group: str, column: str = "cycles") -> float:
    """Cycles of a block in one of _GROUPS."""
    middle = {f"round {n}" for n in range(1, 10)}
    return sum(
        figure(row[column])
        for row in some
        if row["phase"] == group or (group == "rounds 1 to 9" and row["phase"] in middle)
    )


_BUILT = "The core was built for the paper's 87 cycles, phase by phase."


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The schedule and its sum."""
    blocks = _blocks(rows)
    apart = {
        place: sum(abs(figure(row["cycles"]) - figure(row["published_cycles"])) for row in some)
        for place, some in blocks.items()
    }
    whole = {place: sum(figure(row["cycles"]) for row in some) for place, some in blocks.items()}
    return [
        Claim("Load takes 4 cycles, nine rounds 8 each, the last 7, store 4 (cycles of difference, "
              "summed).", "exact", apart, 0, by_construction=_BUILT),
        Claim("A block takes 87 cycles.", "exact", whole, PUBLISHED.cycles_per_block,
              by_construction=_BUILT),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """A line for each phase, and the blocks as bars."""
    blocks = _blocks(rows)
    last = rows[-1]
    head = ("phase", *map(str, blocks), "published")
    first = next(iter(blocks.values()))
    cells = [
        (
            group,
            *(f"{_spent(some, group):.0f}" for some in blocks.values()),
            f"{_spent(first, group, 'published_cycles'):.0f}",
        )
        for group in _GROUPS
    ]
    sums = [sum(figure(row["cycles"]) for row in some) for some in blocks.values()]
    cells.append(("together", *(f"{one:.0f}" for one in sums), f"{PUBLISHED.cycles_per_block}"))
    note = f"Our core {_OURS} takes a block every {figure(last['cycles']):g} cycles."
    series = [
        Bars(group, [*(_spent(some, group) for some in blocks.values()),
                     _spent(first, group, "published_cycles"), None])
        for group in _GROUPS
    ]  # fmt: skip
    series.append(
        Bars(f"{_OURS}, all of it", [*(None for _ in blocks), None, figure(last["cycles"])])
    )
    groups = [*map(str, blocks), "published", _OURS]
    image = bars(groups, series, Scale("cycles"), stacked=True, write=lambda value: f"{value:.0f}")
    alt = (
        "Stacked bars: load 4, rounds 72, last round 7, store 4, the same in each block; aes32 40."
    )
    return [
        ResultTable(f"Cycles of {DESIGN}", head, tuple(cells), note),
        Figure("Where the cycles of a block go", image, ".svg", alt),
    ]

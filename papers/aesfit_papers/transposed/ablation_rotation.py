# SPDX-License-Identifier: MIT
"""Section 4: ARM combines XOR and rotation, so that fewer rotations are no advantage there.

The transposed form has no rotations in MixColumns, columns have 12; the paper gives ARM's combined
instruction as the reason why the transposed form encrypts slightly more slowly there.

Ours: both forms with the operations that the paper prints (`transposed_paper` and
`sbox_columns_paper`), and the columns once more with the rotations of MixColumns held apart from
the sums that read them (AESFIT_ROTATIONS_APART), so that each is an instruction of its own.  The
three differ in nothing else, and are compiled, run and checked on six 32-bit processors.  Claims
are judged at -Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: the paper compares processors, of which one combines the two and one does not; here
the same processor does both.  On Cortex-M0+ and RISC-V nothing is combined in either case, so that
what changes there is the compiler's order of instructions alone.  That the advantage "tends to
disappear" is read as: more than half of it does.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.ablation import block_cycles, one_block
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.levels import at_levels
from aesfit_papers.judging.tables import number, table
from aesfit_papers.judging.transposed import (
    ARMS,
    OWN_FLAGS,
    PLATFORMS,
    PRINTED_COLUMNS,
    PRINTED_ROWS,
    RELEASE,
    steps_rest_on,
)

NUMBER = "Section 4, combined rotations"
TITLE = "What ARM's combination of XOR and rotation is worth to columns"
_APART = "AESFIT_ROTATIONS_APART"
_COMBINING = (*ARMS, "cortex-m3")
"""Processors whose XOR takes a rotated operand."""
_SERIES = {
    "columns": "columns",
    "columns_apart": "columns, rotations apart",
    "transposed": "transposed",
}
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("combines"),
    *(Column(one, "cycles") for one in _SERIES),
)
FAST = False


def rows(progress: Progress) -> Measured:
    """Encryption of a block in the three ways, with each platform's own flags and at each level."""
    made: list[Row] = []
    every = list(product(PLATFORMS, (OWN_FLAGS, *RELEASE)))
    for done, (name, level) in enumerate(every):
        progress(done, len(every))
        apart = one_block(name, PRINTED_COLUMNS, defined=(_APART,), level=level)
        made.append(
            {
                "platform": name,
                "flags": level,
                "combines": name in _COMBINING,
                "columns": block_cycles(one_block(name, PRINTED_COLUMNS, level=level)),
                "columns_apart": block_cycles(apart),
                "transposed": block_cycles(one_block(name, PRINTED_ROWS, level=level)),
            }
        )
    return Measured(made, tuple(steps_rest_on(platform_named(name), RELEASE) for name in PLATFORMS))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The advantage without the combined instruction, and what the instruction takes of it."""
    rows = [row for row in at_levels(rows) if row["combines"]]
    apart, combined = (pairs(rows, "columns_apart", one) for one in ("transposed", "columns"))
    taken = {
        name: Pair(combined[name].a - combined[name].b, apart[name].a - apart[name].b)
        for name in apart
    }
    return [
        Claim("Without the combined instruction the transposed form encrypts faster (cycles of "
              "columns, rotations apart, against its own).", "order", apart),
        Claim("The combined instruction makes columns faster (cycles, rotations apart, second "
              "combined).", "order", combined,
              by_construction="Each rotation that is held apart is an instruction more."),
        Claim("With it the advantage of fewer rotations tends to disappear: it takes more than "
              "half of it (cycles that it saves columns, over the advantage without it).",
              "at least", taken, 0.5),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """The cycles, and bars of them."""
    rows = [row for row in rows if row["flags"] is OWN_FLAGS]
    shown = [("platform", "platform"), ("combines XOR and rotation", "combines")]
    shown += [(title, name) for name, title in _SERIES.items()]
    names, cell = [str(row["platform"]) for row in rows], found(rows, "platform")
    series = [Bars(title, [figure(row[name]) for row in rows]) for name, title in _SERIES.items()]
    image = bars(names, series, Scale("cycles"))
    alt = "Bars: cycles of encrypting a block by columns, with rotations apart, and transposed."
    left = ", ".join(
        f"{name} {number(cell(name)['columns'])} and {number(cell(name)['transposed'])}"
        for name in ARMS
    )
    words = (
        f"What is left with the combined instruction (cycles of columns and transposed: {left}) "
        "includes two transpositions of the block, which have an experiment of their own. The "
        "paper's other reason, sums of three operands, was not taken away."
    )
    return [
        table("Cycles of encrypting a block, operations as printed", rows, shown),
        Words(words),
        Figure("Encryption of a block, AES-128", image, ".svg", alt),
    ]

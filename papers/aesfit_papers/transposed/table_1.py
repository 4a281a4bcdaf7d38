# SPDX-License-Identifier: MIT
"""Table 1 writes MixColumns on transposed words as three steps, without a rotation.

The steps are sums of the other three words, doublings of all four, sums of two words more.

Ours: each step, written as printed, is compiled by itself for six 32-bit processors, run, and told
into sums, doublings and rotations from the instructions that were executed.  Cycles are those that
a step takes beyond loading and storing its words.

What differs: nothing in the steps.  The library's own MixColumns does with 12 sums and 3 doublings,
because the four sums to double add up to zero; the experiment on section 4 counts it.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.steps import NONE, NONE_OF_EIGHT
from aesfit_papers.judging.cells import figures, found
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, ResultTable, Row, Words
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.tables import number
from aesfit_papers.judging.transposed import PLATFORMS, steps_of, steps_rest_on

NUMBER = "Table 1"
TITLE = "MixColumns on transposed words in three steps"
COLUMNS = (
    Column("platform"),
    Column("step"),
    Column("published_sums"),
    Column("sums"),
    Column("published_doublings"),
    Column("doublings"),
    Column("rotations"),
    Column("cycles", "cycles"),
)
FAST = True
_STEPS = {
    "first": ("table1_first", NONE, 8, 0),
    "second": ("table1_second", NONE, 0, 4),
    "third": ("table1_third", NONE_OF_EIGHT, 8, 0),
    "all three": ("mix_transposed_printed", NONE, 16, 4),
}
"""By name: the function, what it is compared with, and the table's sums and doublings."""


def rows(progress: Progress) -> Measured:
    """Every step on every platform."""
    made: list[Row] = []
    for name, steps in steps_of(PLATFORMS, progress).items():
        for step, (function, without, sums, doublings) in _STEPS.items():
            counted = steps.operations(function, without)
            made.append(
                {
                    "platform": name,
                    "step": step,
                    "published_sums": sums,
                    "sums": counted.sums,
                    "published_doublings": doublings,
                    "doublings": counted.doublings,
                    "rotations": counted.rotations,
                    "cycles": steps.cycles(function, without),
                }
            )
    return Measured(made, tuple(steps_rest_on(platform_named(name)) for name in PLATFORMS))


_PRINTED = "The three steps were written operation by operation after the paper's table."


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Three steps, no rotation."""

    def of(step: str, column: str) -> dict[ClaimPlace, float]:
        return figures(rows, column, ("platform",), step=step)

    return [
        Claim("The first step is 8 sums.", "exact", of("first", "sums"), 8,
              by_construction=_PRINTED),
        Claim("The second step is 4 doublings.", "exact", of("second", "doublings"), 4,
              by_construction=_PRINTED),
        Claim("The third step is 8 sums.", "exact", of("third", "sums"), 8,
              by_construction=_PRINTED),
        Claim("The three steps hold no rotation.", "exact", of("all three", "rotations"), 0,
              by_construction=_PRINTED),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Operations, the same on all platforms unless a cell says otherwise, and cycles."""
    cell = found(rows, "platform", "step")
    head = ("step", "sums", "published", "doublings", "published", "rotations")
    counts = ("sums", "published_sums", "doublings", "published_doublings", "rotations")
    operations = tuple(
        (
            step,
            *(
                " or ".join(dict.fromkeys(str(cell(name, step)[column]) for name in PLATFORMS))
                for column in counts
            ),
        )
        for step in _STEPS
    )
    cycles = tuple(
        (step, *(number(cell(name, step)["cycles"]) for name in PLATFORMS)) for step in _STEPS
    )
    words = (
        "The doublings take the most by far: each is four ANDs and XORs, a subtraction and two "
        "shifts on four bytes at once."
    )
    return [
        ResultTable("The three steps, counted from executed instructions", head, operations),
        ResultTable("Cycles of the three steps", ("step", *PLATFORMS), cycles),
        Words(words),
    ]

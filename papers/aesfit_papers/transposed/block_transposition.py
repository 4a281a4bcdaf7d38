# SPDX-License-Identifier: MIT
"""Section 4: transposing a block at the start, and again at the end, costs about 20 cycles each.

Ours, twice: the transposition of four words by masked swaps, which is its own inverse, compiled and
run by itself, beyond loading and storing them, as the paper's code has it; and what the library's
way in and out of the transposed form (bytes at any address to words) costs beyond its way in and
out of columns.  Claims are judged on the first, at -Os, -O2 and -O3; tables and bars show each
platform's own flags.

What differs: the paper does not print how it transposes.  The library never transposes words.  It
loads a row byte by byte where it would load a column byte by byte, so that on processors whose
words must be aligned a row costs what a column does; where a word may lie anywhere (Cortex-M3)
columns are loaded whole, and rows are not.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cells import figure, figures
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import OUR_CODE, Claim, Column, Figure, Measured, Part, Row
from aesfit_papers.judging.levels import at_levels, place_of, with_own_flags
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.tables import percent, table
from aesfit_papers.judging.transposed import (
    PLATFORMS,
    PRINTED_ROWS,
    run_levels,
    steps_at_levels,
    steps_rest_on,
)

NUMBER = "Section 4, transposition"
TITLE = "What it costs to transpose a block in and out"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("transposition", "cycles"),
    Column("published_transposition", "cycles"),
    Column("load_columns", "cycles"),
    Column("load_transposed", "cycles"),
    Column("store_columns", "cycles"),
    Column("store_transposed", "cycles"),
    Column("encrypt", "cycles"),
)
FAST = False
_NAME = "transposed_block_transposition"
_PUBLISHED = 20


def rows(progress: Progress) -> Measured:
    """The steps, and the whole block beside them."""
    steps = steps_at_levels(PLATFORMS, progress)
    blocks = run_levels(PLATFORMS, (PRINTED_ROWS,), ("encrypt-block",), progress)
    words = tuple(range(8))
    made: list[Row] = [
        {
            "platform": name,
            "flags": level,
            "transposition": one.cycles("transpose"),
            "published_transposition": _PUBLISHED,
            **{
                f"{way}_{form}": one.run(f"{way}_{form}", words).cycles
                for way in ("load", "store")
                for form in ("columns", "transposed")
            },
            "encrypt": blocks[name, level, PRINTED_ROWS, "encrypt-block"].cycles,
        }
        for (name, level), one in steps.items()
    ]
    return Measured(made, tuple(steps_rest_on(platform_named(name), RELEASE) for name in PLATFORMS))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """About 20 cycles at either end: the transposition of words, and what the library does."""
    rows = at_levels(rows)
    own = figures(rows, "transposition")

    def with_ours(way: str) -> dict[ClaimPlace, float]:
        beyond = {
            place_of(row) + OUR_CODE: figure(row[f"{way}_transposed"])
            - figure(row[f"{way}_columns"])
            for row in rows
        }
        return {**own, **beyond}

    made = [
        Claim(f"The {end} transposition takes about 20 cycles on all platforms.", "about",
              with_ours(way), _PUBLISHED, cause="compiler or processor", why=_SHIFTS)
        for end, way in (("initial", "load"), ("final", "store"))
    ]  # fmt: skip
    return [with_difference(claim, _NAME, _BYTES) for claim in made]


_SHIFTS = (
    "It is 12 XORs, 4 ANDs and 8 shifts; the shifts are instructions of their own on Cortex-M0+ "
    "and RISC-V, where PicoRV32 takes three cycles or more for each, and masks and registers to be "
    "saved come on top, dearest on ARM7TDMI and PicoRV32. Inside a block on ARM the two together "
    "cost less than twice that (experiment on transposed data)."
)
_BYTES = (
    "Where words must be aligned, the library loads a block that may lie anywhere byte by byte in "
    "both forms, and a row of bytes is as cheap as a column; on Cortex-M3 columns are loaded whole."
)


def render(rows: Sequence[Row]) -> list[Part]:
    """The figures, with the share of a block; bars of the transposition."""
    judged, rows = claims(rows), with_own_flags(rows)
    shown = [("platform", "platform"), ("words", "transposition")]
    shown += [("published", "published_transposition")]
    shown += [(f"{way} {form}", f"{way}_{form}")
              for way in ("load", "store") for form in ("columns", "transposed")]  # fmt: skip
    share = [
        {**row, "share": percent(2 * figure(row["transposition"]) / figure(row["encrypt"]))}
        for row in rows
    ]
    names = [str(row["platform"]) for row in rows]
    ours = [figure(row["transposition"]) for row in rows]
    image = bars(names, [Bars("transposition of four words", ours, [_PUBLISHED] * len(rows))],
                 Scale("cycles"))  # fmt: skip
    note = "Two transpositions of words as a share of the transposed form's encryption."
    return [
        table("Cycles", share, [*shown, ("of a block", "share")], note=note),
        both_codes(judged, _NAME),
        Figure("Transposing four words", image, ".svg",
               "Bars: cycles of a transposition on each processor beside about 20."),
    ]  # fmt: skip

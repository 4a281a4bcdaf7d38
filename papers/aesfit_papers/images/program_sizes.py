# SPDX-License-Identifier: MIT
"""Table 2 prints the sizes of functions, by which the program and its compiler's level are sought.

Ours: every function in every shape that the text allows, written from its samples A, B and C, from
sections 4 and 5 and from FIPS 197: assignments in loops or written out, one function for both
directions or two, products by mul(), by six tables or by logarithms, key expansion over a working
array or as FIPS 197 has it.  gcc compiles them for a Pentium 4 at five levels.  A program takes one
shape for each function, the same products in both directions, and the same loops in AddRoundKey and
SubBytes; its distance is the mean of |ln(size / published)| over all thirteen sizes.

What differs: the paper names neither compiler nor level, and prints no MixColumns and no key
expansion.  What is found by its sizes is not judged on its sizes: nothing is judged here.
"""

from collections.abc import Sequence
from math import exp

from aesfit.building.build import compiler_version
from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.code_sizes import pentium_4
from aesfit_papers.instruction_counts.shapes import WAYS
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.contract import Claim, Column, Measured, Part, ResultTable, Row, Words
from aesfit_papers.judging.program import BEFORE, LEVELS, TOLD, Program, ranked, size_rows
from aesfit_papers.judging.tables import number

NUMBER = "Table 2, the program"
TITLE = "The program sought by its code sizes"
COLUMNS = (
    Column("flags"),
    Column("function"),
    Column("form"),
    Column("shape"),
    Column("bytes", "B"),
    Column("published", "B"),
)
FAST = False
_AS_GOOD = 1.05
"""A distance that is at most so many times the least agrees as well."""


def rows(progress: Progress) -> Measured:
    """Every shape at every level."""
    made = size_rows(progress)
    compiler = pentium_4(LEVELS[0])
    target = " ".join(compiler.compiler.target)
    return Measured(made, (f"sizes alone: {compiler_version(compiler)}; {target}",))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """None: what is found by its sizes is not judged on its sizes."""
    del rows
    return []


def render(rows: Sequence[Row]) -> list[Part]:
    """The nearest program size by size, the ten next, and how sure it is."""
    found = ranked(rows)
    return [_size_by_size(rows, *found[0]), _next(found), Words(_sure(found))]


def _size_by_size(rows: Sequence[Row], distance: float, program: Program) -> ResultTable:
    level, shapes = program
    taken = {(row["flags"], row["form"], row["function"], row["shape"]): row for row in rows}
    lines = []
    for (form, function), shape in shapes.items():
        row = taken[level, form, function, shape]
        ratio = figure(row["bytes"]) / figure(row["published"])
        cells = (number(row["bytes"]), number(row["published"]), f"{ratio:.2f}")
        lines.append((function, form, shape, *cells))
    title = f"The nearest program, gcc -m32 {level}: off by {exp(distance) - 1:.0%} on average"
    head = ("function", "form", "shape", "bytes", "published", "ratio")
    return ResultTable(title.replace("%", " %"), head, tuple(lines))


def _next(found: Sequence[tuple[float, Program]]) -> ResultTable:
    best = found[0][1][1]
    lines = [
        (
            number(place),
            level,
            f"{100 * (exp(distance) - 1):.1f} %",
            ", ".join(shape for at, shape in shapes.items() if shape != best[at]) or "the nearest",
        )
        for place, (distance, (level, shapes)) in enumerate(found[:TOLD], 1)
    ]
    head = ("", "level", "off by", "shapes other than the nearest's")
    return ResultTable("The nearest and the ten next", head, tuple(lines))


def _sure(found: Sequence[tuple[float, Program]]) -> str:
    """How many agree as well, and what they have in common."""
    alike = [one for distance, one in found if distance <= _AS_GOOD * found[0][0]]
    levels = dict.fromkeys(level for level, _ in alike)
    by_level = {
        level: min(distance for distance, (other, _) in found if other == level) for level in LEVELS
    }
    told = ", ".join(f"{100 * (exp(one) - 1):.0f} % at {level}" for level, one in by_level.items())
    ways = dict.fromkeys(
        way for _, shapes in alike for way in WAYS if f"mix_{way}_" in shapes[BEFORE, "MixColumns"]
    )
    return (
        f"Of {len(found):,} programs {len(alike)} agree as well, within 5 % of the least distance; "
        f"all are of {', '.join(levels)}, with products by {', '.join(ways)}. The nearest of each "
        f"level is off by {told}: sizes tell the level, and leave the shapes of single functions "
        "open."
    )

# SPDX-License-Identifier: MIT
"""Section 4: optimising alternate rounds alone is a trade-off between code size and time.

Ours: code bytes and cycles of encryption of one block as it ships, plain and in the three
optimisations, on six 32-bit processors at four levels of the compiler, tables left out.

What differs: the paper gives no code sizes of Opt1 and Opt2.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.images import CORES, LEVELS, PLATFORMS, blocks_run
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import table

NUMBER = "Section 4, alternate rounds"
TITLE = "Code size and time of alternate rounds"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("code"),
    Column("bytes", "B"),
    Column("cycles", "cycles"),
)
FAST = False
_ALTERNATE = ("Opt1", "Opt2")


def rows(progress: Progress) -> Measured:
    """One block of each code everywhere."""
    taken = blocks_run(tuple(CORES), LEVELS, progress)
    made: list[Row] = [
        {
            "platform": name,
            "flags": level,
            "code": CORES[core],
            "bytes": one.code_bytes,
            "cycles": one.cycles,
        }
        for (name, level, core), one in taken.items()
    ]
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Smaller than OptF, faster than plain code."""

    def less(code: str, other: str, column: str) -> dict[ClaimPlace, Pair]:
        return pairs(rows, column, code=(other, code))

    why = (
        "Alternate rounds need the code of both forms, and an unrolled inner loop is about as "
        "large as the loop: together they are larger than either alone."
    )
    made = []
    for code in _ALTERNATE:
        made += [
            Claim(f"{code} is smaller than OptF (its bytes second).", "order",
                  less(code, "OptF", "bytes"), cause="our code differs", why=why),
            Claim(f"{code} is faster than plain code (its cycles second).", "order",
                  less(code, "plain", "cycles"), cause="compiler or processor",
                  why=_slower(less(code, "plain", "cycles"))),
        ]  # fmt: skip
    return made


def _slower(saved: dict[ClaimPlace, Pair]) -> str:
    lost = [str(at) for at, one in saved.items() if one.a <= one.b]
    if not lost:
        return ""
    return f"Nothing is saved on {'; '.join(lost)}: the compiler unrolls the plain rounds too."


def render(rows: Sequence[Row]) -> list[Part]:
    """Bytes as bars, all as a table."""
    cell = found(rows, "platform", "flags", "code")
    parts: list[Part] = []
    for column, unit in (("bytes", "bytes of code"), ("cycles", "cycles of one block")):
        series = [
            Bars(code, [figure(cell(name, "-O2", code)[column]) for name in PLATFORMS])
            for code in CORES.values()
        ]
        image = bars(PLATFORMS, series, Scale(unit))
        alt = f"Bars of {unit}, plain and in three optimisations, on six processors."
        parts.append(Figure(f"{unit.capitalize()} at -O2", image, ".svg", alt))
    parts.append(table("One block as it ships", rows, [(c.name, c.name) for c in COLUMNS]))
    parts.append(
        Words("Where both forms must be there, leaving some rounds plain saves no memory.")
    )
    return parts

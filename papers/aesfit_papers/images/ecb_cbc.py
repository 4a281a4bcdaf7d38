# SPDX-License-Identifier: MIT
"""Sections 5 and 6: CBC takes more time than ECB, and the speed "degrades marginally".

Ours: both modes of the library over the pixels of a picture, in cycles, on six 32-bit processors at
four levels of the compiler, for the four codes of the paper; 512 and 1024 bytes are run, and the
difference is what a block costs.  Beside them stands `fixslice`, which encrypts two blocks at once.

What differs: the paper gives no figures of this, so that "marginally" cannot be held to a number.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.pictures.scenes import scene
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.images import (
    CORES,
    LEVELS,
    NO_INTEGRITY,
    PLATFORMS,
    places,
    share_or_word,
    span,
)
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Sections 5 and 6"
TITLE = "Time of CBC against ECB"
_MODES = ("ecb", "cbc")
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    *(Column(f"{mode}_block", "cycles") for mode in _MODES),
    *(Column(f"{mode}_instructions") for mode in _MODES),
)
FAST = False
_SIZES = (512, 1024)
_PARALLEL = "fixslice"
_ALL = (*CORES, _PARALLEL)


def rows(progress: Progress) -> Measured:
    """Both modes at two sizes."""
    data = scene("landscape", 200).data
    every = list(product(places(), _ALL))
    jobs = [
        Job(platform_named(name), core, 128, "encrypt", mode, size, (level,), text=data[:size])
        for (name, level), core in every
        for mode in _MODES
        for size in _SIZES
    ]
    taken = iter(measured(jobs, progress))
    made: list[Row] = []
    rested = []
    for (name, level), core in every:
        row: dict[str, str | float] = {"platform": name, "flags": level, "core": core}
        for mode in _MODES:
            small, large = next(taken), next(taken)
            rested += [small, large]
            blocks = (large.bytes - small.bytes) / 16
            row[f"{mode}_block"] = (large.cycles - small.cycles) / blocks
            added = (large.instructions or 0) - (small.instructions or 0)
            row[f"{mode}_instructions"] = added / blocks
        names = [column.name for column in COLUMNS]
        made.append({one: row[one] for one in names})
    return Measured(made, lines(rested))


def _more(row: Row) -> float:
    """What CBC takes beyond ECB, as a share of it."""
    return figure(row["cbc_block"]) / figure(row["ecb_block"]) - 1


def _instructions(row: Row) -> float:
    """What CBC executes beyond ECB for a block."""
    return figure(row["cbc_instructions"]) - figure(row["ecb_instructions"])


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Order alone."""
    made = []
    for core, code in CORES.items():
        found_here = pairs(rows, "cbc_block", "ecb_block", core=core)
        sentence = f"CBC takes more time than ECB, {code} code (cycles of a block)."
        here = [row for row in rows if row["core"] == core and _more(row) <= 0]
        fewer = [_instructions(row) < 0 for row in here]
        why = (
            f"In {len(here)} of {len(found_here)} places CBC is the faster, in {sum(fewer)} of "
            "them with fewer instructions for a block: core and mode are compiled together, and "
            "the compiler makes other code of the same rounds, which differs by more than an XOR "
            "of 16 bytes costs."
        )
        made.append(Claim(sentence, "order", found_here, cause="compiler or processor", why=why))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Shares as bars and as a table."""
    cell = found(rows, "platform", "flags", "core")
    names = {**CORES, _PARALLEL: _PARALLEL}
    series = [
        Bars(code, [100 * _more(cell(name, "-O2", core)) for name in PLATFORMS])
        for core, code in names.items()
    ]
    image = bars(PLATFORMS, series, Scale("more cycles for a block in CBC, %"),
                 write=lambda value: f"{value:.1f}")  # fmt: skip
    wide: list[Row] = [
        {"platform": name, "flags": level,
         **{code: _more(cell(name, level, core)) for core, code in names.items()}}
        for name, level in places(LEVELS)
    ]  # fmt: skip
    shown = [("platform", "platform"), ("flags", "flags"), *((c, c) for c in names.values())]
    one = [_more(row) for row in rows if row["core"] in CORES and row["flags"] != "-O0"]
    plain = [_more(row) for row in rows if row["core"] in CORES and row["flags"] == "-O0"]
    many = [_more(row) for row in rows if row["core"] == _PARALLEL]
    told = (
        f"CBC adds {span(plain)} to the paper's codes at -O0, and {span(one)} where the compiler "
        "makes other code of the rounds with each mode; the paper calls it marginal. Code that "
        f"works on several blocks at once takes {span(many)} more, for in CBC each waits for the "
        f"one before it. {NO_INTEGRITY}"
    )
    return [
        Figure("What CBC takes beyond ECB at -O2", image, ".svg",
               "Bars of the share that CBC adds, for five cores on six processors."),
        table("What CBC takes beyond ECB", wide, shown, write=share_or_word),
        Words(told),
    ]  # fmt: skip

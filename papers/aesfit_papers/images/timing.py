# SPDX-License-Identifier: MIT
"""Section 5 says that products were read from a look-up table "to defeat any timing attacks".

Ours: one block is encrypted under one key for 16 different plaintexts, on processors without and
with data caches (empty at the start), by the plain core, whose products are in tables, and by
`fixslice`, which reads no table, at three levels of the compiler.  Cycles are exact, so that any
spread is what a clock can tell about the data.

What differs: nothing that matters; a Pentium 4 has caches.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.jobs.job import Job, Progress
from aesfit.pictures.scenes import scene
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.images import PLAIN, PLATFORMS
from aesfit_papers.judging.levels import LEVELS, at_levels, job_at, place_of, with_own_flags
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Section 5, timing"
TITLE = "A look-up table and timing attacks"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("texts"),
    Column("least", "cycles"),
    Column("most", "cycles"),
    Column("timing"),
)
FAST = False
_CACHED = ("arm9-cached", "arm920t", "vexriscv-cached-emulated")
_CORES = (PLAIN, "fixslice")
_TEXTS = 16


def rows(progress: Progress) -> Measured:
    """Sixteen blocks of a picture at every level."""
    data = scene("landscape", 200).data
    texts = [data[at * 16 :][:16] for at in range(_TEXTS)]
    every = list(product((*PLATFORMS, *_CACHED), LEVELS, _CORES))
    jobs = [
        job_at(Job(platform_named(name), core, 128, "encrypt", "ecb", 16, text=text), level)
        for name, level, core in every
        for text in texts
    ]
    taken = measured(jobs, progress)
    made: list[Row] = []
    for at, (name, level, core) in enumerate(every):
        here = taken[at * _TEXTS :][:_TEXTS]
        made.append(
            {
                "platform": name,
                "flags": level,
                "core": core,
                "texts": len(set(texts)),
                "least": min(one.cycles for one in here),
                "most": max(one.cycles for one in here),
                "timing": here[0].timing,
            }
        )
    return Measured(made, lines(taken))


def _spread(row: Row) -> float:
    return figure(row["most"]) - figure(row["least"])


def claims(rows: Sequence[Row]) -> list[Claim]:
    """No spread wherever tables are read."""
    tables = [row for row in at_levels(rows) if row["core"] == PLAIN]
    spread = {place_of(row).of(core=PLAIN): _spread(row) for row in tables}
    apart = {name: [_spread(row) for row in tables if row["platform"] == name] for name in _CACHED}
    seen = ", ".join(f"{name} {_span(some)}" for name, some in apart.items() if any(some))
    alike = ", ".join(name for name, some in apart.items() if not any(some))
    why = (
        "Which entries of a table are read depends on key and data. Without a cache and with "
        "uniform memory the time does not show it; with one it can. "
        f"Cycles between the blocks: {seen}."
    )
    if alike:
        why += (
            f" On {alike} these blocks took the same time, but read different addresses, which "
            "who shares the cache can see: no constant time either."
        )
    sentence = "A look-up table defeats any timing attack (cycles between fastest and slowest)."
    return [Claim(sentence, "at most", spread, 0, cause="the claim itself", why=why)]


def _span(spreads: Sequence[float]) -> str:
    """Least to largest over the levels."""
    return f"{min(spreads):.0f} to {max(spreads):.0f}"


def render(rows: Sequence[Row]) -> list[Part]:
    """Spread as bars and cycles as a table."""
    rows = with_own_flags(rows)
    cell = found(rows, "platform", "core")
    names = list(dict.fromkeys(str(row["platform"]) for row in rows))
    series = [Bars(core, [_spread(cell(name, core)) for name in names]) for core in _CORES]
    image = bars(names, series, Scale("cycles between the fastest and the slowest block"))
    shown = [(one.name, one.name) for one in COLUMNS if one.name != "flags"]
    return [
        Figure("What a clock can tell of one block", image, ".svg",
               "Bars: only the core with tables on processors with caches has any."),
        table("Sixteen blocks of a picture under one key", rows, shown),
        Words(
            "A look-up table does not defeat timing attacks, it invites them. What defeats them is "
            "code without addresses that depend on secrets, as fixslice, or the processor's own "
            "AES instructions."
        ),
    ]  # fmt: skip

# SPDX-License-Identifier: MIT
"""Section 4.1: many look-up tables, and tables rotated in advance, do not pay on ARM.

The paper says that tables of 4 KiB degrade performance, that a shift within an instruction makes
rotations free, so that rotated tables bring nothing, and that tables invite cache misses.

Ours: a block by the final implementation (three tables of 256 bytes), by one table of 1 KiB
(`ttable1`), and by four that are rotated in advance (`ttable4`), on four ARM processors without
caches and on an ARM920T whose caches are empty at the start of the block.

What differs: the paper measures no version with large tables.
"""

from collections.abc import Sequence

from aesfit.catalog import cores
from aesfit.file_bench import javed
from aesfit.jobs.job import Job, Progress
from aesfit.papers.cells import figure, found
from aesfit.papers.charts import Bars, Scale, bars
from aesfit.papers.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit.papers.mobile import PLATFORMS
from aesfit.papers.provenance import lines, measured
from aesfit.papers.tables import table
from aesfit.platforms.find import platform_named

NUMBER = "Section 4.1"
TITLE = "Whether larger tables pay on ARM"
COLUMNS = (
    Column("platform"),
    Column("core"),
    Column("table_bytes", "B"),
    Column("encrypt", "cycles"),
    Column("stalls", "cycles"),
)
FAST = True
_CACHED = "arm920t"
_PLACES = (*PLATFORMS, _CACHED)
_CORES = (javed.FINAL, "ttable1", "ttable4")


def _table_bytes(core: str) -> int:
    """Of the tables that encryption reads."""
    (known,) = (one for one in cores() if one.name == core)
    return sum(one.bytes for one in known.tables if one.direction == "encrypt")


def rows(progress: Progress) -> Measured:
    """Encryption of a block."""
    places = [(name, core) for name in _PLACES for core in _CORES]
    jobs = [Job(platform_named(p), core, javed.KEY_BITS, "encrypt-block") for p, core in places]
    taken = measured(jobs, progress)
    made: list[Row] = [
        {
            "platform": name,
            "core": core,
            "table_bytes": _table_bytes(core),
            "encrypt": one.cycles,
            "stalls": one.stall_cycles,
        }
        for (name, core), one in zip(places, taken, strict=True)
    ]
    return Measured(made, lines(taken))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Large tables against small ones, four against one, and misses."""
    cell = found(rows, "platform", "core")

    def cycles(core: str, name: str) -> float:
        return figure(cell(name, core)["encrypt"])

    small = (
        "A read of 32 bits gives what several reads of bytes and their shifts give, and without a "
        "cache either takes as long. On the ARM920T a block that finds the caches empty is slower "
        "by its misses; without the stalls it takes what it takes on ARM9TDMI."
    )
    missing = "Four tables are four times as many lines to fill where the caches are empty."
    return [
        Claim("Tables of 4 KiB are slower than three of 256 bytes (cycles of ttable4 against "
              "them).",
              "order", {name: Pair(cycles("ttable4", name), cycles(javed.FINAL, name))
                        for name in _PLACES}, cause="the claim itself", why=small),
        Claim("Tables rotated in advance bring nothing (one table over four).", "equal",
              {name: Pair(cycles("ttable1", name), cycles("ttable4", name)) for name in _PLACES},
              cause="compiler or processor", why=missing),
        Claim("Larger tables lose more to an empty cache (cycles stalled).", "order",
              {_CACHED: Pair(*(figure(cell(_CACHED, core)["stalls"])
                               for core in ("ttable4", javed.FINAL)))}),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """One table, one chart."""
    shown = [("platform", "platform"), ("core", "core"), ("tables, bytes", "table_bytes")]
    shown += [("cycles of a block", "encrypt"), ("of these stalled", "stalls")]
    cell = found(rows, "platform", "core")
    series = [
        Bars(core, [figure(cell(name, core)["encrypt"]) for name in _PLACES]) for core in _CORES
    ]
    image = bars(_PLACES, series, Scale("cycles of a block"))
    note = "Stalls are those of a block that finds the caches empty; the others have no cache."
    alt = "Bars: cycles of a block with small and large tables on five ARM processors."
    return [
        table("A block by size of tables", rows, shown, note=note),
        Figure("A block by size of tables", image, ".svg", alt),
    ]

# SPDX-License-Identifier: MIT
"""Section 4.1: many look-up tables, and tables rotated in advance, do not pay on ARM.

The paper says that tables of 4 KiB degrade performance; that a shift within an instruction makes
rotations free, so that rotated tables cannot improve it; and that they increase the register
pressure and the possibility of cache misses, and so degrade it.  It calls its own the highest
performance on ARM (section 7).

Ours: a block by the final implementation (three tables of 256 bytes), by V1, by S-boxes on columns
(`sbox_columns`, the form that Bertoni et al. took from Gladman in 2002), by one table of 1 KiB
(`ttable1`), and by four that are rotated in advance (`ttable4`), on four ARM processors without
caches and on an ARM920T, whose caches are empty at the start of a single block (cold), or hold what
the blocks before left (warm: what 32 blocks more in a row take, a block).  Claims are judged at
-Os, -O2 and -O3; tables and bars show each platform's own flags.

What differs: the paper measures no version with large tables.  Register pressure is told by the
stack that a block takes: registers that are saved, and values for which there are none.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.catalog import core_named
from aesfit.jobs.job import Job, Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.judging.cells import figures, pairs, placed
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.levels import LEVELS, at_levels, job_at, with_own_flags
from aesfit_papers.judging.mobile import PLATFORMS
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Section 4.1"
TITLE = "Whether larger tables pay on ARM"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("cache"),
    Column("core"),
    Column("table_bytes", "B"),
    Column("encrypt", "cycles"),
    Column("stalls", "cycles"),
    Column("stack_bytes", "B"),
)
FAST = False
_CACHED = "arm920t"
_COLD, _WARM = "cold", "warm"
_IN_A_ROW = (32, 64)
"""Blocks of two messages, whose difference is that of blocks that find the caches full."""
_ONE, _FOUR = "ttable1", "ttable4"
_CORES = (javed.FINAL, _ONE, _FOUR)
_OTHERS = (javed.V1, "sbox_columns")


def _table_bytes(core: str) -> int:
    """Of the tables that encryption reads."""
    known = core_named(core)
    return sum(one.bytes for one in known.tables if one.direction == "encrypt")


def rows(progress: Progress) -> Measured:
    """Encryption of a block, and of one among others where there are caches."""
    places = list(product((*PLATFORMS, _CACHED), LEVELS, (*_CORES, *_OTHERS)))
    jobs = [
        job_at(Job(platform_named(name), core, javed.KEY_BITS, "encrypt-block"), level)
        for name, level, core in places
    ]
    taken = measured(jobs, progress)
    made: list[Row] = [
        _row(name, level, core, _COLD if name == _CACHED else None, one)
        for (name, level, core), one in zip(places, taken, strict=True)
    ]
    made += (_warm(row) for row in made if row["cache"] == _COLD)
    return Measured(made, lines(taken))


def _row(name: str, level: str | None, core: str, cache: str | None, one: Measurement) -> Row:
    return {
        "platform": name,
        "flags": level,
        "cache": cache,
        "core": core,
        "table_bytes": _table_bytes(core),
        "encrypt": one.cycles,
        "stalls": one.stall_cycles,
        "stack_bytes": one.stack_bytes,
    }


def _warm(cold: Row) -> Row:
    """The same of a block among others in a row: what more blocks take, by their number."""
    platform, level = platform_named(str(cold["platform"])), cold["flags"]
    asked = (str(cold["core"]), javed.KEY_BITS, "encrypt", "ecb")
    jobs = [
        job_at(Job(platform, *asked, 16 * many), None if level is None else str(level))
        for many in _IN_A_ROW
    ]
    few, many = measured(jobs)
    more = _IN_A_ROW[1] - _IN_A_ROW[0]
    stalls = ((many.stall_cycles or 0) - (few.stall_cycles or 0)) / more
    each = {"encrypt": (many.cycles - few.cycles) / more, "stalls": stalls}
    return {**cold, "cache": _WARM, **each}


_PLACE = ("platform", "cache", "flags")
"""Processor, state of its caches, level."""


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Large tables against small ones, four against one, and what is fastest."""
    rows = at_levels(rows)
    return [*_large(rows), *_rotated(rows), *_fastest(rows)]


def _pairs(
    rows: Sequence[Row], above: str, below: str, column: str = "encrypt"
) -> dict[ClaimPlace, Pair]:
    """By place: a column of one core against that of another."""
    return pairs(rows, column, by=_PLACE, core=(above, below))


def _large(rows: Sequence[Row]) -> list[Claim]:
    """Against three tables of 256 bytes."""
    small = (
        "A read of 32 bits gives what several reads of bytes and their shifts give, and without a "
        "cache, which ARM does not have by section 3 of the paper, either takes as long. On the "
        "ARM920T a block that finds the caches empty is slower by its misses; without the stalls "
        "it takes what it takes on ARM9TDMI, and so do blocks that find them full."
    )
    cached = [row for row in rows if row["cache"] == _COLD]
    return [
        Claim("Tables of 4 KiB are slower than three of 256 bytes (cycles of ttable4 against "
              "them).",
              "order", _pairs(rows, _FOUR, javed.FINAL), cause="compiler or processor",
              why=small),
        Claim("Larger tables lose more to an empty cache (cycles stalled).", "order",
              _pairs(cached, _FOUR, javed.FINAL, "stalls")),
    ]  # fmt: skip


def _rotated(rows: Sequence[Row]) -> list[Claim]:
    """Four tables against one."""
    apart = (
        "Cortex-M0+ has no instruction that rotates an operand on the way: there a table that is "
        "rotated in advance saves an instruction for each read."
    )
    once = [row for row in rows if row["cache"] != _WARM]
    return [
        Claim("Tables rotated in advance do not improve performance (cycles of one table over "
              "those of four).", "at most", _pairs(rows, _ONE, _FOUR), 1,
              cause="compiler or processor", why=apart),
        Claim("Tables rotated in advance degrade performance (cycles of four against those of "
              "one).", "order", _pairs(rows, _FOUR, _ONE), cause="compiler or processor",
              why=apart),
        Claim("Tables rotated in advance increase the register pressure (bytes of stack, of four "
              "tables against those of one).", "order of counts",
              _pairs(once, _FOUR, _ONE, "stack_bytes"), cause="compiler or processor",
              why="Cortex-M0+ has eight registers for most instructions, and takes as much stack "
              "with one table as with four."),
    ]  # fmt: skip


def _fastest(rows: Sequence[Row]) -> list[Claim]:
    """The least cycles of other code against the final implementation's; V1's rank is cited."""
    others = (_ONE, _FOUR, "sbox_columns")
    every = [_pairs(rows, core, javed.FINAL) for core in others]
    least = {
        place.of(core=(*others, javed.FINAL)): Pair(min(one[place].a for one in every), pair.b)
        for place, pair in every[0].items()
    }
    known = (
        "Code that was known then is faster on every processor: S-boxes on columns and tables of "
        "words, both measured by Bertoni et al. in 2002, whom the paper cites."
    )
    return [
        Claim("The final implementation exhibits the highest encryption performance on ARM (least "
              "cycles of other code against its).", "order",
              least, cause="the claim itself", why=known),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """One table, one chart."""
    rows = with_own_flags(rows)
    shown = [
        ("platform", "platform"),
        ("cache", "cache"),
        ("core", "core"),
        ("tables, bytes", "table_bytes"),
    ]
    shown += [("cycles of a block", "encrypt"), ("of these stalled", "stalls")]
    shown += [("bytes of stack", "stack_bytes")]
    places = list(map(str, placed(rows, *_PLACE)))
    series = [
        Bars(core, [*figures(rows, "encrypt", _PLACE, core=core).values()]) for core in _CORES
    ]
    image = bars(places, series, Scale("cycles of a block"))
    note = "Cold: the caches are empty before the block; warm: they hold what others left."
    alt = "Bars: cycles of a block with small and large tables on five ARM processors."
    return [
        table("A block by size of tables", rows, shown, note=note),
        Figure("A block by size of tables", image, ".svg", alt),
    ]

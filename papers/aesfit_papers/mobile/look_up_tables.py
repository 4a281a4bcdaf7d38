# SPDX-License-Identifier: MIT
"""Section 4.1: many look-up tables, and tables rotated in advance, do not pay on ARM.

The paper says that tables of 4 KiB degrade performance; that a shift within an instruction makes
rotations free, so that rotated tables cannot improve it; and that they increase the register
pressure and the possibility of cache misses, and so degrade it.  It calls V1 the fast encryption
available on ARM (sections 1 and 5), and its own the highest performance (section 7).

Ours: a block by the final implementation (three tables of 256 bytes), by V1, by S-boxes on columns
(`sbox_columns`, the form that Bertoni et al. took from Gladman in 2002), by one table of 1 KiB
(`ttable1`), and by four that are rotated in advance (`ttable4`), on four ARM processors without
caches and on an ARM920T whose caches are empty at the start of the block.

What differs: the paper measures no version with large tables.  Register pressure is told by the
stack that a block takes: registers that are saved, and values for which there are none.
"""

from collections.abc import Sequence

from aesfit.catalog import cores
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.mobile import PLATFORMS
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Section 4.1"
TITLE = "Whether larger tables pay on ARM"
COLUMNS = (
    Column("platform"),
    Column("core"),
    Column("table_bytes", "B"),
    Column("encrypt", "cycles"),
    Column("stalls", "cycles"),
    Column("stack_bytes", "B"),
)
FAST = False
_CACHED = "arm920t"
_PLACES = (*PLATFORMS, _CACHED)
_ONE, _FOUR = "ttable1", "ttable4"
_CORES = (javed.FINAL, _ONE, _FOUR)
_OTHERS = (javed.V1, "sbox_columns")


def _table_bytes(core: str) -> int:
    """Of the tables that encryption reads."""
    (known,) = (one for one in cores() if one.name == core)
    return sum(one.bytes for one in known.tables if one.direction == "encrypt")


def rows(progress: Progress) -> Measured:
    """Encryption of a block."""
    places = [(name, core) for name in _PLACES for core in (*_CORES, *_OTHERS)]
    jobs = [Job(platform_named(p), core, javed.KEY_BITS, "encrypt-block") for p, core in places]
    taken = measured(jobs, progress)
    made: list[Row] = [
        {
            "platform": name,
            "core": core,
            "table_bytes": _table_bytes(core),
            "encrypt": one.cycles,
            "stalls": one.stall_cycles,
            "stack_bytes": one.stack_bytes,
        }
        for (name, core), one in zip(places, taken, strict=True)
    ]
    return Measured(made, lines(taken))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Large tables against small ones, four against one, and what is fastest."""
    return [*_large(rows), *_rotated(rows), *_fastest(rows)]


def _cycles(rows: Sequence[Row], core: str, name: str, column: str = "encrypt") -> float:
    return figure(found(rows, "platform", "core")(name, core)[column])


def _pairs(rows: Sequence[Row], above: str, below: str, column: str = "encrypt") -> dict[str, Pair]:
    """By processor: a column of one core against that of another."""
    return {
        name: Pair(_cycles(rows, above, name, column), _cycles(rows, below, name, column))
        for name in _PLACES
    }


def _large(rows: Sequence[Row]) -> list[Claim]:
    """Against three tables of 256 bytes."""
    small = (
        "A read of 32 bits gives what several reads of bytes and their shifts give, and without a "
        "cache, which ARM does not have by section 3 of the paper, either takes as long. On the "
        "ARM920T a block that finds the caches empty is slower by its misses; without the stalls "
        "it takes what it takes on ARM9TDMI."
    )
    lost = (_cycles(rows, core, _CACHED, "stalls") for core in (_FOUR, javed.FINAL))
    return [
        Claim("Tables of 4 KiB are slower than three of 256 bytes (cycles of ttable4 against "
              "them).",
              "order", _pairs(rows, _FOUR, javed.FINAL), cause="compiler or processor",
              why=small),
        Claim("Larger tables lose more to an empty cache (cycles stalled).", "order",
              {_CACHED: Pair(*lost)}),
    ]  # fmt: skip


def _rotated(rows: Sequence[Row]) -> list[Claim]:
    """Four tables against one."""
    apart = (
        "Cortex-M0+ has no instruction that rotates an operand on the way: there a table that is "
        "rotated in advance saves an instruction for each read."
    )
    return [
        Claim("Tables rotated in advance do not improve performance (cycles of one table over "
              "those of four).", "at most", _pairs(rows, _ONE, _FOUR), 1,
              cause="compiler or processor", why=apart),
        Claim("Tables rotated in advance degrade performance (cycles of four against those of "
              "one).", "order", _pairs(rows, _FOUR, _ONE), cause="compiler or processor",
              why=f"{apart} On ARM9TDMI what four tables lose is below 2 %."),
        Claim("Tables rotated in advance increase the register pressure (bytes of stack, of four "
              "tables against those of one).", "order of counts",
              _pairs(rows, _FOUR, _ONE, "stack_bytes"), cause="compiler or processor",
              why="Cortex-M0+ has eight registers for most instructions, and takes as much stack "
              "with one table as with four."),
    ]  # fmt: skip


def _fastest(rows: Sequence[Row]) -> list[Claim]:
    """The least cycles of other code against V1's, and against the final implementation's."""
    others = (_ONE, _FOUR, "sbox_columns")
    least = {name: min(_cycles(rows, core, name) for core in others) for name in _PLACES}
    known = (
        "Code that was known then is faster on every processor: S-boxes on columns and tables of "
        "words, both measured by Bertoni et al. in 2002, whom the paper cites."
    )
    return [
        Claim(f"{told} (least cycles of other code against its).", "order",
              {name: Pair(least[name], _cycles(rows, core, name)) for name in _PLACES},
              cause="the claim itself", why=known)
        for told, core in (("V1 is the fast encryption that is available on ARM", javed.V1),
                           ("The final implementation exhibits the highest encryption "
                            "performance on ARM", javed.FINAL))
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """One table, one chart."""
    shown = [("platform", "platform"), ("core", "core"), ("tables, bytes", "table_bytes")]
    shown += [("cycles of a block", "encrypt"), ("of these stalled", "stalls")]
    shown += [("bytes of stack", "stack_bytes")]
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

# SPDX-License-Identifier: MIT
"""Section 5.4: deriving round keys by rows saves 50 % of the memory moves of deriving by columns.

Table 2 of the paper, in turn, has the schedule by columns as the faster one, unrolled.

Ours: loads and stores of data that the schedules of 128-bit keys execute at four optimisation
levels: `bytewise`, byte by byte down the columns as FIPS 197 writes it; `compact`, byte by byte
along the rows, after Lu et al.; and `mobile`, a column in a 32-bit word.  Words that one
instruction moves with others are counted each.

What differs: the paper counts nothing itself.  Reads of S-box and round constants are memory moves
like others here; spills, which compilers add, are too.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.file_bench.question import LEVELS
from aesfit_papers.instruction_counts.block_run import BlockQuestion, run, standard_rounds
from aesfit_papers.instruction_counts.operations import count
from aesfit_papers.judging.cells import figures, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row
from aesfit_papers.judging.mobile import PLATFORMS, level
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import table

NUMBER = "Section 5.4"
TITLE = "Memory moves of key schedules by rows and by columns"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("loads"),
    Column("stores"),
    Column("moves"),
    Column("instructions"),
    Column("cycles", "cycles"),
)
FAST = False
_BYTES, _ROWS, _WORDS = "bytewise", javed.V1, javed.FINAL
_CORES = {_BYTES: "columns, bytes", _ROWS: "rows, bytes", _WORDS: "columns, words"}
_LOOP = ("-O2", "-O3")
"""Levels at which variables stay in registers; at -O0 all are in memory."""


def rows(progress: Progress) -> Measured:
    """Every schedule at every level."""
    places = [(p, flags, core) for p in PLATFORMS for flags in LEVELS for core in _CORES]
    jobs = [
        Job(platform_named(p), core, javed.KEY_BITS, "key-setup-encrypt", flags=flags)
        for p, flags, core in places
    ]
    taken = measured(jobs, progress)
    made: list[Row] = []
    for (name, flags, core), priced in zip(places, taken, strict=True):
        rounds = standard_rounds(javed.KEY_BITS)
        ran = run(
            BlockQuestion(platform_named(name), core, javed.KEY_BITS, rounds, flags), "encrypt"
        )
        counts = count(ran.setup, ran.instructions)
        made.append(
            {
                "platform": name,
                "flags": level(flags),
                "core": core,
                "loads": counts.loads,
                "stores": counts.stores,
                "moves": counts.loads + counts.stores,
                "instructions": counts.instructions,
                "cycles": priced.cycles,
            }
        )
    return Measured(made, lines(taken))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """What rows save beside columns of bytes, and what words save beside both."""
    why = (
        "Where loops stay loops, a byte just made is still in its register for the next column of "
        "its row, which saves moves. At -O0 every variable is in memory. At -O3 the loops "
        "over columns are unrolled and reuse bytes in registers, while unrolled rows move more "
        "than before. Cortex-M0+ has eight registers for most instructions, too few to keep them. "
        "Cortex-M3 loads and stores words at any address, so that columns move four bytes at once "
        "there; with -mno-unaligned-access they take as many moves as on ARM7TDMI."
    )
    return [
        Claim("Rows need fewer memory moves than columns, both byte by byte (their moves second).",
              "order of counts",
              pairs(rows, "moves", core=(_BYTES, _ROWS)),
              cause="compiler or processor", why=why),
        Claim("Rows save 50 % of the memory moves.", "effect",
              pairs(rows, "moves", core=(_ROWS, _BYTES)), 0.5, form="saved",
              cause="compiler or processor", why=why),
        Claim("Columns in 32-bit words need fewer memory moves than rows of bytes (theirs second).",
              "order of counts", pairs(rows, "moves", core=(_ROWS, _WORDS))),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """All counts, and the moves as bars where registers are used."""
    shown = [("platform", "platform"), ("flags", "flags"), ("schedule", "core")]
    shown += [(name, name) for name in ("loads", "stores", "moves", "instructions", "cycles")]
    named = [{**row, "core": f"{_CORES[str(row['core'])]} ({row['core']})"} for row in rows]
    parts: list[Part] = [table("Executed for a 128-bit key", named, shown)]
    for flags in _LOOP:
        series = [
            Bars(title, [*figures(rows, "moves", core=core, flags=flags).values()])
            for core, title in _CORES.items()
        ]
        image = bars(PLATFORMS, series, Scale("loads and stores"))
        alt = f"Bars: loads and stores of three key schedules at {flags} on each processor."
        parts.append(Figure(f"Memory moves at {flags}", image, ".svg", alt))
    return parts

# SPDX-License-Identifier: MIT
"""Section 4: tables that combine MixColumns with the S-box take 4 KiB, 8 KiB for both directions.

"Because encryption and decryption must use different tables, the total memory requirement amounts
to 8 KByte.  Another solution is to trade memory for speed", two tables of 256 bytes, with
MixColumns apart.  Section 6 names tables for SubBytes and InvSubBytes "by exploiting similarities
between encryption and decryption" as future work that optimises memory.

Ours: cores of the library in ECB with 128-bit keys on six 32-bit processors: flash of an
image that holds both directions, and cycles of a block in each.  Claims are judged at -Os, -O2 and
-O3; tables and bars show -O2.  The future work is the core
`sbox_inverses`: both S-boxes are the inversion in the field, which is its one table, and an affine
map, which it computes; all else is as in `sbox_columns`.

What differs: the paper gives no figures with any of this, and that one table is our reading.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.catalog import core_named
from aesfit.jobs.job import Job, Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.images import PLAIN, PLATFORMS
from aesfit_papers.judging.levels import by_place, place_of
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.provenance import lines, measured
from aesfit_papers.judging.tables import number, table

NUMBER = "Sections 4 and 6, tables"
TITLE = "Tables of each direction, and one for both"
COLUMNS = (
    Column("platform"),
    Column("flags"),
    Column("core"),
    Column("encrypt", "cycles"),
    Column("decrypt", "cycles"),
    Column("code_bytes", "B"),
    Column("table_bytes", "B"),
    Column("round_tables", "B"),
)
FAST = False
_SHOWN = "-O2"
_COMBINED, _APART, _SHARED = "ttable4", "sbox_columns", "sbox_inverses"
_CORES = (PLAIN, _APART, _SHARED, "ttable1", _COMBINED)
_PACKET = 64


def rows(progress: Progress) -> Measured:
    """A block each way, and an image with both directions."""
    every = list(product(PLATFORMS, RELEASE, _CORES))
    jobs = []
    for name, level, core in every:
        platform = platform_named(name)
        jobs += [Job(platform, core, 128, f"{op}-block", flags=(level,))
                 for op in ("encrypt", "decrypt")]  # fmt: skip
        jobs.append(Job(platform, core, 128, "both", "ecb", _PACKET, (level,)))
    taken = measured(jobs, progress)
    made: list[Row] = []
    for at, (name, level, core) in enumerate(every):
        forth, back, both = taken[3 * at :][:3]
        made.append(
            {
                "platform": name,
                "flags": level,
                "core": core,
                "encrypt": forth.cycles,
                "decrypt": back.cycles,
                "code_bytes": both.code_bytes,
                "table_bytes": both.table_bytes,
                "round_tables": _round_tables(core),
            }
        )
    return Measured(made, lines(taken))


def _round_tables(core: str) -> int:
    """Bytes of different tables that the middle rounds of both directions read."""
    one = core_named(core)
    sizes = {each.name: each.bytes for each in one.tables if each.reads_middle_round}
    return sum(sizes.values())


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Sizes, the trade, and the future work."""
    flash = [{**row, "flash": _flash(row)} for row in rows]
    built = "The core was written with the paper's tables."
    sizes = {
        place: Pair(size, 1024)
        for place, size in figures(rows, "round_tables", core=_COMBINED).items()
    }
    return [
        Claim("Tables with MixColumns inside take 8 KiB for both directions.", "exact", sizes, 8,
              by_construction=built),
        *(Claim(f"Tables with MixColumns inside improve performance: S-boxes with MixColumns apart "
                f"take more time ({direction}ion, cycles).", "order",
                pairs(rows, direction, core=(_APART, _COMBINED)))
          for direction in ("encrypt", "decrypt")),
        Claim("Two S-boxes with MixColumns apart take less memory than tables with it inside "
              "(flash of both directions).", "order of counts",
              pairs(flash, "flash", core=(_COMBINED, _APART))),
        Claim("One table for both directions takes less memory than two S-boxes (flash of both "
              "directions).", "order of counts", pairs(flash, "flash", core=(_APART, _SHARED)),
              cause="compiler or processor", why=_why(rows)),
    ]  # fmt: skip


def _flash(row: Row) -> float:
    return figure(row["code_bytes"]) + figure(row["table_bytes"])


def _why(rows: Sequence[Row]) -> str:
    """What the saved table costs in code and time."""
    cell = by_place(rows, "core")
    places = dict.fromkeys(map(place_of, rows))
    both = [(cell(place, _SHARED), cell(place, _APART)) for place in places]

    def span(values: Sequence[float]) -> str:
        ends = dict.fromkeys((number(min(values)), number(max(values))))
        return " to ".join(ends)

    tables = [figure(b["table_bytes"]) - figure(a["table_bytes"]) for a, b in both]
    code = [figure(a["code_bytes"]) - figure(b["code_bytes"]) for a, b in both]
    forth, back = (
        [figure(a[which]) / figure(b[which]) for a, b in both] for which in ("encrypt", "decrypt")
    )
    return (
        f"The affine maps take {span(code)} bytes of code more, against {span(tables)} bytes of "
        f"tables less; encryption takes {span(forth)} times as long, decryption {span(back)} times."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Flash and time, and what one table comes to."""
    told: list[Row] = [{**row, "flash": _flash(row)} for row in rows if row["flags"] == _SHOWN]
    cell = found(told, "platform", "core")
    shown = [("platform", "platform"), ("core", "core"), ("encryption", "encrypt")]
    shown += [("decryption", "decrypt"), ("code", "code_bytes"), ("tables", "table_bytes")]
    parts: list[Part] = []
    for column, unit in (("flash", "bytes of flash, both directions"), ("encrypt", "cycles")):
        series = [Bars(core, [figure(cell(name, core)[column]) for name in PLATFORMS])
                  for core in _CORES]  # fmt: skip
        alt = f"Bars of {unit} of five cores on six processors."
        title = "Flash of both directions" if column == "flash" else "Cycles to encrypt a block"
        parts.append(Figure(title, bars(PLATFORMS, series, Scale(unit)), ".svg", alt))
    parts.append(table(f"A block, and an image with both directions, at {_SHOWN}", told,
                       [*shown, ("flash", "flash")]))  # fmt: skip
    parts.append(Words(f"One table for both directions: {_why(rows)}"))
    return parts

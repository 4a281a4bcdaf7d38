# SPDX-License-Identifier: MIT
"""Table 2, Pentium III: the two forms beside an implementation with full tables (20 KB).

The transposed form beats the columns in everything there, and full tables beat both.

Ours: the cores `transposed`, `sbox_columns` and `ttable8`, compiled as 32-bit code for the
instruction set of the Pentium III and timed on this computer.

What differs: the processor.  It issues more instructions at once, and cycles are those of its
time-stamp counter, so that ratios compare and cycles do not.
"""

from collections.abc import Callable, Sequence

from aesfit.jobs.job import Progress
from aesfit.papers.cells import figure, found
from aesfit.papers.charts import Bars, Scale, bars
from aesfit.papers.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit.papers.provenance import lines
from aesfit.papers.transposed import BY_COLUMNS, TRANSPOSED, by_operation, published, run

NUMBER = "Table 2, Pentium III"
TITLE = "Cycles of a block on a 32-bit x86"
_PLACE, _TABLES = "i686", "ttable8"
_CORES = (TRANSPOSED, BY_COLUMNS, _TABLES)
_OPS = {
    "key_encrypt": "key-setup-encrypt",
    "key_decrypt": "key-setup-decrypt",
    "encrypt": "encrypt-block",
    "decrypt": "decrypt-block",
}
COLUMNS = (
    Column("platform"),
    Column("core"),
    *(Column(f"{told}{name}", "cycles", exact=bool(told))
      for name in _OPS for told in ("", "published_")),
)  # fmt: skip
FAST = False


def rows(progress: Progress) -> Measured:
    """Timed now, all three in turns."""
    taken = run((_PLACE,), _CORES, tuple(_OPS.values()), progress, fresh=True)
    made: list[Row] = []
    for core in _CORES:
        row: dict[str, str | float | None] = {"platform": _PLACE, "core": core}
        for name, op in _OPS.items():
            row[name] = taken[_PLACE, core, 128, op].cycles
            theirs = published(_PLACE, core, op)
            if op == "key-setup-decrypt" and theirs is None:  # one schedule for both directions
                theirs = published(_PLACE, core, "key-setup-encrypt")
            row[f"published_{name}"] = theirs
        made.append(row)
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Orders and ratios of the three."""
    cell = found(rows, "core")
    return [*_orders(cell), *_to_columns(cell), *_to_full_tables(cell)]


def _orders(cell: Callable[..., Row]) -> list[Claim]:
    def faster(above: str, below: str) -> dict[str, Pair]:
        """Cycles of the slower against the faster, by operation."""
        return {
            name.replace("_", " "): Pair(figure(cell(above)[name]), figure(cell(below)[name]))
            for name in _OPS
        }

    inverted = (
        "Round keys of full tables go through InvMixColumns for decryption, which those of the "
        "transposed form need not."
    )
    return [
        Claim("The transposed form beats the columns (their cycles against its own).", "order",
              faster(BY_COLUMNS, TRANSPOSED)),
        Claim("Full tables beat the transposed form (its cycles against theirs).", "order",
              faster(TRANSPOSED, _TABLES), cause="our code differs", why=inverted),
    ]  # fmt: skip


def _ratio(cell: Callable[..., Row], above: str, below: str, column: str) -> dict[str, Pair]:
    return {_PLACE: Pair(figure(cell(above)[column]), figure(cell(below)[column]))}


_SHORTER = (
    "The library sums over a row of the schedule with two XORs of shifted words where the paper "
    "has three."
)
_NEWER = (
    "This processor completes more instructions in a cycle than a Pentium III, and the compiler is "
    "twenty years younger; how much of the ratio either moves is not measured."
)


def _to_columns(cell: Callable[..., Row]) -> list[Claim]:
    return [
        Claim("The transposed key schedule takes 0.93 times the columns' cycles.", "effect",
              _ratio(cell, TRANSPOSED, BY_COLUMNS, "key_encrypt"), 370 / 396,
              cause="our code differs", why=_SHORTER),
        Claim("Encryption by columns takes 1.25 times the transposed one's cycles.", "effect",
              _ratio(cell, BY_COLUMNS, TRANSPOSED, "encrypt"), 1404 / 1119,
              cause="compiler or processor", why=_NEWER),
        Claim("Decryption by columns takes 1.54 times the transposed one's cycles.", "effect",
              _ratio(cell, BY_COLUMNS, TRANSPOSED, "decrypt"), 2152 / 1395,
              cause="compiler or processor", why=_NEWER),
    ]  # fmt: skip


def _to_full_tables(cell: Callable[..., Row]) -> list[Claim]:
    wide = (
        "A Pentium III completes three instructions in a cycle at most. This processor completes "
        "more, so that the arithmetic which tables spare costs less here."
    )
    return [
        Claim("Transposed encryption takes 3.1 times the cycles of full tables.", "effect",
              _ratio(cell, TRANSPOSED, _TABLES, "encrypt"), 1119 / 362,
              cause="compiler or processor", why=wide),
        Claim("Transposed decryption takes 3.7 times the cycles of full tables.", "effect",
              _ratio(cell, TRANSPOSED, _TABLES, "decrypt"), 1395 / 381,
              cause="compiler or processor", why=wide),
        Claim("With full tables decryption costs 1.05 times what encryption does.", "effect",
              {_PLACE: Pair(figure(cell(_TABLES)["decrypt"]), figure(cell(_TABLES)["encrypt"]))},
              381 / 362, cause="compiler or processor", why=wide),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """One table, one chart of shares."""
    cell, base = found(rows, "core"), found(rows, "core")(TRANSPOSED)
    series = [
        Bars(
            core,
            [figure(cell(core)[name]) / figure(base[name]) for name in _OPS],
            [
                figure(cell(core)[f"published_{name}"]) / figure(base[f"published_{name}"])
                for name in _OPS
            ],
        )
        for core in _CORES[1:]
    ]
    groups = [name.replace("_", " ") for name in _OPS]
    image = bars(groups, series, Scale("times the transposed form"), write=lambda v: f"{v:.2f}")
    alt = "Bars: cycles of columns and of full tables over those of the transposed form."
    return [
        by_operation("Cycles on a 32-bit x86", rows, tuple(_OPS)),
        Figure("Beside the transposed form", image, ".svg", alt),
    ]

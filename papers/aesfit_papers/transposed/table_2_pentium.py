# SPDX-License-Identifier: MIT
"""Table 2, Pentium III: the two forms beside an implementation with full tables (20 KB).

The transposed form beats the columns in everything there, and full tables beat both.

Ours: the cores `transposed_paper` and `sbox_columns_paper`, which do every operation that the paper
prints or counts, the library's own `transposed` and `sbox_columns`, and `ttable8`, compiled as
32-bit code for the instruction set of the Pentium III and timed on this computer.  Claims are
judged on the code as printed.

What differs: the processor.  It issues more instructions at once, and cycles are those of its
time-stamp counter, so that ratios compare and cycles do not.
"""

from collections.abc import Callable, Mapping, Sequence

from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.codes import both_codes, with_difference
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row
from aesfit_papers.judging.place import ClaimPlace, at, told
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.transposed import (
    BY_CODE,
    BY_COLUMNS,
    FORMS,
    PRINTED,
    SHORTER,
    SHORTER_INVERSE,
    SHORTER_SCHEDULE,
    TRANSPOSED,
    by_operation,
    codes,
    published,
    run,
)

NUMBER = "Table 2, Pentium III"
TITLE = "Cycles of a block on a 32-bit x86"
_PLACE, _TABLES = "i686", "ttable8"
_NAME = "transposed_table_2_pentium"
_CORES = (*(core for core, _ in codes(tuple(FORMS))), _TABLES)
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
    """Timed now, all in turns."""
    taken = run((_PLACE,), _CORES, tuple(_OPS.values()), progress)
    made: list[Row] = []
    for core in _CORES:
        row: dict[str, str | float | None] = {"platform": _PLACE, "core": core}
        for name, op in _OPS.items():
            row[name] = taken[_PLACE, core, op].cycles
            theirs = published(_PLACE, core, op)
            if op == "key-setup-decrypt" and theirs is None:  # one schedule for both directions
                theirs = published(_PLACE, core, "key-setup-encrypt")
            row[f"published_{name}"] = theirs
        made.append(row)
    return Measured(made, lines(list(taken.values())))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Orders and ratios of the three, by the code as printed and ours."""
    cell = found(rows, "core")
    return [*_orders(cell), *_to_columns(cell), *_to_full_tables(cell, rows)]


def _orders(cell: Callable[..., Row]) -> list[Claim]:
    def faster(above: str, below: str) -> dict[ClaimPlace, Pair]:
        """Cycles of the slower against the faster, by operation and code."""
        return {
            name.replace("_", " ") + code: pair
            for name in _OPS
            for code, pair in _by_code(cell, above, below, name).items()
        }

    inverted = (
        "Round keys of full tables go through InvMixColumns for decryption, which those of the "
        "transposed form need not."
    )
    return [
        _with(Claim("The transposed form beats the columns (their cycles against its own).",
                    "order", faster(BY_COLUMNS, TRANSPOSED), cause="our code differs",
                    why=_SCHEDULE), f"{SHORTER} {SHORTER_SCHEDULE}"),
        _with(Claim("Full tables beat the transposed form (its cycles against theirs).", "order",
                    faster(TRANSPOSED, _TABLES), cause="our code differs", why=inverted), inverted),
    ]  # fmt: skip


def _by_code(
    cell: Callable[..., Row], above: str, below: str, column: str
) -> Mapping[ClaimPlace, Pair]:
    """By what a place adds for the code: two cores, of which full tables are in both codes."""
    rows = ((PRINTED.get(above, above), PRINTED.get(below, below)), (above, below))
    return {
        told(code).of(core=(one, other)): Pair(
            figure(cell(one)[column]), figure(cell(other)[column])
        )
        for code, (one, other) in zip(BY_CODE, rows, strict=True)
    }


def _ratio(cell: Callable[..., Row], above: str, below: str, column: str) -> dict[ClaimPlace, Pair]:
    by_code = _by_code(cell, above, below, column)
    return {at(platform=_PLACE) + code: pair for code, pair in by_code.items()}


def _with(claim: Claim, why: str) -> Claim:
    return with_difference(claim, _NAME, why)


_SCHEDULE = (
    "The paper does not print the key schedule of the columns; the library's stands in its place."
)
_NEWER = (
    "This processor completes more instructions in a cycle than a Pentium III, and the compiler is "
    "twenty years younger; how much of the ratio either moves is not measured."
)


def _to_columns(cell: Callable[..., Row]) -> list[Claim]:
    return [
        _with(Claim("The transposed key schedule takes 0.93 times the columns' cycles.", "effect",
                    _ratio(cell, TRANSPOSED, BY_COLUMNS, "key_encrypt"), 370 / 396,
                    cause="our code differs", why=_SCHEDULE), SHORTER_SCHEDULE),
        _with(Claim("Encryption by columns takes 1.25 times the transposed one's cycles.",
                    "effect", _ratio(cell, BY_COLUMNS, TRANSPOSED, "encrypt"), 1404 / 1119,
                    cause="compiler or processor", why=_NEWER), SHORTER),
        _with(Claim("Decryption by columns takes 1.54 times the transposed one's cycles.",
                    "effect", _ratio(cell, BY_COLUMNS, TRANSPOSED, "decrypt"), 2152 / 1395,
                    cause="compiler or processor", why=_NEWER), SHORTER_INVERSE),
    ]  # fmt: skip


def _to_full_tables(cell: Callable[..., Row], rows: Sequence[Row]) -> list[Claim]:
    wide = (
        "A Pentium III completes three instructions in a cycle at most. This processor completes "
        "more, so that the arithmetic which tables spare costs less here."
    )
    return [
        _with(Claim("Transposed encryption takes 3.1 times the cycles of full tables.", "effect",
                    _ratio(cell, TRANSPOSED, _TABLES, "encrypt"), 1119 / 362,
                    cause="compiler or processor", why=wide), SHORTER),
        _with(Claim("Transposed decryption takes 3.7 times the cycles of full tables.", "effect",
                    _ratio(cell, TRANSPOSED, _TABLES, "decrypt"), 1395 / 381,
                    cause="compiler or processor", why=wide), SHORTER_INVERSE),
        Claim("With full tables decryption costs 1.05 times what encryption does.", "effect",
              pairs(rows, "decrypt", "encrypt", ("platform",), core=_TABLES),
              381 / 362, cause="compiler or processor", why=wide),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """One table, one chart of shares."""
    cell = found(rows, "core")
    base = cell(PRINTED[TRANSPOSED])
    series = [
        Bars(
            core,
            [figure(cell(core)[name]) / figure(base[name]) for name in _OPS],
            [
                None if core in FORMS
                else figure(cell(core)[f"published_{name}"]) / figure(base[f"published_{name}"])
                for name in _OPS
            ],
        )
        for core in _CORES if core != PRINTED[TRANSPOSED]
    ]  # fmt: skip
    groups = [name.replace("_", " ") for name in _OPS]
    image = bars(groups, series, Scale("times transposed_paper"), write=lambda v: f"{v:.2f}")
    alt = "Bars: cycles of columns, of our code and of full tables over the transposed form's."
    return [
        by_operation("Cycles on a 32-bit x86", rows, tuple(_OPS)),
        both_codes(claims(rows), _NAME),
        Figure("Beside the transposed form as printed", image, ".svg", alt),
    ]

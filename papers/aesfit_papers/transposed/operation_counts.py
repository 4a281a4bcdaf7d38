# SPDX-License-Identifier: MIT
"""Section 4 counts the operations of MixColumns and InvMixColumns of a whole state in both forms.

By columns they are 16 sums, 4 doublings and 12 rotations (32, 12 and 12 backwards), on transposed
words 16 and 4 (table 1; backwards 27 and 7) without any rotation.

Ours: both as the paper describes them and as the library has them are compiled by themselves for
six 32-bit processors, run, and told into sums, doublings and rotations from the executed
instructions; beside them stands what the heads of the library's sources declare.

What differs: the library's forms need fewer operations than the paper's in both representations.
MixColumns of a column adds neighbours before it doubles them (3 sums, 2 rotations), InvMixColumns
is MixColumns after adding multiples by 4; transposed, the fourth double is the sum of the others.
"""

from collections.abc import Sequence

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.instruction_counts.steps import INV_MIX, MIX, declared
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit_papers.judging.place import ClaimPlace
from aesfit_papers.judging.transposed import PLATFORMS, steps_of, steps_rest_on

NUMBER = "Section 4"
TITLE = "Operations of MixColumns and InvMixColumns in both forms"
COLUMNS = (
    Column("platform"),
    Column("step"),
    Column("form"),
    Column("written"),
    *(Column(f"{told}{name}") for name in ("sums", "doublings", "rotations")
      for told in ("published_", "declared_", "")),
    Column("cycles", "cycles"),
)  # fmt: skip
FAST = True
_FORMS = {"columns": "sbox_columns", "transposed": "transposed"}
_PUBLISHED = {
    (MIX, "columns"): (16, 4, 12),
    (INV_MIX, "columns"): (32, 12, 12),
    (MIX, "transposed"): (16, 4, 0),
    (INV_MIX, "transposed"): (27, 7, 0),
}
"""Sums, doublings, rotations."""
_NAMES = ("sums", "doublings", "rotations")
_PLACE = "rv32i"
"""Where a table for reading is taken from: rotations are whole instructions there."""


def rows(progress: Progress) -> Measured:
    """Each step in each form, as printed and as the library has it."""
    made: list[Row] = []
    for name, steps in steps_of(PLATFORMS, progress).items():
        for (step, form), theirs in _PUBLISHED.items():
            head = declared(_FORMS[form])[step]
            for written in ("as printed", "library"):
                function = ("inv_" if step == INV_MIX else "") + f"mix_{form}"
                function += "_printed" if written == "as printed" else ""
                counted, ours = steps.operations(function), written == "library"
                row: dict[str, str | int | None]
                row = {"platform": name, "step": step, "form": form, "written": written}
                for at, kind in enumerate(_NAMES):
                    row[f"published_{kind}"] = None if ours else theirs[at]
                    row[f"declared_{kind}"] = getattr(head, kind) if ours else None
                    row[kind] = getattr(counted, kind)
                made.append({**row, "cycles": steps.cycles(function)})
    return Measured(made, tuple(steps_rest_on(platform_named(name)) for name in PLATFORMS))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The printed counts, what the transposed form saves, and whether it is faster."""
    return [*_printed_counts(rows), *_saved_operations(rows), *_faster(rows)]


_PRINTED = "These steps were written operation by operation after the paper's text."


def _both(rows: Sequence[Row], step: str, written: str, column: str) -> dict[ClaimPlace, Pair]:
    """What columns take, against transposed words."""
    forms = ("columns", "transposed")
    return pairs(rows, column, by=("platform",), step=step, form=forms, written=written)


def _printed_counts(rows: Sequence[Row]) -> list[Claim]:
    return [
        Claim(
            f"{step} of {'columns' if form == 'columns' else 'transposed words'} takes "
            f"{number} {kind}.",
            "exact",
            figures(rows, kind, ("platform",), step=step, form=form, written="as printed"),
            number,
            by_construction=_PRINTED,
        )
        for (step, form), theirs in _PUBLISHED.items()
        for kind, number in zip(_NAMES, theirs, strict=True)
        if number
    ]


def _saved_operations(rows: Sequence[Row]) -> list[Claim]:
    made = []
    for kind, number in (("doublings", 5), ("sums", 5), ("rotations", 12)):
        sentence = f"Transposed words save InvMixColumns {number} {kind}."
        both = _both(rows, INV_MIX, "as printed", kind)
        saved = {name: pair.a - pair.b for name, pair in both.items()}
        made.append(Claim(sentence, "exact", saved, number, by_construction=_PRINTED))
    return made


def _faster(rows: Sequence[Row]) -> list[Claim]:
    slower = (
        "On ARM and Cortex-M3 an XOR takes a rotated operand for nothing, so that the saved "
        "rotations cost nothing there, and both forms have as many doublings and sums."
    )
    printed = (MIX, "as printed")
    made = []
    for step in (MIX, INV_MIX):
        for written in ("as printed", "library"):
            whose = "the paper writes" if written == "as printed" else "the library has"
            made.append(
                Claim(
                    f"As {whose} them, the transposed one of the two forms is the faster at "
                    f"{step} (cycles of columns against its own).",
                    "order",
                    _both(rows, step, written, "cycles"),
                    cause="compiler or processor" if (step, written) == printed else "",
                    why=slower if (step, written) == printed else "",
                )
            )
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Operations where rotations are instructions; cycles everywhere."""
    cell = found(rows, "platform", "step", "form", "written")
    here = [row for row in rows if row["platform"] == _PLACE]
    head = ("step", "form", "written", *_NAMES, "stated", "by")
    lines = tuple(
        (
            *(str(row[name]) for name in ("step", "form", "written", *_NAMES)),
            ", ".join(str(row[f"{by}_{name}"]) for name in _NAMES),
            who,
        )
        for row in here
        for by, who in (("published", "the paper"), ("declared", "the source's head"))
        if row[f"{by}_sums"] is not None
    )
    note = (
        "Counted on rv32i. ARM and Cortex-M3 show 4 rotations more in the library's columns: the "
        "compiler folds one that is used twice into both sums, where it is free."
    )
    parts: list[Part] = [ResultTable("Operations of a whole state", head, lines, note)]
    for step in (MIX, INV_MIX):
        series = [
            Bars(f"{form}, {written}",
                 [figure(cell(name, step, form, written)["cycles"]) for name in PLATFORMS])
            for form in _FORMS for written in ("as printed", "library")
        ]  # fmt: skip
        image = bars(PLATFORMS, series, Scale("cycles of a state"))
        alt = f"Bars of the cycles of {step} in four forms on {len(PLATFORMS)} processors."
        parts.append(Figure(f"Cycles of {step}", image, ".svg", alt))
    parts.append(
        Words(
            "Written better, the columns lose 12 of their 32 sums backwards, but keep all 12 "
            "doublings, and the transposed form becomes shorter as well: its lead stays."
        )
    )
    return parts

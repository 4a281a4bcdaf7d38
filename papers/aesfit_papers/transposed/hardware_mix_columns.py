# SPDX-License-Identifier: MIT
"""Section 5 leaves the silicon area and latency of the transposed form for later; here they are.

The paper has no figure for hardware.  It counts operations in software: transposed, InvMixColumns
of a state takes 7 doublings and 27 sums of words where the standard form takes 12 and 32 and
rotations; MixColumns takes 4 and 16 in both, and rotations in the standard form alone.  Whether
silicon follows these counts is shown and not judged: what the paper leaves for later is no claim.

Ours: combinational modules of `rtl/` do the operations that the paper prints, for a whole state
(128 bits) and for a word (32 bits).  Yosys maps them to look-up tables of three FPGA families, and
to gates of a 180 nm library twice, the smallest and the fastest that ABC finds; OpenSTA computes
the delay of the slowest path of these.

What differs: rotations are wires in hardware, and cost nothing.  A word of the transposed state is
a row, and a row of the result needs all four rows, so that the module of 32 bits writes 32 and
reads 128; what four rows share in 128 bits is computed for each row there.  Beside them stands a
form that the paper does not have: the transposed form's steps on a single column, whose four bytes
then are the four rows.  Delays are before layout, and of look-up tables only the levels are
counted: nextpnr reports no path from pin to pin.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aesfit.hardware.combinational import TECHNOLOGY, combinational, tool_versions
from aesfit.hardware.designs import Design
from aesfit.hardware.families import FAMILIES
from aesfit.jobs.job import Progress
from aesfit_papers.instruction_counts.steps import INV_MIX, MIX
from aesfit_papers.judging.cells import figure, found
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
    Value,
    Words,
)
from aesfit_papers.judging.tables import number, percent, table

NUMBER = "Section 5, hardware"
TITLE = "Area and delay of MixColumns and InvMixColumns in both forms"
_LUTS = tuple(f"luts_{family.name}" for family in FAMILIES)
_LEVELS = tuple(f"levels_{family.name}" for family in FAMILIES)
COLUMNS = (
    *(Column(name) for name in ("step", "bits", "form", "module", "doublings", "sums")),
    *(Column(name) for name in (*_LUTS, *_LEVELS)),
    *(Column(f"{choice}_{name}", unit) for choice in ("smallest", "fastest")
      for name, unit in (("area_um2", "um2"), ("delay_ns", "ns"))),
)  # fmt: skip
FAST = False
_STANDARD, _TRANSPOSED, _COLUMN = "standard", "transposed", "transposed, one column"
_GATES = {"smallest": "gates, smallest", "fastest": "gates, fastest"}
_COST = re.compile(r"^// Cost: (\d+) doublings and (\d+) sums of (bytes|rows)", re.MULTILINE)


@dataclass(frozen=True)
class MixForm:
    """A module, and what it is a form of."""

    step: str
    bits: int
    form: str
    top: str
    columns: int | None = None
    """The parameter COLUMNS, where the module has it."""

    @property
    def design(self) -> Design:
        """For the tools."""
        given = {} if self.columns is None else {"COLUMNS": self.columns}
        return Design(self.top, f"{self.step}, {self.form}", self.top, "", given)

    def operations(self) -> tuple[int, int]:
        """Doublings and sums of bytes in one evaluation, as the module's head declares them."""
        (file,) = (path for path in self.design.sources if path.stem == self.top)
        told = _COST.search(file.read_text(encoding="utf-8"))
        if told is None:
            raise ValueError(f"the head of {file.name} does not say what it costs")
        times = self.columns if told[3] == "rows" and self.columns else 1
        return int(told[1]) * times, int(told[2]) * times


FORMS = tuple(
    form
    for step, inv in ((MIX, ""), (INV_MIX, "inv_"))
    for form in (
        MixForm(step, 32, _STANDARD, f"aes_{inv}mix_column_standard"),
        MixForm(step, 32, _TRANSPOSED, f"aes_{inv}mix_row_transposed"),
        MixForm(step, 32, _COLUMN, f"aes_{inv}mix_columns_transposed", 1),
        MixForm(step, 128, _STANDARD, f"aes_{inv}mix_columns_standard"),
        MixForm(step, 128, _TRANSPOSED, f"aes_{inv}mix_columns_transposed", 4),
    )
)


def rows(progress: Progress) -> Measured:
    """Every form with every tool."""
    made: list[Row] = []
    for done, form in enumerate(FORMS):
        progress(done, len(FORMS))
        taken = combinational(form.design)
        doublings, sums = form.operations()
        row: dict[str, Value] = {
            "step": form.step, "bits": form.bits, "form": form.form, "module": form.top,
            "doublings": doublings, "sums": sums,
        }  # fmt: skip
        for family in FAMILIES:
            row[f"luts_{family.name}"] = taken.luts[family.name]
            row[f"levels_{family.name}"] = taken.levels[family.name]
        for choice, mapped in (("smallest", taken.smallest), ("fastest", taken.fastest)):
            row[f"{choice}_area_um2"] = mapped.area_um2
            row[f"{choice}_delay_ns"] = mapped.delay_ns
        made.append(row)
    return Measured(made, (tool_versions(), TECHNOLOGY))


def _both(rows: Sequence[Row], step: str, columns: dict[str, str]) -> dict[str, Pair]:
    """By width and technology: the standard form against the transposed one."""
    cell = found(rows, "step", "bits", "form")
    return {
        f"{bits} bits, {name}": Pair(
            *(figure(cell(step, bits, form)[column]) for form in (_STANDARD, _TRANSPOSED))
        )
        for bits in (128, 32)
        for name, column in columns.items()
    }


def _areas() -> dict[str, str]:
    """Columns of area, by technology."""
    luts = {family.name: f"luts_{family.name}" for family in FAMILIES}
    return luts | {name: f"{choice}_area_um2" for choice, name in _GATES.items()}


def _delays() -> dict[str, str]:
    return {name: f"{choice}_delay_ns" for choice, name in _GATES.items()}


def claims(rows: Sequence[Row]) -> list[Claim]:
    """None: the paper leaves hardware for later, so that this is ours, and no claim of its."""
    del rows
    return []


def _followed(rows: Sequence[Row]) -> Sequence[Part]:
    """The standard form against the transposed one: whether silicon follows the counts."""
    lines = []
    for step, named in ((INV_MIX, "InvMixColumns"), (MIX, "MixColumns")):
        for what, columns in (("area", _areas()), ("delay", _delays())):
            pairs = _both(rows, step, columns)
            for bits in (128, 32):
                some = [one.ratio for at, one in pairs.items() if at.startswith(f"{bits} bits")]
                lines.append((named, what, str(bits), f"{min(some):.2f} to {max(some):.2f}"))
    note = (
        "Look-up tables, um2 or ns of the standard form over those of the transposed one: above 1 "
        "the transposed one takes less."
    )
    return (
        ResultTable("The standard form over the transposed one",
                    ("step", "of", "bits", "ratio"), tuple(lines), note),
        Words(
            "InvMixColumns of a state is smaller everywhere transposed: all four rows share three "
            "of its seven doublings. A module of 32 bits writes one row, which shares them with no "
            "other. Rotations are wires in hardware, so that the form without them has no shorter "
            "path: both forms double as often in a row."
        ),
    )  # fmt: skip


def _saving(rows: Sequence[Row]) -> Words:
    """Where the smaller area comes from."""
    cell = found(rows, "step", "bits", "form")
    area = "smallest_area_um2"
    state, standard, column, columns = (
        figure(cell(INV_MIX, bits, form)[area])
        for bits, form in (
            (128, _TRANSPOSED), (128, _STANDARD), (32, _COLUMN), (32, _STANDARD),
        )
    )  # fmt: skip
    return Words(
        f"InvMixColumns of a state takes {percent(1 - state / standard)} less area transposed. The "
        f"same steps on a single column take {percent(1 - column / columns)} less than the "
        "standard form's: it is the shared doublings that save area, and not the transposition. "
        "In software they need four words whose bytes meet without rotations; in wires a column "
        "has them at once."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Look-up tables, gates, and bars of the area."""
    head = [("step", "step"), ("bits", "bits"), ("form", "form")]
    operations = [("doublings", "doublings"), ("sums", "sums")]
    luts = [(family.name, f"luts_{family.name}") for family in FAMILIES]
    levels = [(f"levels, {family.name}", f"levels_{family.name}") for family in FAMILIES]
    mapped = [
        (f"{choice}: {unit}", f"{choice}_{name}")
        for choice in _GATES
        for name, unit in (("area_um2", "um2"), ("delay_ns", "ns"))
    ]
    forms = (_STANDARD, _TRANSPOSED, _COLUMN)
    steps = list(dict.fromkeys((str(row["step"]), row["bits"]) for row in rows))
    area = {(row["step"], row["bits"], row["form"]): row["smallest_area_um2"] for row in rows}
    series = [
        Bars(form, [None if area.get((*at, form)) is None else figure(area[(*at, form)])
                    for at in steps])
        for form in forms
    ]  # fmt: skip
    names = [f"{step}, {bits} bits" for step, bits in steps]
    told = ", ".join(number(row["smallest_area_um2"]) for row in rows)
    note = "Operations: of bytes in one evaluation. A word takes four evaluations for a state."
    return [
        table("Look-up tables of four inputs, and how many follow one another", rows,
              [*head, *operations, *luts, *levels], note=note),
        table("Gates of 180 nm: area and delay", rows, [*head, *mapped]),
        *_followed(rows),
        _saving(rows),
        Figure("Area of the smallest gates", bars(names, series, Scale("um2")), ".svg",
               f"Bars of areas by step, width and form: {told} um2."),
    ]  # fmt: skip

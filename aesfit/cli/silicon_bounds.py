# SPDX-License-Identifier: MIT
"""What `aesfit silicon --bounds` prints: bounds of the cores beside what is measured."""

from ..hardware.bounds import Bounded, designs, of_cycles, of_rows
from ..hardware.families import FAMILIES
from ..hardware.place import SEEDS
from ..hardware.rows import SiliconQuestion, rows
from .common import Align, console, print_json, print_table, print_text, progress_bar
from .records import check_form, print_csv

COLUMNS: tuple[tuple[str, Align], ...] = (
    *(("design", "<"), ("family", "<"), ("quantity", "<"), ("bound", ">")),
    *(("measured", ">"), ("met", "<")),
)


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _cells(one: Bounded) -> list[str]:
    return [
        *(one.design, one.family or "-", one.quantity, f"{one.kind} {_number(one.bound)}"),
        *(_number(one.measured), "yes" if one.met else "no"),
    ]


def _verdict(found: list[Bounded]) -> str:
    missed = [one for one in found if not one.met]
    told = f"{len(found) - len(missed)} of {len(found)} bounds are met"
    which = ", ".join(
        f"{one.design} on {one.family or 'all families'} ({one.quantity}: {_number(one.measured)} "
        f"instead of {one.kind} {_number(one.bound)})"
        for one in missed
    )
    return f"{told}; missed: {which}." if missed else f"{told}."


def show(*, json: bool, csv: bool, fresh: bool) -> None:
    """Measure and print, as a table, JSON or CSV."""
    quiet = check_form(json, csv)
    question = SiliconQuestion(designs(), FAMILIES, SEEDS, fresh)
    with progress_bar("running Yosys and nextpnr", quiet=quiet) as progress:
        placed = rows(question, progress)
    found = [*of_cycles(), *of_rows(placed)]
    if quiet:
        (print_csv if csv else print_json)([one.json() for one in found])
        return
    out = console()
    print_table(out, COLUMNS, [_cells(one) for one in found])
    print_text(out, _verdict(found))
    print_text(
        out,
        "Cycles are simulated and the same everywhere; cells and clocks follow from the versions "
        f"of Yosys and nextpnr, and clocks are the median of {SEEDS} seeds.",
    )

# SPDX-License-Identifier: MIT
"""`aesfit sweep front`: the Pareto-optimal designs of a sweep."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from ..report import front_plot, picture
from ..sweep.front import NULL, Front, column_named, complete, fronts, numeric, telling, where
from ..sweep.table import Arrow, check_available, read
from ..units import count
from .common import (
    Align,
    check_output,
    console,
    names_given,
    print_json,
    print_table,
    print_text,
    write_file,
)
from .declared import Argument, Option
from .options import Csv, Json
from .records import check_form, print_csv

_WIDE = ("flags",)
"""Columns that come last, and are dropped if the table is too wide."""


def _checked(
    table: Arrow, costs: Sequence[str], by: Sequence[str], conditions: Sequence[str]
) -> Arrow:
    """The selected rows; usage errors name the option."""
    hint = "--x, --y, --z"
    try:
        for name in costs:
            numeric(table, name)
        if len(set(costs)) < len(costs):
            raise ValueError("name different columns")
        hint = "--by"
        for name in by:
            column_named(table, name)
        hint = "--where"
        for condition in conditions:
            table = where(table, condition)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None
    return table


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.1f}".removesuffix(".0") if abs(value) >= 100 else f"{value:.4g}"


def _print(found: Sequence[Front], costs: Sequence[str], by: Sequence[str]) -> None:
    """Print one table, with the fronts of groups one after another."""
    rows = [row for one in found for row in one.rows]
    more = sorted(telling(rows, (*costs, *by)), key=_WIDE.__contains__)
    columns: list[tuple[str, Align]] = [(name, "<") for name in by]
    columns += [(name, ">") for name in costs]
    columns += [(name, "<") for name in more]
    names = [name for name, _ in columns]
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    print_table(console(), columns, cells, expendable=[name for name in more if name in _WIDE])


def _sentence(found: Sequence[Front], asked: int, costs: Sequence[str]) -> str:
    """Print how many designs are on the fronts, and how many have no figures."""
    points = sum(one.points for one in found)
    best = sum(len(one.rows) for one in found)
    lacking = f"; {count(asked - points)} more have no figures there" if asked > points else ""
    many = f" {len(found)} fronts of" if len(found) > 1 else ""
    return f"{count(best)} of {count(points)} designs are on{many or ' the front of'} " + (
        f"{', '.join(costs)}{lacking}."
    )


def _json(found: Sequence[Front], asked: int, costs: Sequence[str]) -> dict[str, Any]:
    names = dict(zip("xyz", costs, strict=False))
    groups = [{"by": one.by, "points": one.points, "rows": list(one.rows)} for one in found]
    points = sum(one.points for one in found)
    return {**names, "points": points, "without_figures": asked - points, "fronts": groups}


@dataclass(frozen=True)
class CostOptions:
    """Columns to minimise."""

    x: Annotated[str, Option("--x", metavar="<column>", help="Column to minimise.")]
    y: Annotated[str, Option("--y", metavar="<column>", help="Column to minimise.")]
    z: Annotated[
        str | None, Option("--z", metavar="<column>", help="Third column to minimise. [none]")
    ] = None

    def columns(self) -> list[str]:
        """The names of two or three columns."""
        return [self.x, self.y] if self.z is None else [self.x, self.y, self.z]


_Where = Annotated[
    list[str] | None,
    Option(
        "--where",
        metavar="<condition>",
        help=f"Only rows such as core=ttable1,mobile calls<=64 mode={NULL}; repeatable. [all]",
    ),
]


def command(
    results: Annotated[
        Path, Argument(metavar="RESULTS.parquet", exists=True, help="Table of a sweep.")
    ],
    minimised: CostOptions,
    condition: _Where = None,
    by: Annotated[
        str | None,
        Option(
            metavar="<column,...>",
            help="Draw one front for each value of these columns. [one for all]",
        ),
    ] = None,
    plot: Annotated[
        Path | None, Option(metavar="<file.svg|png>", help="Draw designs and fronts. [none]")
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Compute Pareto fronts over two or three columns of a sweep."""
    check_form(json, csv)
    check_output(plot, "--plot", picture.SUFFIXES)
    check_available()
    costs, groups = minimised.columns(), () if by is None else names_given(by, "--by")
    table = _checked(read(results), costs, groups, condition or [])
    full = complete(table, costs)
    if not full.num_rows:
        raise ValueError(f"no selected design has figures in {', '.join(costs)}")
    found = fronts(full, costs, groups)
    if plot is not None:
        title = f"Pareto front{'s' * (len(found) > 1)} of {results.name}"
        notes = ", ".join(condition or [])
        write_file(plot, front_plot.render(full, found, costs, plot.suffix, title, notes))
    if csv:
        print_csv((row for one in found for row in one.rows), (*groups, *costs))
    elif json:
        print_json(_json(found, table.num_rows, costs))
    else:
        _print(found, costs, groups)
        print_text(console(), _sentence(found, table.num_rows, costs))

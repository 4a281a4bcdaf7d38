# SPDX-License-Identifier: MIT
"""`--json` and `--csv`: what is printed for programs."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

import typer


def check_form(as_json: bool, as_csv: bool) -> bool:
    """Whether either is asked for; a usage error for both at once."""
    if as_json and as_csv:
        raise typer.BadParameter("one form at a time; leave --json out", param_hint="--csv")
    return as_json or as_csv


def print_csv(rows: Iterable[Mapping[str, Any]], columns: Iterable[str] = ()) -> None:
    """Print rows under the names of their keys; what has parts of its own is written as JSON."""
    typer.echo(csv_of(rows, columns), nl=False)


def csv_of(rows: Iterable[Mapping[str, Any]], columns: Iterable[str] = ()) -> str:
    """Rows as CSV: `columns`, then every other key in the order in which they come first."""
    listed = list(rows)
    names = list(dict.fromkeys([*columns, *(name for row in listed for name in row)]))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in listed)
    return text.getvalue()


def _cell(value: object) -> str | int | float | None:
    """As the page of `aesfit serve` writes it: true and false, nothing for None."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return json.dumps(value)

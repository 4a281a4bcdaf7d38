# SPDX-License-Identifier: MIT
"""Results of experiments as CSV: provenance in lines beginning with `#`, then header and rows."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from .contract import Column, Experiment, Measured, Row, Value


def _cell(value: Value) -> str:
    """Format a cell: floats with all meaningful digits; None is empty."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def _value(text: str) -> Value:
    """Parse a cell: truth value, number, text or None."""
    if text in ("", "True", "False"):
        return {"": None, "True": True, "False": False}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def write(columns: Sequence[Column], measured: Measured) -> bytes:
    """The file of an experiment's results."""
    out = io.StringIO()
    for line in measured.provenance:
        out.write(f"# {line}\n")
    writer = csv.writer(out, lineterminator="\n")
    names = [column.name for column in columns]
    writer.writerow(names)
    for row in measured.rows:
        if set(row) != set(names):
            raise ValueError(f"a row has the columns {sorted(row)} and not {sorted(names)}")
        writer.writerow([_cell(row[name]) for name in names])
    return out.getvalue().encode()


def read(path: Path) -> Measured:
    """The rows of a file, and their provenance."""
    return parse(path.read_bytes())


def parse(content: bytes) -> Measured:
    """Rows after writing and reading them back."""
    lines = content.decode("utf-8").splitlines(keepends=True)
    facts = tuple(line[2:].rstrip("\n") for line in lines if line.startswith("# "))
    body = [line for line in lines if not line.startswith("# ")]
    rows = [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(body)]
    return Measured(rows, facts)


def differences(experiment: Experiment, stored: Sequence[Row], now: Sequence[Row]) -> list[str]:
    """Sentences on exact columns in which stored rows differ from new ones; empty if none do."""
    if len(stored) != len(now):
        return [f"{experiment.name}: {len(stored)} rows are stored and {len(now)} were measured"]
    exact = [column.name for column in experiment.columns if column.exact]
    return [
        f"{experiment.name}, row {number}: {name} is stored as {old[name]} and is now {new[name]}"
        for number, (old, new) in enumerate(zip(stored, now, strict=True), 1)
        for name in exact
        if _cell(old[name]) != _cell(_value(_cell(new[name])))
    ]

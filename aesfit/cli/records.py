# SPDX-License-Identifier: MIT
"""`--json` and `--csv`: what is printed for programs."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from ..choosing.asked import json_head

_NO_QUESTION = ("json", "csv", "fresh", "output", "plot", "html", "force", "save", "help")
"""Options that affect how an answer is made or printed, but not the answer."""


def head_of_verb() -> dict[str, Any]:
    """The head of the running verb's answer; its options are the question."""
    context = click.get_current_context(silent=True)
    verbs: list[str] = []
    asked: dict[str, Any] = {}
    if context is None:
        raise RuntimeError("no verb is running")
    while context.parent is not None:
        verbs.insert(0, str(context.info_name))
        for one in context.command.params:
            name = max(one.opts, key=len).lstrip("-").replace("-", "_").lower()
            if name not in _NO_QUESTION:
                asked[name] = _plain(context.params.get(str(one.name)))
        context = context.parent
    return json_head("-".join(verbs).replace(" ", "-"), asked)


def _plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def check_form(as_json: bool, as_csv: bool) -> bool:
    """Whether --json or --csv is given; a usage error for both."""
    if as_json and as_csv:
        raise click.BadParameter("choose one format; leave --json out", param_hint="--csv")
    return as_json or as_csv


def print_csv(rows: Iterable[Mapping[str, Any]], columns: Iterable[str] = ()) -> None:
    """Print rows as CSV; values with parts of their own are written as JSON."""
    click.echo(csv_of(rows, columns), nl=False)


def csv_of(rows: Iterable[Mapping[str, Any]], columns: Iterable[str] = ()) -> str:
    """Rows as CSV: `columns`, then every other key in the order of first appearance."""
    listed = list(rows)
    names = list(dict.fromkeys([*columns, *(name for row in listed for name in row)]))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in listed)
    return text.getvalue()


def _cell(value: object) -> str | int | float | None:
    """Format a value like the page of `aesfit serve`: true or false, empty for None."""
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return json.dumps(value)

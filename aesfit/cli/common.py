# SPDX-License-Identifier: MIT
"""What the verbs share: checked names and printing."""

import json
import sys
from collections.abc import Sequence
from typing import Any, Literal

import typer
from rich.console import Console

from ..catalog import Core
from ..catalog import cores as all_cores
from ..errors import unknown
from ..rigs.host import MODES

_WIDEST = 160
Align = Literal["<", ">"]


def console(*, stderr: bool = False) -> Console:
    """Make a console for now's standard output or error; a pipe or a file is never too narrow."""
    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else _WIDEST)


def print_text(out: Console, text: str, style: str | None = None) -> None:
    """Print a sentence, folded only where a person reads it."""
    out.print(text, style=style, markup=False, soft_wrap=not out.is_terminal)


def print_table(
    out: Console,
    columns: Sequence[tuple[str, Align]],
    rows: Sequence[Sequence[str]],
    expendable: Sequence[str] = (),
) -> None:
    """Print a table in plain lines, without its `expendable` columns as far as it is too wide."""
    kept = list(range(len(columns)))
    widths = [max(len(row[i]) for row in (*rows, [name for name, _ in columns])) for i in kept]
    for name in expendable:
        if sum(widths[i] + 2 for i in kept) - 2 <= out.width:
            break
        kept.remove([heading for heading, _ in columns].index(name))

    def line(cells: Sequence[str]) -> str:
        return "  ".join(f"{cells[i]:{columns[i][1]}{widths[i]}}" for i in kept).rstrip()

    out.print(line([name for name, _ in columns]), style="bold", markup=False, soft_wrap=True)
    for row in rows:
        out.print(line(row), markup=False, soft_wrap=True)


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON."""
    typer.echo(json.dumps(value, indent=2))


def mode_named(mode: str) -> str:
    """Return `mode` when it exists; a usage error names the nearest."""
    if mode not in MODES:
        raise typer.BadParameter(str(unknown("mode", mode, MODES)), param_hint="--mode")
    return mode


def cores_named(names: list[str] | None) -> list[Core]:
    """Return the cores of those names, every available one when there are none."""
    by_name = {core.name: core for core in all_cores()}
    if not names:
        return [core for core in by_name.values() if core.available]
    for name in names:
        if name not in by_name:
            raise typer.BadParameter(str(unknown("core", name, list(by_name))), param_hint="--core")
        if not by_name[name].available:
            raise typer.BadParameter(
                f"core '{name}' needs {by_name[name].needs}, which this processor lacks",
                param_hint="--core",
            )
    return [by_name[name] for name in dict.fromkeys(names)]

# SPDX-License-Identifier: MIT
"""What the verbs share: checked names and printing."""

import json
import sys
from typing import Any

import typer
from rich.console import Console

from ..catalog import Core
from ..catalog import cores as all_cores
from ..errors import unknown
from ..rigs.host import MODES


def console(*, stderr: bool = False) -> Console:
    """Make a console for now's standard output or error; a pipe or a file is never too narrow."""
    piped = not (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, highlight=False, width=160 if piped else None)


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

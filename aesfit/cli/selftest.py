# SPDX-License-Identifier: MIT
"""`aesfit selftest`: known answers of every core."""

import typer

from .. import _native
from ..catalog import cores
from ..errors import SelfTestError


def command() -> None:
    """Run the known answers of every core that this processor can run."""
    try:
        _native.self_test()
    except SelfTestError as error:
        typer.echo(f"aesfit: {error}", err=True)
        raise typer.Exit(1) from None
    run = [core.name for core in cores() if core.available]
    typer.echo(f"{len(run)} cores give the known answers: {' '.join(run)}")
    for core in cores():
        if not core.available:
            typer.echo(f"not run: {core.name}, which needs {core.needs}")

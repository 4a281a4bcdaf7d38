# SPDX-License-Identifier: MIT
"""The command `aesfit`; one verb, one file.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly.  Results go to standard output, progress
and complaints to standard error.
"""

import os
import sys
from typing import Annotated, NoReturn

import typer

from .. import __version__
from . import (
    bench_file,
    cores,
    count,
    decrypt,
    encrypt,
    fit,
    front,
    image,
    measure,
    ops,
    platforms,
    predict,
    selftest,
    serve,
    sweep,
    validate,
)

app = typer.Typer(
    help="Finds, proves and ships the AES implementation that fits a processor.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aesfit {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _verb in (
    *(bench_file, cores, count, decrypt, encrypt, fit, front, measure, ops, platforms),
    *(predict, selftest, serve, sweep, validate),
):
    _epilog = getattr(_verb, "EPILOG", None)
    app.command(_verb.__name__.rpartition(".")[2].replace("_", "-"), epilog=_epilog)(_verb.command)
app.add_typer(image.app, name="image")


def main() -> None:
    """Run the command line; what fails says so in one sentence."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror}" if error.strerror else str(error))
    except (RuntimeError, ValueError) as error:
        _fail(str(error))


def _fail(sentence: str) -> NoReturn:
    typer.echo(f"aesfit: {sentence}", err=True)
    sys.exit(1)

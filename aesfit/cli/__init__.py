# SPDX-License-Identifier: MIT
"""The command `aesfit`; one verb, one file.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly.  Results go to standard output, progress
and complaints to standard error.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from .._native import version as __version__
from ..errors import shortened
from .examples import EXAMPLES
from .grouped import write_verbs
from .verbs import LazyGroup, VerbPackage, group_named

VERBS = VerbPackage(
    __name__,
    Path(__file__).parent,
    {
        "Choose": ("fit", "atlas", "measure", "count", "cores", "platforms", "serve"),
        "Ship": ("emit", "prove", "leak", "selftest"),
        "Caches and designs": ("predict", "validate", "sweep", "front", "silicon", "wlan"),
        "Files and pictures": ("encrypt", "decrypt", "image"),
        "Set-up": ("board", "store"),
    },
    EXAMPLES,
)
_ENTRY_POINTS = "aesfit.verbs"
"""The group of entry points by which packages beside this one bring verbs."""
_PAPERS = "papers"
_ABOUT_PAPERS = "Measure tables, figures and claims of five papers again."
_NO_PAPERS = (
    "the papers are a package of their own; install it from a copy of aesfit's source with: "
    "pip install ./papers"
)
_MOVED = {
    "bench-file": "papers files",
    "experiment": "papers run",
    "ops": "papers operations",
    "report": "papers report",
}
"""Verbs that have another name now."""
_UsageError: Any = typer.BadParameter.__base__
"""The class of usage errors, which typer does not export."""


class _Verbs(LazyGroup):
    """The verbs of this package, and those of the package of the papers if it is installed."""

    package = VERBS

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - whatever typer passes
        super().__init__(**attributes)
        self.commands[_PAPERS] = None  # type: ignore[assignment] # for suggestions

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own kinds
        """The list of verbs in --help."""
        super().format_commands(ctx, formatter)
        write_verbs(formatter, "Papers", [(_PAPERS, _ABOUT_PAPERS)])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """The verb of that name, or None."""
        return papers() if cmd_name == _PAPERS else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """The verb that the arguments name; what is not there says how to get it."""
        if not ctx.resilient_parsing:
            if args[0] in _MOVED:
                told = f"No such command '{args[0]}'. Did you mean '{_MOVED[args[0]]}'?"
                raise _UsageError(told, ctx)
            if args[0] == _PAPERS and papers() is None:
                _fail(_NO_PAPERS, 2)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run a verb; shorten its usage errors, which may repeat long arguments."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            error.message = shortened(error.message)
            raise


def papers() -> Any:  # noqa: ANN401 - typer's own kind of command
    """The verbs about the papers; None if their package is not installed."""
    from importlib.metadata import entry_points  # start-up time

    for one in entry_points(group=_ENTRY_POINTS, name=_PAPERS):
        return group_named(_PAPERS, one.load())
    return None


app = typer.Typer(
    cls=_Verbs,
    help="Finds, proves and ships the AES implementation that fits a processor.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
    trusted: Annotated[
        list[Path] | None,
        typer.Option(
            "--trust",
            metavar="<file>",
            help="Allow the compilers and flags that this platform or sweep file names.",
        ),
    ] = None,
) -> None:
    for path in trusted or ():
        if not path.is_file():
            raise typer.BadParameter(f"{path} is no file", param_hint="--trust")
    if trusted:
        from ..platforms.trust import trust  # start-up time

        trust(trusted)


def main() -> None:
    """Run the command line; what fails says so in one sentence."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except FileNotFoundError as error:
        _fail(f"there is no file '{error.filename}'", 2 if _was_named(error.filename) else 1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror}" if error.strerror else str(error))
    except (RuntimeError, ValueError) as error:
        _fail(str(error))


def _was_named(path: object) -> bool:
    """Whether the user named this file, as an argument or in an option's value."""
    return any(word == str(path) or word.endswith(f"={path}") for word in sys.argv[1:])


def _fail(sentence: str, code: int = 1) -> NoReturn:
    typer.echo(f"aesfit: {shortened(sentence)}", err=True)
    sys.exit(code)

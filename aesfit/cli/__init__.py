# SPDX-License-Identifier: MIT
"""The command `aesfit`; one verb, one file.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly.  Results go to standard output, progress
and complaints to standard error.
"""

import os
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_group

from .._native import version as __version__
from ..errors import shortened
from .examples import with_examples
from .grouped import GroupedCommand, UncutGroup, write_verbs
from .plain import read_plainly

_GROUPS = {
    "Choose": ("fit", "atlas", "measure", "count", "cores", "platforms", "serve"),
    "Ship": ("emit", "prove", "leak", "selftest"),
    "Caches and designs": ("predict", "validate", "sweep", "front", "silicon", "wlan"),
    "Files and pictures": ("encrypt", "decrypt", "image", "bench-file"),
    "Papers": ("experiment", "report", "ops"),
    "Set-up": ("board", "store"),
}
"""Names of modules here, with hyphens: each has a function command(), or an app of its own."""
_VERBS = tuple(verb for verbs in _GROUPS.values() for verb in verbs)

_SUMMARY = re.compile(
    r'^(?:def command\(.*?\) -> None:\n    """|app = typer\.Typer\(\n    help=")(.+?)["\n]',
    re.MULTILINE | re.DOTALL,
)


_UsageError: Any = typer.BadParameter.__base__
"""The class of usage errors, which typer does not export."""


class _Verbs(TyperGroup):
    """Imports each verb only when it is called, so that none waits for the others' imports."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - whatever typer passes
        super().__init__(**attributes)
        self.commands = dict.fromkeys(_VERBS)  # type: ignore[assignment] # for suggestions

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - typer's own kind of context
        """The options before the verb."""
        return read_plainly(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """The names, as --help prints them."""
        return list(_VERBS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """The list of verbs in --help, made without importing them."""
        for heading, verbs in _GROUPS.items():
            write_verbs(formatter, heading, [(verb, summary(verb)) for verb in verbs])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """The verb of that name, or None."""
        return _verb(cmd_name) if cmd_name in _VERBS else None

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run a verb; shorten its usage errors, which may repeat long arguments."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            error.message = shortened(error.message)
            raise


def summary(name: str) -> str:
    """First line of a verb's help, read from its source: importing all verbs takes too long."""
    source = Path(__file__).with_name(f"{name.replace('-', '_')}.py").read_text(encoding="utf-8")
    found = _SUMMARY.search(source)
    assert found is not None, f"{name} has no summary"  # noqa: S101 - the tests look at every verb
    return found[1]


@cache  # programs that ask several times, such as the tests
def _verb(name: str) -> Any:  # noqa: ANN401 - typer's own kind of command
    module = import_module(f".{name.replace('-', '_')}", __name__)
    alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    alone.callback()(_nothing)  # makes it a group
    if hasattr(module, "app"):
        alone.add_typer(module.app, name=name, cls=UncutGroup)
    else:
        epilog = getattr(module, "EPILOG", None)
        alone.command(name, cls=GroupedCommand, epilog=epilog)(module.command)
    verb = get_group(alone).commands[name]
    verb.epilog = with_examples(name, verb.epilog)
    return verb


def _nothing() -> None:
    pass


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

# SPDX-License-Identifier: MIT
"""The command `aesfit`; one verb, one file.

Exit codes: 0 done, 1 it failed, 2 it was called wrongly.  Results go to standard output, progress
and complaints to standard error.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click

from .._native import version as __version__
from ..errors import shortened
from . import completion
from .examples import EXAMPLES
from .verbs import LazyGroup, VerbPackage

_HEADINGS = {
    "Choose": {
        "fit": "Measure the cores that a processor can run, and recommend one.",
        "atlas": "List the figures that were measured in advance, from which `fit` answers "
        "at once.",
        "measure": "Measure cores on platforms: cycles, instructions, flash, RAM, stack.",
        "count": "Count cycles, instructions, loads, stores and stack of your own function.",
        "cores": "List the built-in AES cores, with the sizes of their tables and keys.",
        "platforms": "List the platforms, with the evidence and error of their cycles.",
        "serve": "Serve a web page with sliders that shows which core fits.",
    },
    "Ship": {
        "emit": "Write one .c and one .h with only the chosen core, modes and key sizes.",
        "prove": "Prove that machine code equals FIPS 197 and is independent of secrets, for "
        "all data.",
        "leak": "Attack a core through its cache misses, and count the timings that reveal "
        "the key.",
    },
    "Caches and designs": {
        "predict": "Predict the time of bursts of calls on a processor with caches, and their "
        "best core.",
        "sweep": "Evaluate thousands of designs; a stopped sweep continues where it was.",
        "silicon": "Synthesise the Verilog cores, place and route them, and compare them.",
        "wlan": "Show which platforms keep up with a wireless network, at which clock and energy.",
    },
    "Files and pictures": {
        "encrypt": "Encrypt files under a passphrase.",
        "decrypt": "Decrypt files that aesfit encrypt made.",
        "image": "Encrypt the pixels of pictures, and show what remains visible.",
    },
    "Set-up": {
        "board": "Measure on your own boards through OpenOCD, probe-rs, pyOCD, J-Link or QEMU.",
        "store": "Show what is kept between runs; --prune removes old entries, --clear all "
        "of them.",
    },
}
"""The first line of each verb's help stands here too, so that a list of them imports none."""
_SECONDS = {
    "cores selftest": "Check every core that this processor can run against known answers.",
    "leak power": "Trace a core or function in a model of power, and test or attack the traces.",
    "predict infer": "Infer cache size, line, ways and miss penalty of a machine from the times of "
    "bursts.",
    "predict validate": "Compare the cache model with simulations of keys and texts not used to "
    "fit it.",
    "sweep front": "Compute Pareto fronts over two or three columns of a sweep.",
}
VERBS = VerbPackage(__name__, _HEADINGS, EXAMPLES, _SECONDS)
_FIRST = ("fit", "emit", "prove", "board", "serve")
"""Verbs that most people need."""
_REST = "All verbs: aesfit --help.  A verb's options: aesfit fit --help."
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
    "front": "sweep front",
    "ops": "papers operations",
    "report": "papers report",
    "selftest": "cores selftest",
    "validate": "predict validate",
}
"""Verbs that have another name now."""


class _Verbs(LazyGroup):
    """The verbs of this package, and those of the package of the papers if it is installed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words after the options; without any, the verbs that most people need are shown."""
        if not args and not ctx.resilient_parsing:
            click.echo(self._first_verbs(ctx.make_formatter()), nl=False)
            ctx.exit(0)
        return super().parse_args(ctx, args)

    def _first_verbs(self, formatter: click.HelpFormatter) -> str:
        told = {verb: what for verbs in _HEADINGS.values() for verb, what in verbs.items()}
        formatter.write_text(str(self.help))
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, told[verb]) for verb in _FIRST])
        formatter.write_paragraph()
        formatter.write_text(_REST)
        return formatter.getvalue()

    def sections(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Headings, each with names of verbs and what they do."""
        yield from super().sections()
        yield "Papers", [(_PAPERS, _ABOUT_PAPERS)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as --help prints them."""
        return [*super().list_commands(ctx), _PAPERS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name, or None."""
        return papers() if cmd_name == _PAPERS else super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the arguments name; what is not there says how to get it."""
        if not ctx.resilient_parsing:
            if args[0] in _MOVED:
                told = f"No such command '{args[0]}'. Did you mean '{_MOVED[args[0]]}'?"
                raise click.UsageError(told, ctx)
            if args[0] == _PAPERS and papers() is None:
                _fail(_NO_PAPERS, 2)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the verb returns
        """Run a verb; shorten its usage errors, which may repeat long arguments."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise click.UsageError(shortened(error.format_message()), error.ctx) from None


def papers() -> click.Command | None:
    """The verbs about the papers; None if their package is not installed."""
    from importlib.metadata import entry_points  # start-up time

    for one in entry_points(group=_ENTRY_POINTS, name=_PAPERS):
        found: click.Command = one.load()
        return found
    return None


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"aesfit {__version__}")
        context.exit()


def _trust(_: click.Context, __: click.Parameter, paths: tuple[Path, ...]) -> None:
    for path in paths:
        if not path.is_file():
            raise click.BadParameter(f"{path} is no file", param_hint="--trust")
    if paths:
        from ..platforms.trust import trust  # start-up time

        trust(paths)


app = _Verbs(
    "aesfit", "Finds, proves and ships the AES implementation that fits a processor.", VERBS
)
app.context_settings = {"help_option_names": ["-h", "--help"]}
app.params += [
    click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_version,
        help="Print the version.",
    ),
    click.Option(
        ["--trust"],
        type=click.Path(path_type=Path),
        multiple=True,
        expose_value=False,
        callback=_trust,
        metavar="<file>",
        help="Allow the compilers and flags that this platform or sweep file names.",
    ),
    *completion.options(),
]


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
    click.echo(f"aesfit: {shortened(sentence)}", err=True)
    sys.exit(code)

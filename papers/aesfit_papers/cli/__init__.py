# SPDX-License-Identifier: MIT
"""`aesfit papers`; one verb, one file.  The entry point `aesfit.verbs` names `app`."""

from pathlib import Path

import typer

from aesfit.cli.verbs import LazyGroup, VerbPackage

EXAMPLES: dict[str, tuple[str, ...]] = {
    "check": ("aesfit papers check transposed_table_2", "aesfit papers check all"),
    "files": (
        "aesfit papers files --platform arm9tdmi",
        "aesfit papers files --platform x86-64 --core aesni --sizes 1K,1M --json",
    ),
    "flips": ("aesfit papers flips",),
    "list": ("aesfit papers list",),
    "operations": ("aesfit papers operations --core bytewise --platform arm7tdmi",),
    "report": ("aesfit papers report -o report", "aesfit papers report -o report --measure"),
    "run": ("aesfit papers run transposed_table_2", "aesfit papers run all --host"),
}
VERBS = VerbPackage(
    __name__,
    Path(__file__).parent,
    {
        "Experiments": ("list", "run", "check", "flips", "report"),
        "Measurements of the papers": ("files", "operations"),
    },
    EXAMPLES,
)


class PapersVerbs(LazyGroup):
    """The verbs about the papers."""

    package = VERBS


app = typer.Typer(
    cls=PapersVerbs,
    help="Measure tables, figures and claims of five papers again.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

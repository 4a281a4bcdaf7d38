# SPDX-License-Identifier: MIT
"""Completion for shells: prints the script of the user's shell, or puts it where that looks."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_AESFIT_COMPLETE"
_PLACES = {
    "bash": ".local/share/bash-completion/completions/aesfit",
    "fish": ".config/fish/completions/aesfit.fish",
    "zsh": ".zfunc/_aesfit",
}
"""Files in the home folder; Zsh looks there if ~/.zfunc is in its fpath."""


def options() -> list[click.Option]:
    """The two options before the verb."""
    told = {
        "--install-completion": (_install, "Install completion for the current shell."),
        "--show-completion": (
            _show,
            "Show completion for the current shell, to copy it or customize the installation.",
        ),
    }
    return [
        click.Option(
            [name], is_flag=True, is_eager=True, expose_value=False, callback=act, help=text
        )
        for name, (act, text) in told.items()
    ]


def _script(context: click.Context) -> tuple[str, str]:
    """The current shell and its script."""
    shell = Path(os.environ.get("SHELL", "")).name
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(
            f"there is completion for {', '.join(_PLACES)}, and SHELL names none of them", context
        )
    return shell, found(context.command, {}, "aesfit", _VARIABLE).source()


def _show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(_script(context)[1])
        context.exit()


def _install(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        shell, script = _script(context)
        path = Path.home() / _PLACES[shell]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{script}\n", encoding="utf-8")
        click.echo(f"{path} written; a new {shell} completes aesfit")
        context.exit()

# SPDX-License-Identifier: MIT
"""Lines on standard output or error, as wide as the terminal, with styles where it shows them."""

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console as BarConsole

_USUAL_WIDTH = 80
"""Columns where there is neither COLUMNS nor a terminal, as in a pipe."""
_ATTRIBUTES = ("bold", "dim")


class Console:
    """A stream to which text is printed."""

    def __init__(self, file: TextIO, width: int | None = None) -> None:
        """`width`: columns; by default COLUMNS, or the terminal's."""
        self.file, self.width = file, width or _width()
        self.is_terminal = file.isatty()

    def print(self, text: str = "", style: str | None = None) -> None:
        """Print text and an end of line; `style`: "bold", "dim" and a colour, with spaces."""
        words = (style or "").split() if self.is_terminal and "NO_COLOR" not in os.environ else ()
        colour = next((word for word in words if word not in _ATTRIBUTES), None)
        if words:
            bold, dim = ("bold" in words or None, "dim" in words or None)
            text = click.style(text, fg=colour, bold=bold, dim=dim)
        click.echo(text, file=self.file)


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns):
        return int(columns)
    for stream in (0, 1, 2):
        try:
            return os.get_terminal_size(stream).columns or _USUAL_WIDTH
        except OSError:
            continue
    return _USUAL_WIDTH


def console(*, stderr: bool = False) -> Console:
    """Make a console for the present standard output or error."""
    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    return Console(stream)


def bar_console() -> "BarConsole":
    """Standard error for bars of progress, which Rich draws."""
    from rich.console import Console as BarConsole  # start-up time

    return BarConsole(stderr=True, highlight=False)

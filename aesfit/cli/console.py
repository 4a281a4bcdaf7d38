# SPDX-License-Identifier: MIT
"""Consoles for standard output and error; separate from common.py because it imports little."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = False) -> "Console":
    """Make a console for the present standard output or error, as wide as COLUMNS or the terminal.

    It has 80 columns if there is neither, as in a pipe.
    """
    from rich.console import Console  # start-up time

    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    return Console(stderr=stderr, highlight=False)

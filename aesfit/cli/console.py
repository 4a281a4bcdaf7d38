# SPDX-License-Identifier: MIT
"""Standard output and error for people; apart from common.py because it imports little."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = False) -> "Console":
    """Make a console for now's standard output or error, as wide as COLUMNS or the terminal.

    80 columns where there is neither, as in a pipe.
    """
    from rich.console import Console  # start-up time

    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    return Console(stderr=stderr, highlight=False)

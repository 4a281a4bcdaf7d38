# SPDX-License-Identifier: MIT
"""Standard output and error for people; apart from common.py because it imports little."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_WIDEST = 160


def console(*, stderr: bool = False) -> "Console":
    """Make a console for now's standard output or error; a pipe or a file is never too narrow."""
    from rich.console import Console  # start-up time

    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else _WIDEST)

# SPDX-License-Identifier: MIT
"""Whether anything is there of what is named; apart from common.py because it imports little."""

import os
from collections.abc import Sequence
from pathlib import Path

import typer


def check_there(inputs: Sequence[str | Path]) -> None:
    """A usage error where nothing that is named is there; of several, those that are get done.

    "-" is standard input, and what an empty name means is for others to say.
    """
    if inputs and not any(str(one) in ("", "-") or os.path.lexists(one) for one in inputs):
        more = f", nor are the other {len(inputs) - 1}" if len(inputs) > 1 else ""
        raise typer.BadParameter(f"{inputs[0]} is not there{more}")

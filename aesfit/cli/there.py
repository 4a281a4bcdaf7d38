# SPDX-License-Identifier: MIT
"""Checks that named inputs exist; separate from common.py because it imports little."""

import os
from collections.abc import Sequence
from pathlib import Path

import click


def check_there(inputs: Sequence[str | Path]) -> None:
    """Raise a usage error if no named input exists; if only some are missing, the others are done.

    "-" is standard input; empty names are refused elsewhere.
    """
    if inputs and not any(str(one) in ("", "-") or os.path.lexists(one) for one in inputs):
        more = f", nor are the other {len(inputs) - 1}" if len(inputs) > 1 else ""
        raise click.BadParameter(f"{inputs[0]} is not there{more}")

# SPDX-License-Identifier: MIT
"""`aesfit store`: shows and prunes what is kept between runs."""

from dataclasses import asdict
from typing import Annotated

import click

from ..store import upkeep
from .common import Align, console, print_json, print_table, print_text
from .declared import Option
from .options import Json

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("kind", "<"),
    ("entries", ">"),
    ("bytes", ">"),
    ("what it is", "<"),
)

Prune = Annotated[
    int | None,
    Option(
        "--prune",
        metavar="<days>",
        min=1,
        help="Remove entries unused for this many days. [nothing]",
    ),
]
Clear = Annotated[bool, Option("--clear", help="Remove everything.")]


def command(prune: Prune = None, clear: Clear = False, as_json: Json = False) -> None:
    """Show what is kept between runs; --prune removes old entries, --clear all of them."""
    if clear and prune is not None:
        raise click.BadParameter("--clear removes all; leave --prune out", param_hint="--clear")
    removed = upkeep.clear() if clear else None if prune is None else upkeep.prune(prune)
    held = upkeep.held()
    if as_json:
        print_json({**held.as_json(), "removed": removed and asdict(removed)})
        return
    out = console()
    if removed:
        print_text(out, f"removed {removed.entries} entries, {removed.bytes} bytes")
        if removed.others_at_work:
            print_text(
                out,
                "another process uses the store, so files used within the last day "
                "are kept; run the command again when it has ended",
            )
    print_text(out, f"{held.bytes} bytes in {held.folder}")
    rows = [(one.kind, str(one.entries), str(one.bytes), one.what) for one in held.kinds]
    if rows:
        print_table(out, COLUMNS, rows, ("what it is",))

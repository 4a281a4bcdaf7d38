# SPDX-License-Identifier: MIT
"""`aesfit count --compare`: the same call in other files, beside the first."""

from typing import TYPE_CHECKING, Any

import click

from .common import Align, console, print_table, print_text

if TYPE_CHECKING:
    from ..counting.count import Count

_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("", "<"),
    ("before", ">"),
    ("now", ">"),
    ("change", ">"),
)
_FIGURES = ("cycles", "instructions", "loads", "stores", "stack_bytes")


def changes(before: "Count", now: "Count") -> dict[str, float | None]:
    """Changes in per cent; None of a figure that was 0 or that is not known."""
    found = {}
    for name in _FIGURES:
        old, new = getattr(before, name), getattr(now, name)
        found[name] = round(100 * (new / old - 1), 2) if old and new is not None else None
    return found


def compared_json(before: "Count", now: "Count") -> dict[str, Any]:
    """What --json prints beside the figures of now."""
    same = (before.result, before.outputs) == (now.result, now.outputs)
    return {"before": before.as_json(), "change_percent": changes(before, now), "same": same}


def print_compared(before: "Count", now: "Count") -> None:
    """A table, and a line that a log can be searched for."""
    out, rows = console(), []
    for name, change in changes(before, now).items():
        old, new = getattr(before, name), getattr(now, name)
        if old is not None and new is not None:
            told = "" if change is None else f"{change:+.1f} %"
            rows.append((name.replace("_", " "), f"{old:,}", f"{new:,}", told))
    print_table(out, _COLUMNS, rows)
    told = ", ".join(f"{name} {old} -> {new}" for name, old, new, _ in (rows[0], rows[-1]))
    print_text(out, f"compared: {told}")


def check_alike(before: "Count", now: "Count") -> None:
    """Exit with 1 where the two calls give other results: then their cycles say nothing."""
    if compared_json(before, now)["same"]:
        return
    click.echo("aesfit: the results differ, so the two did not do the same work", err=True)
    raise click.exceptions.Exit(1)

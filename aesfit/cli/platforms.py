# SPDX-License-Identifier: MIT
"""`aesfit platforms`: list processors and chips, and what their cycles were checked against."""

from typing import Any

from ..measuring.board_check import told_of
from ..platforms.find import platforms, twins
from ..platforms.platform import Platform
from ..rigs import why_not
from ..rigs.emulator.trust import trust
from .common import Align, console, print_json, print_table, print_text
from .options import Csv, Json
from .records import check_form, print_csv

COLUMNS: tuple[tuple[str, Align], ...] = (
    ("platform", "<"),
    ("kind", "<"),
    ("processor", "<"),
    ("clock", ">"),
    ("available", "<"),
    ("rig", "<"),
    ("timing", "<"),
    ("largest error seen", "<"),
    ("checked against", "<"),
    ("what it is", "<"),
)
EXPENDABLE = ("what it is", "timing", "rig", "available", "largest error seen")
"""Columns that are dropped on a narrow terminal, in this order."""


def as_json(platform: Platform) -> dict[str, Any]:
    """Plain values with the stable keys."""
    rests_on = trust(platform)
    reason = why_not(platform)
    chip = platform.chip
    return {
        "name": platform.name,
        "title": platform.title,
        "kind": platform.kind,
        "processor": chip.processor if chip else None,
        "clock_mhz": platform.clock.value if platform.clock else None,
        "parts": [part.name for part in chip.parts] if chip else [],
        "counter": chip.counter if chip else None,
        "unconfirmed": list(chip.unconfirmed) if chip else [],
        "isa": platform.isa,
        "rig": platform.rig,
        "timing": platform.timing,
        "checked_against": rests_on.checked_against,
        "max_error": rests_on.max_error,
        "boards": told_of([platform.name]),
        "available": reason is None,
        "why_not": reason,
    }


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    return (
        entry["name"],
        entry["kind"],
        entry["processor"] or "-",
        "-" if entry["clock_mhz"] is None else f"{entry['clock_mhz']:g} MHz",
        "yes" if entry["available"] else "no",
        entry["rig"],
        entry["timing"] or "-",
        entry["max_error"] or "-",
        entry["checked_against"],
        entry["title"],
    )


def command(
    as_json_: Json = False,
    csv: Csv = False,
) -> None:
    """List the platforms, with the evidence and error of their cycles."""
    entries = [as_json(platform) for platform in (*platforms(), *twins())]
    if check_form(as_json_, csv):
        (print_csv if csv else print_json)(entries)
        return
    out = console()
    print_table(out, COLUMNS, [_row(one) for one in entries], EXPENDABLE)
    for told in told_of(entry["name"] for entry in entries):
        print_text(out, told)
    for reason in dict.fromkeys(entry["why_not"] for entry in entries):
        if reason:
            names = ", ".join(one["name"] for one in entries if one["why_not"] == reason)
            print_text(out, f"{names}: {reason}")

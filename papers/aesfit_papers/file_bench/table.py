# SPDX-License-Identifier: MIT
"""Tables of `aesfit papers files`: formatted cells, one or two columns per level."""

from collections.abc import Sequence
from dataclasses import dataclass

from aesfit.units import count, seconds

from .question import FileOutcome, FileRow, OpRow
from .ratios import Ratio

_OPS = {"key-setup-encrypt": "key set-up", "encrypt-block": "block"}
_NOTHING = "-"


@dataclass(frozen=True)
class FileTable:
    """Headings and rows of cells; the first `words` columns hold text."""

    headings: tuple[str, ...]
    words: int
    rows: tuple[tuple[str, ...], ...]


def size_told(size: int) -> str:
    """Format a size as --sizes takes it: 16, 1K, 8M."""
    for factor, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if size % factor == 0:
            return f"{size // factor}{letter}"
    return str(size)


def _levels(levels: Sequence[str], split: bool) -> list[str]:
    """Headings; minimum and average of each level if runs differ."""
    return [f"{level}{what}" for level in levels for what in ((" min", " avg") if split else ("",))]


def _value(row: FileRow | OpRow | None, value: float) -> str:
    if row is not None and row.unit == "ns":
        return seconds(value * 1e-9)
    extrapolated = isinstance(row, FileRow) and row.extrapolated
    return f"{'~' if extrapolated else ''}{count(value)}"


def figures(platform: str, found: FileOutcome, levels: Sequence[str]) -> FileTable:
    """The table of one platform: the core alone, then CBC by size."""
    lines: dict[tuple[str, str, str], dict[str, FileRow | OpRow]] = {}
    for op in sorted(found.ops, key=lambda row: row.op, reverse=True):
        if op.platform == platform:
            lines.setdefault((_OPS[op.op], op.core, _NOTHING), {})[op.flags] = op
    for row in sorted(found.rows, key=lambda row: (row.bytes, row.reading or "")):
        if row.platform == platform:
            key = (size_told(row.bytes), row.core, row.reading or _NOTHING)
            lines.setdefault(key, {})[row.flags] = row
    split = any(row.unit == "ns" for line in lines.values() for row in line.values())
    return FileTable(
        ("bytes", "core", "reading", *_levels(levels, split)),
        3,
        tuple((*key, *_cells(line, levels, split)) for key, line in lines.items()),
    )


def _cells(line: dict[str, FileRow | OpRow], levels: Sequence[str], split: bool) -> list[str]:
    cells = []
    for level in levels:
        row = line.get(level)
        values = [] if row is None else [row.min, row.avg]
        told = [_value(row, value) for value in values] or [_NOTHING, _NOTHING]
        cells += told if split else told[:1]
    return cells


def ratio_table(platform: str, every: Sequence[Ratio], levels: Sequence[str]) -> FileTable:
    """The table of V1 over the final implementation on one platform, with published ratios."""
    lines: dict[tuple[str, str], dict[str, Ratio]] = {}
    for one in sorted(every, key=lambda one: (one.bytes or 0, one.reading or "")):
        if one.platform == platform:
            what = _OPS[one.op] if one.bytes is None else size_told(one.bytes)
            lines.setdefault((what, one.reading or _NOTHING), {})[one.flags] = one
    split = any(reading != _NOTHING for _, reading in lines)
    rows = []
    for key, line in lines.items():
        cells = []
        for level in levels:
            ratio = line.get(level)
            told = [_NOTHING] * 2 if ratio is None else [f"{ratio.min:.2f}", f"{ratio.avg:.2f}"]
            cells += told if split else told[:1]
        theirs = next(iter(line.values())).published
        paper = [_NOTHING] * 2 if theirs is None else [f"{theirs.min:.2f}", f"{theirs.avg:.2f}"]
        rows.append((*key, *cells, *paper))
    return FileTable(
        ("bytes", "reading", *_levels(levels, split), "paper min", "paper avg"), 2, tuple(rows)
    )

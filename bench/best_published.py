# SPDX-License-Identifier: MIT
"""The best figures that others published, by processor and work, and our fastest core for each.

Works are key set-up for encryption, one block or several, and CTR, for each size of key.  Routines
without tables, which are constant-time, are compared with our constant-time cores, all others with
any core that expands its keys beforehand, as theirs do.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import aesfit
from aesfit.catalog import cores

SILICON = Path(__file__).parent.parent / "tests" / "evidence" / "published.toml"
BLOCK = 16
_MESSAGE = 4096
"""Bytes of our message in CTR, with key set-up and checks: those of others have as many."""
_NEEDED = {"key_bits", "cycles"}
"""Of a routine that is AES and was measured without wait states."""
_OPS = {
    "key": "key-setup-encrypt",
    "encrypt": "encrypt-block",
    "decrypt": "decrypt-block",
}


@dataclass(frozen=True)
class Published:
    """A figure of others."""

    value: float
    by: str
    rule: str
    """How it was measured."""


@dataclass(frozen=True)
class BestPublished:
    """The best published figure for a work on a processor."""

    platform: str
    key_bits: int
    what: str
    """Of _OPS, or ctr."""
    constant_time: bool
    """Without tables."""
    tables: str | None
    """The memory that the tables lie in, where that makes a difference."""
    published: Published

    @property
    def unit(self) -> str:
        """Cycles of one block or key set-up, or cycles per byte."""
        return "c/B" if self.constant_time or self.what == "ctr" else "cycles"

    @property
    def work(self) -> tuple[str, int, str, bool]:
        """What it is the best of."""
        return self.platform, self.key_bits, self.what, self.constant_time


@cache
def sets() -> tuple[Mapping[str, Any], ...]:
    """The published tables."""
    return tuple(tomllib.loads(SILICON.read_text(encoding="utf-8"))["set"])


def best() -> list[BestPublished]:
    """The best figure for each work, processor by processor."""
    found: dict[tuple[str, int, str, bool], BestPublished] = {}
    for one in (each for table in sets() for each in _of(table)):
        other = found.get(one.work)
        if other is None or one.published.value < other.published.value:
            found[one.work] = one
    return sorted(found.values(), key=lambda one: one.platform)


def _of(table: Mapping[str, Any]) -> Iterator[BestPublished]:
    """What a table has of these works."""
    tables, routines = table["tables"], table["routines"]
    sized = [(one["key_bits"], one["does"], one) for one in routines if one.keys() >= _NEEDED]
    for bits, does, routine in sized:
        value = routine["cycles"]
        if does == "ctr":
            value *= routine["units"] / _MESSAGE
        elif does not in _OPS:
            continue
        rule = f"on silicon: {table['chip']}, no wait states"
        published = Published(round(value, 1), table["source"], rule)
        where = "ram" if tables == "ram" else None
        yield BestPublished(table["platform"], bits, does, tables == "none", where, published)


def fastest(one: BestPublished) -> tuple[str, float]:
    """Our fastest core for that work, and its figure in the same unit."""
    message = {"mode": "ctr", "payload_bytes": _MESSAGE, "ops": "encrypt"}
    asked = message if one.what == "ctr" else {"ops": _OPS[one.what]}
    answer = aesfit.measure(one.platform, key_bits=one.key_bits, tables=one.tables, **asked)
    known = {core.name: core for core in cores() if not core.on_the_fly_keys}
    rows = [
        row
        for row in answer.measured
        if row.core in known and (known[row.core].constant_time or not one.constant_time)
    ]
    if not rows:
        sys.exit(f"best_published: nothing was measured of {' '.join(map(str, one.work))}")
    if one.unit == "c/B":
        per_byte = {row.core: row.cycles_per_byte or 0.0 for row in rows}
    else:
        blocks = {row.core: max(row.bytes // BLOCK, 1) for row in rows}
        per_byte = {row.core: row.cycles / blocks[row.core] for row in rows}
    core = min(per_byte, key=per_byte.__getitem__)
    return core, round(per_byte[core], 1)

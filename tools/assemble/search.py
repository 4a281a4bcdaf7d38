# SPDX-License-Identifier: MIT
"""The search for schedules, and the file that keeps them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from .allocate import cycles, pressure, read
from .order import Belady, Search, anneal_spills
from .program import Program
from .refine import Refinement
from .targets import armv7m as target

ORDERS: Final = Path(__file__).parent / "orders"
COLUMNS: Final = 92


SPILLS: Final = Search(seed=1, steps=100_000, hot=2.0, cold=0.15)
"""Of the first annealing, which counts spills."""
CYCLES: Final = Search(seed=1, steps=900_000, hot=2.5, cold=0.15)
"""Of the second, which counts cycles."""


def search(program: Program, seed: int) -> list[str]:
    """A schedule: first few spills, then few cycles."""
    belady = Belady(program, len(target.REGISTERS))
    start = list(range(len(program.operations)))
    order = anneal_spills(belady, start, replace(SPILLS, seed=seed))
    return Refinement(program, belady.schedule(order), replace(CYCLES, seed=seed)).run()


def checked(program: Program, schedule: Sequence[str]) -> int:
    """Cycles of a schedule; refused where it needs more registers than there are."""
    listing = read(program, schedule)
    if pressure(listing) > len(target.REGISTERS):
        raise ValueError("the schedule needs more registers than the processor has")
    return cycles(listing)


@dataclass(frozen=True)
class Found:
    """A schedule, and the seed that search() found it with."""

    seed: int
    schedule: tuple[str, ...]


def load(path: Path) -> dict[str, Found]:
    """Schedules by the names of their programs."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Found(one["seed"], tuple(", ".join(one["schedule"]).split(", ")))
        for name, one in stored.items()
    }


def save(path: Path, schedules: Mapping[str, Found]) -> None:
    """Writes what load() reads."""
    lines = {
        name: {"seed": one.seed, "schedule": _wrapped(one.schedule)}
        for name, one in sorted(schedules.items())
    }
    path.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


def _wrapped(schedule: Sequence[str]) -> list[str]:
    whole = ", ".join(name.replace(" ", "~") for name in schedule)
    lines = textwrap.wrap(whole, COLUMNS, break_on_hyphens=False)
    return [line.replace("~", " ").rstrip(",") for line in lines]

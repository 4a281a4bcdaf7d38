# SPDX-License-Identifier: MIT
"""What `aesfit silicon` makes of cells, clocks and cycles, without the tools."""

import os
from dataclasses import replace

import pytest
from silicon_rows import KEYS, row

from aesfit.building.tools import ToolFailedError
from aesfit.cli.silicon import _cycles_from
from aesfit.hardware import pool
from aesfit.hardware.families import ECP5
from aesfit.hardware.place import Placed, together
from aesfit.hardware.pool import Pool
from aesfit.hardware.published import PAPER
from aesfit.hardware.rows import ratio
from aesfit.hardware.synthesis import count


def test_large_things_are_begun_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aesfit.hardware.pool._workers", lambda: 1)
    begun: list[int] = []
    told: list[int] = []

    def run(thing: int) -> int:
        begun.append(thing)
        return -thing

    four = Pool(4, lambda done, total: told.append(done))
    assert four.map(run, [2, 9, 1, 5], size=float) == [-2, -9, -1, -5]
    assert begun == [9, 5, 2, 1]
    assert told == [0, 1, 2, 3, 4]


def test_tools_run_on_the_processors_that_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of taskset; systems without such sets tell how many there are."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5}, raising=False)
    assert pool._workers() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert pool._workers() == 64


def test_the_median_is_over_seeds() -> None:
    three = together([Placed((mhz,)) for mhz in (90.0, 120.0, 100.0)])
    assert (three.median, three.best, three.why_not) == (100, 120, None)


def test_cells_that_are_not_known_are_refused() -> None:
    assert count({"LUT4": 3, "CCU2C": 2, "$scopeinfo": 9}, ECP5).luts == 3 + 2 * 2
    with pytest.raises(ToolFailedError, match="'MULT18X18D', which are not counted"):
        count({"LUT4": 3, "MULT18X18D": 1}, ECP5)


def test_cycles_are_told_of_the_designs_that_they_are_of() -> None:
    paper, ours = row("aes32_paper", 100, 300, 87), row("aes32", 100, 300, 40)
    other = replace(ours, cycles_from="made up too")
    assert _cycles_from([paper, ours]) == ["Cycles a block: made up."]
    assert _cycles_from([paper, other, replace(other, family="ice40")]) == [
        "Cycles a block of aes32_paper: made up.",
        "Cycles a block of aes32: made up too.",
    ]


def test_rows_have_the_names_that_stay() -> None:
    """In JSON; the tools themselves are asked with --slow."""
    assert set(row("aes32_paper", None, 300, 87).json()) == KEYS


def test_ratios_are_of_rates_for_a_table() -> None:
    paper = row("aes32_paper", 100, 300, 87)
    assert ratio(row("aes32", 50, 200, 40), paper) == pytest.approx(0.5 * 1.5 * 87 / 40)
    assert ratio(row("aes32", None, 200, 40), paper) == pytest.approx(1.5 * 87 / 40)


def test_the_papers_row_agrees_with_itself() -> None:
    assert PAPER.fmax_mhz == pytest.approx(1000 / 6.646, rel=1e-3)
    assert PAPER.mbit_per_s == pytest.approx(1000 / 6.646 * 128 / 87, rel=1e-3)

# SPDX-License-Identifier: MIT
"""Curves are drawn at some lengths; no core that is the fastest between two of them is missed."""

from itertools import pairwise

import numpy as np
import pytest

from aesfit.cachemodel.equations import Floats
from aesfit.web.curves import contenders, drawn_at, ranges
from aesfit.web.schema import MOST_CALLS

LENGTHS = np.arange(1, MOST_CALLS + 1, dtype=np.float64)
DRAWN = drawn_at(MOST_CALLS, None)


def at_drawn(every: dict[str, Floats]) -> dict[str, Floats]:
    return {core: cycles[DRAWN.astype(int) - 1] for core, cycles in every.items()}


def test_one_that_is_the_fastest_only_between_two_drawn_lengths_is_found() -> None:
    a, b = next((a, b) for a, b in pairwise(DRAWN) if b - a > 60)
    middle = (a + b) // 2
    stepped = np.where(middle < LENGTHS, 1.1 * LENGTHS, 0.99 * middle)
    every = {
        "even": np.full_like(LENGTHS, 1000.0),
        "stepped": 1000 * np.maximum.accumulate(stepped) / LENGTHS,
        "slow": 2000 + 9000 / LENGTHS,
    }
    shown = at_drawn(every)
    assert (shown["stepped"] > shown["even"]).all(), "no drawn length shows it"
    assert every["stepped"][int(middle) - 1] < 1000
    assert contenders(DRAWN, shown, dict.fromkeys(every, 0.0)) == ["even", "stepped"]


@pytest.mark.parametrize("seed", range(20))
def test_ranges_of_the_contenders_are_those_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    always = {f"core{at}": float(random.uniform(100, 130)) for at in range(12)}
    every = {
        core: floor + np.cumsum(random.exponential(random.uniform(1, 90), MOST_CALLS)) / LENGTHS
        for core, floor in always.items()
    }
    near = contenders(DRAWN, at_drawn(every), always)
    assert ranges(LENGTHS, {core: every[core] for core in near}) == ranges(LENGTHS, every)


def test_without_cores_there_are_none() -> None:
    assert contenders(DRAWN, {}, {}) == []


def test_the_length_that_was_asked_for_is_drawn() -> None:
    assert 77.0 not in DRAWN
    assert 77.0 in drawn_at(MOST_CALLS, 77)
    assert (DRAWN[0], DRAWN[-1]) == (1, MOST_CALLS)

# SPDX-License-Identifier: MIT
"""The published equations: closed forms against the plain loops, limits, hand values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aesfit.cachemodel.analytic import Analytic, curve, misses, totals
from aesfit.cachemodel.equations import (
    blocks_loaded,
    cycles_per_call,
    expected_misses,
    miss_probability,
)
from aesfit.cachemodel.question import Burst, Lookup, Version
from aesfit.caches.cache import Cache, Hierarchy, Penalty

CACHE = Cache(16384, 16, 4)
PAPER = Version(
    "AES4",
    319,
    1000,
    (Lookup("sbox", 256, 16), *(Lookup(f"te{n}", 1024, 36) for n in range(4))),
)


def loop(k: int, reads: int, loaded: float) -> tuple[list[float], list[float]]:
    """x(t) by equation 3 and p(t) by equation 2, step by step."""
    x, p = [loaded], []
    for t in range(reads):
        p.append((k - x[t]) / k)
        x.append(x[t] * (1 - p[t]) + (x[t] + 1) * p[t])
    return x, p


@given(k=st.integers(1, 300), reads=st.integers(0, 600), share=st.floats(0, 1))
def test_closed_forms_are_the_loops(k: int, reads: int, share: float) -> None:
    x, p = loop(k, reads, share * k)
    t = np.arange(reads)
    assert blocks_loaded(k, np.arange(reads + 1), share * k) == pytest.approx(x, rel=1e-9, abs=1e-9)
    assert miss_probability(k, t, share * k) == pytest.approx(p, rel=1e-9, abs=1e-9)
    assert float(expected_misses(k, reads, share * k)) == pytest.approx(sum(p), rel=1e-9, abs=1e-9)


def test_hand_values_for_32_lines() -> None:
    assert miss_probability(32, [0, 1, 2]) == pytest.approx([1, 31 / 32, 961 / 1024])
    assert float(miss_probability(32, 32)) == pytest.approx((31 / 32) ** 32)
    assert float(miss_probability(32, 100)) == pytest.approx(0.0418, abs=1e-4)
    assert blocks_loaded(32, [0, 1, 2]) == pytest.approx([0, 1, 63 / 32])
    assert float(expected_misses(32, 4)) == pytest.approx(1 + 31 / 32 + 961 / 1024 + 29791 / 32768)


@pytest.mark.parametrize("k", [1, 8, 16, 32, 64])
def test_limits(k: int) -> None:
    assert float(expected_misses(k, 0)) == 0
    assert float(expected_misses(k, 1)) == pytest.approx(1)
    assert float(expected_misses(k, 1e6)) == pytest.approx(k)
    assert float(expected_misses(k, 1e6, k / 4)) == pytest.approx(0.75 * k)


@given(calls=st.integers(0, 2000), line=st.sampled_from([8, 16, 32, 64]), evicted=st.floats(0, 1))
def test_the_model_is_equation_1_where_all_fits(calls: int, line: int, evicted: float) -> None:
    hierarchy = Hierarchy(Cache(16384, line, 4), Penalty(13, 0.25))
    wanted = calls * 319 + 1000.0
    for table in PAPER.lookups:
        k = table.size // line
        reads = calls * table.reads
        wanted += (13 + line / 4) * float(expected_misses(k, reads, (1 - evicted) * k))
    (time,) = Analytic().times(PAPER, hierarchy, [Burst(calls, evicted)])
    assert time.total == pytest.approx(wanted)
    assert time.ideal == calls * 319 + 1000


def test_slope_gives_back_the_cycles_of_a_call() -> None:
    near, far = totals(PAPER, Hierarchy(CACHE, Penalty(17, 0)), [512, 1024])
    assert cycles_per_call(near, far) == pytest.approx(319, abs=1e-3)


def test_bursts_of_many_kinds_at_once_are_those_alone() -> None:
    hierarchy = Hierarchy(Cache(2048, 16, 2), Penalty(17, 0))
    bursts = [Burst(n, e) for n in (0, 1, 9, 200) for e in (1.0, 0.25, 0.0)]
    together = Analytic().times(PAPER, hierarchy, bursts)
    alone = [Analytic().times(PAPER, hierarchy, [burst])[0] for burst in bursts]
    assert together == alone
    assert curve(PAPER, hierarchy, [9]) == pytest.approx([alone[6].per_call])


@pytest.mark.parametrize(
    ("cache", "evicted", "calls", "said"),
    [
        (Cache(1024, 24, 1), 1.0, 1, "a line of 24 bytes is no power of two"),
        (Cache(1024, 16, 0), 1.0, 1, "at least 1 way"),
        (Cache(32, 16, 4), 1.0, 1, "smaller than one set"),
        (Cache(1000, 16, 4), 1.0, 1, "do not divide 1000 bytes"),
        (CACHE, 1.5, 1, "not between 0 and 1"),
        (CACHE, 1.0, -1, "0 calls or more"),
    ],
)
def test_nonsense_is_refused(cache: Cache, evicted: float, calls: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        totals(PAPER, Hierarchy(cache, Penalty(17, 0)), [calls], evicted)


def test_a_penalty_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="0 cycles or more"):
        totals(PAPER, Hierarchy(CACHE, Penalty(-1, 0)), [1])


def test_critical_word_first_leaves_the_base() -> None:
    late, early = (
        totals(PAPER, Hierarchy(CACHE, Penalty(13, 0.25, first)), [7]) for first in (False, True)
    )
    lost = misses(PAPER, CACHE, np.array([7.0]), 1.0)
    assert late - early == pytest.approx(4 * lost)

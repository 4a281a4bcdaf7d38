# SPDX-License-Identifier: MIT
"""The simulator as an estimator, and rows of cached platforms."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest

from aesfit.cachemodel.question import Burst, Version
from aesfit.cachemodel.simulate import INSTRUCTIONS, Simulated, fills
from aesfit.caches.cache import Cache, Hierarchy, Penalty, Replacement
from aesfit.jobs.job import Job, Row
from aesfit.measuring import bursts
from aesfit.measuring.trace import RECORD, Trace
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of

ARM9 = platform_named("arm9tdmi")
CALLS = 200
VERSION = Version("ttable4", 700.0, 345.0, ())


@pytest.fixture(scope="module")
def trace() -> Trace:
    return bursts.trace(ARM9, "ttable4", CALLS, secret=3)


def hierarchy(data: Cache, instruction: Cache | None = None) -> Hierarchy:
    return Hierarchy(data, Penalty(13.0, 0.25), instruction)


def test_cold_costs_more_than_warm(trace: Trace) -> None:
    simulated = Simulated({"ttable4": trace})
    small = hierarchy(Cache(16384, 16, 4), Cache(8192, 32, 4))
    for calls in (0, 1, 10, CALLS):
        asked = [Burst(calls, share) for share in (0.0, 0.25, 0.5, 1.0)]
        stalls = [one.stalls for one in simulated.times(VERSION, small, asked)]
        assert stalls == sorted(stalls)
        assert stalls[0] < stalls[-1]


@pytest.mark.parametrize("replacement", get_args(Replacement))
def test_a_prefix_of_the_trace_is_the_shorter_burst(trace: Trace, replacement: Replacement) -> None:
    cache = Cache(2048, 16, 4, replacement)
    whole = fills(trace, cache)
    assert len(whole) == CALLS + 1
    assert all(before <= after for before, after in pairwise(whole))
    for calls in (1, 7, 100):
        cut = replace(trace, records=trace.records[: trace.starts[calls] * 8])
        cut = replace(cut, starts=trace.starts[:calls])
        assert fills(cut, cache) == whole[: calls + 1]


@pytest.mark.parametrize("kinds", [0b0110, INSTRUCTIONS])
def test_more_ways_of_least_recently_used_never_miss_more(trace: Trace, kinds: int) -> None:
    """Inclusion: each set of the larger cache holds what the smaller one's holds."""
    found = [fills(trace, Cache(32 * 16 * ways, 16, ways), kinds)[-1] for ways in (1, 2, 4, 8, 16)]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


def test_a_cache_that_holds_all_fills_each_line_once(trace: Trace) -> None:
    records = RECORD.iter_unpack(trace.records)
    lines = {
        line
        for address, size, kind in records
        if kind in (bursts.LOAD, bursts.STORE)
        for line in range(address // 32, (address + size - 1) // 32 + 1)
    }
    assert fills(trace, Cache(1 << 20, 32, 1 << 15))[-1] == len(lines)


def test_warm_bursts_find_all_but_their_input_and_output(trace: Trace) -> None:
    streams = sum(one.size // 16 for one in trace.streams)
    assert fills(trace, Cache(1 << 20, 16, 1 << 16), evicted=0.0)[-1] == streams


def test_random_replacement_takes_our_lines_before_a_warm_burst_too(trace: Trace) -> None:
    large = Cache(1 << 16, 16, 64)
    streams = sum(one.size // 16 for one in trace.streams)
    assert fills(trace, large, evicted=0.0)[-1] == streams
    for seed in range(3):
        drawn = fills(trace, replace(large, replacement="random"), evicted=0.0, seed=seed)
        assert drawn[-1] > streams  # no set has an unused line


def test_times_are_ideal_cycles_and_stalls(trace: Trace) -> None:
    asked = hierarchy(Cache(16384, 16, 4))
    (found,) = Simulated({"ttable4": trace}).times(VERSION, asked, [Burst(10)])
    assert found.ideal == 10 * 700 + 345
    assert found.stalls == 17 * fills(trace, asked.data)[10]
    first = replace(asked, penalty=replace(asked.penalty, critical_word_first=True))
    (sooner,) = Simulated({"ttable4": trace}).times(VERSION, first, [Burst(10)])
    assert sooner.stalls == found.stalls * 13 / 17


def test_stores_past_the_cache_cost_nothing(trace: Trace) -> None:
    cache = Cache(16384, 16, 4)
    past = replace(cache, write_allocate=False)
    assert fills(trace, past)[-1] < fills(trace, cache)[-1]


def test_what_was_not_traced_is_refused(trace: Trace) -> None:
    simulated, asked = Simulated({"ttable4": trace}), hierarchy(Cache(4096, 16, 4))
    with pytest.raises(ValueError, match="the trace of ttable4 has 200 calls, not 201"):
        simulated.times(VERSION, asked, [Burst(CALLS + 1)])
    with pytest.raises(ValueError, match="no trace of compact; traced are: ttable4"):
        simulated.times(replace(VERSION, core="compact"), asked, [Burst(1)])


# --- rows


def measured(platform: str, core: str, op: str, mode: str | None = None) -> Row:
    job = Job(platform_named(platform), core, 128, op, mode, 64 if mode else None)
    return rig_of(job.platform).measure([job], lambda done, total: None)[0]


@pytest.mark.parametrize("platform", ["arm920t", "arm9-cached"])
@pytest.mark.parametrize(("op", "mode"), [("encrypt-block", None), ("message", "ccm")])
def test_a_cached_platform_adds_stalls_to_the_core_s_cycles(
    platform: str, op: str, mode: str | None
) -> None:
    cached, bare = (
        measured(platform, "ttable1", op, mode),
        measured("arm9tdmi", "ttable1", op, mode),
    )
    assert cached.stall_cycles is not None
    assert cached.cycles == bare.cycles + cached.stall_cycles
    assert cached.stall_cycles % 39 == 0
    assert cached.stall_cycles > 39 * 30
    assert "cold when the window starts, stalls included" in cached.provenance.memory
    assert cached.secrecy.kind == "depends"
    assert cached.as_json()["stall_cycles"] == cached.stall_cycles
    assert "stall_cycles" not in bare.as_json()


def test_a_constant_time_core_stays_so_behind_a_cache() -> None:
    assert measured("arm920t", "fixslice", "encrypt-block").secrecy.kind == "independent"

# SPDX-License-Identifier: MIT
"""Which batches are run, and which are believed, with runners that are told what to show."""

from collections.abc import Iterable, Iterator
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aesfit.rigs.host.pace import Batch, BatchPlan, Pace, calls_for

QUICK = BatchPlan(repeats=4, least_repeats=2, attempts=3, batch=1000)


class Told:
    """Takes 10 ticks a call; its probes are given, and log notes whose turn it was."""

    def __init__(
        self, probes: Iterable[int], log: list[str] | None = None, name: str = "", ticks: int = 10
    ) -> None:
        self._probes: Iterator[int] = iter(probes)
        self._log = [] if log is None else log
        self._name = name
        self._ticks = ticks

    def run(self, calls: int) -> Batch:
        if calls * self._ticks < 500:  # only asked how long a call takes
            return Batch(calls * self._ticks, 0)
        self._log.append(self._name)
        probe = next(self._probes)
        return Batch(calls * self._ticks * probe // 100, probe, 3 * calls, 7 * calls)


@pytest.mark.parametrize(("ticks", "wanted"), [(1, 1000), (10, 100), (999, 1), (5000, 1)])
def test_calls_fill_a_batch(ticks: int, wanted: int) -> None:
    assert calls_for(Told(repeat(100), ticks=ticks), 1000) == wanted


def test_quiet_machine_runs_no_batch_more() -> None:
    log: list[str] = []
    (series,) = Pace(QUICK).collect([Told(repeat(100), log)])
    assert (len(log), len(series.batches), series.dirty, series.accepted) == (4, 4, 0, 0)
    assert (series.least, series.median) == (10, 10)
    assert series.counted("core_cycles") == 3
    assert series.counted("instructions") == 7


def test_runners_take_turns() -> None:
    log: list[str] = []
    done: list[tuple[int, int]] = []
    Pace(QUICK).collect(
        [Told(repeat(100), log, name) for name in "abc"], lambda *now: done.append(now)
    )
    assert "".join(log) == "abcabcabcabc"
    assert done[0] == (0, 3)
    assert done[-1] == (3, 3)


def test_dirty_batches_are_run_again() -> None:
    (series,) = Pace(QUICK).collect([Told([100, 180, 101, 190, 102, 100])])
    assert [batch.probe for batch in series.batches] == [100, 101, 102, 100]
    assert (series.dirty, series.accepted) == (2, 0)


def test_only_the_disturbed_runner_goes_on() -> None:
    log: list[str] = []
    slow = Told(chain([150, 150], repeat(100)), log, "s")
    Pace(QUICK).collect([Told(repeat(100), log, "q"), slow])
    assert log.count("q") == 4
    assert log.count("s") == 6


def test_a_faster_probe_makes_earlier_batches_dirty() -> None:
    (series,) = Pace(QUICK).collect([Told([150, 150, 100, 100, 100, 100])])
    assert [batch.probe for batch in series.batches] == [100] * 4
    assert series.dirty == 2


def test_repeats_are_bounded_and_the_least_disturbed_are_taken() -> None:
    log: list[str] = []
    (series,) = Pace(QUICK).collect([Told(chain([100], repeat(200, 9), [130], repeat(200)), log)])
    assert len(log) == QUICK.repeats * QUICK.attempts
    assert [batch.probe for batch in series.batches] == [100, 130, 200, 200]
    assert (series.dirty, series.accepted) == (11, 3)


def test_the_fastest_probe_is_remembered() -> None:
    pace = Pace(QUICK)
    pace.collect([Told(repeat(100))])
    (series,) = pace.collect([Told(repeat(150))])
    assert series.accepted == len(series.batches) == 4


def test_what_is_slow_is_repeated_less() -> None:
    log: list[str] = []
    plan = BatchPlan(repeats=50, least_repeats=2, attempts=2, batch=1000, budget=10_000)
    Pace(plan).collect([Told(repeat(100), log)])
    assert len(log) == 10
    log.clear()
    Pace(plan).collect([Told(repeat(100), log, ticks=1_000_000)])
    assert len(log) == 3  # one of them was asked how long a call takes


def test_uncounted_batches_have_no_counts() -> None:
    class Uncounted:
        def run(self, calls: int) -> Batch:
            return Batch(1000 * calls, 100)

    (series,) = Pace(QUICK).collect([Uncounted()])
    assert series.counted("core_cycles") is None


@given(st.lists(st.integers(100, 300), min_size=12, max_size=12))
def test_dirty_batches_never_displace_clean_ones(probes: list[int]) -> None:
    pace = Pace(QUICK)
    (series,) = pace.collect([Told(probes)])
    clean = [batch for batch in series.batches if pace.is_clean(batch)]
    assert len(series.batches) == QUICK.repeats
    assert series.accepted == len(series.batches) - len(clean)
    assert series.accepted == 0 or series.dirty >= series.accepted
    assert series.least == min(batch.ticks for batch in series.batches) / series.calls

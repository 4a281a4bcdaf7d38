# SPDX-License-Identifier: MIT
"""Batches on a processor that other programs disturb: how many, in which order, which to believe.

Every batch runs between two probes, chains of dependent rotations of known length that take one
core cycle each whatever else the core could do beside (probe.h).  A probe slower than the fastest
one seen shows a spell in which everything is slow; the batch beside it is dirty and is run again,
within a bound.  Runners take turns, so that what still disturbs hits all alike.  Nothing here
measures: runners do, and tests give fake ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol


@dataclass(frozen=True)
class Batch:
    """Some calls on end, between two probes."""

    ticks: int
    """Of the clock, for all calls together."""
    probe: int
    """Ticks of the slower of the two probes."""
    core_cycles: int | None = None
    """Of the processor in user mode, where the system counts them."""
    instructions: int | None = None
    """Likewise."""


class BatchRunner(Protocol):
    """Something that can be called many times on end."""

    def run(self, calls: int) -> Batch:
        """One batch."""


@dataclass(frozen=True)
class BatchPlan:
    """How thorough to be; ticks are those of the clock."""

    repeats: int = 31
    """Clean batches wanted of each runner."""
    least_repeats: int = 7
    """The fewest, where `budget` would allow fewer."""
    attempts: int = 4
    """At most so many times the repeats are run, before dirty batches are accepted."""
    batch: int = 400_000
    """Ticks of a batch: well over a clock reading, well under the length of a spell."""
    budget: int = 6_000_000_000
    """Ticks for all clean batches together; what is slow is repeated less."""
    tolerance: float = 1.08
    """A probe may take so many times the fastest one: processors change their frequency in steps
    of a few percent, while a spell slows by half and more."""


@dataclass(frozen=True)
class Series:
    """The batches of one runner that count."""

    calls: int
    """In each batch."""
    batches: tuple[Batch, ...]
    dirty: int
    """Batches that were run and found dirty, those left out included."""
    accepted: int
    """Dirty ones among `batches`, for want of clean ones."""

    def _per_call(self, values: Sequence[int]) -> list[float]:
        return [value / self.calls for value in values]

    @property
    def least(self) -> float:
        """Ticks a call in the fastest batch."""
        return min(self._per_call([batch.ticks for batch in self.batches]))

    @property
    def median(self) -> float:
        """Ticks a call in the median batch."""
        return median(self._per_call([batch.ticks for batch in self.batches]))

    def counted(self, what: str) -> float | None:
        """Median of "core_cycles" or "instructions" a call; None where they were not counted."""
        values = [getattr(batch, what) for batch in self.batches]
        counted = [value for value in values if value is not None]
        return median(self._per_call(counted)) if counted else None


def calls_for(runner: BatchRunner, ticks: int) -> int:
    """Calls that fill a batch of `ticks`; at least one."""
    calls, most = 1, 1 << 24
    while (took := max(1, runner.run(calls).ticks)) < ticks // 8 and calls < most:
        calls *= 4
    return max(1, min(most, round(calls * ticks / took)))


class Pace:
    """Runs batches and remembers the fastest probe, which is that of the undisturbed processor."""

    def __init__(self, plan: BatchPlan | None = None) -> None:
        """Begin without a known probe."""
        self.plan = plan or BatchPlan()
        self.floor: int | None = None

    def is_clean(self, batch: Batch) -> bool:
        """Whether the processor ran at its usual speed, by what is known now."""
        return self.floor is not None and batch.probe <= self.plan.tolerance * self.floor

    def _run(self, runner: BatchRunner, calls: int) -> Batch:
        batch = runner.run(calls)
        self.floor = min(batch.probe, self.floor or batch.probe)
        return batch

    def collect(
        self,
        runners: Sequence[BatchRunner],
        progress: Callable[[int, int], None] = lambda a, b: None,
    ) -> list[Series]:
        """Run all, in turns, until each has its clean batches; `progress` gets runners done."""
        calls = [calls_for(runner, self.plan.batch) for runner in runners]
        taken: list[list[Batch]] = [[] for _ in runners]
        wanted = self._repeats(runners, calls, taken)
        for _ in range(wanted * self.plan.attempts - 1):
            left = [at for at in range(len(runners)) if self._clean(taken[at]) < wanted]
            progress(len(runners) - len(left), len(runners))
            if not left:
                break
            for at in left:
                taken[at].append(self._run(runners[at], calls[at]))
        return [self._series(*pair, wanted) for pair in zip(calls, taken, strict=True)]

    def _repeats(
        self, runners: Sequence[BatchRunner], calls: Sequence[int], taken: list[list[Batch]]
    ) -> int:
        """Run the first round, and tell how many its length allows."""
        for at, runner in enumerate(runners):
            taken[at].append(self._run(runner, calls[at]))
        round_ticks = sum(batches[0].ticks for batches in taken)
        affordable = self.plan.budget // max(1, round_ticks)
        return min(self.plan.repeats, max(self.plan.least_repeats, affordable))

    def _clean(self, batches: Sequence[Batch]) -> int:
        return sum(self.is_clean(batch) for batch in batches)

    def _series(self, calls: int, batches: Sequence[Batch], wanted: int) -> Series:
        """Clean batches first; if they are too few, the least disturbed of the others."""
        clean = [batch for batch in batches if self.is_clean(batch)]
        others = sorted((b for b in batches if not self.is_clean(b)), key=lambda b: b.probe)
        accepted = others[: max(0, wanted - len(clean))]
        return Series(calls, (*clean[:wanted], *accepted), len(others), len(accepted))

# SPDX-License-Identifier: MIT
"""Tools that run side by side."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

from ..jobs.job import Progress

T = TypeVar("T")
S = TypeVar("S")


def _workers() -> int:
    """Tools at once; each keeps a processor busy that this process may use (taskset)."""
    if hasattr(os, "sched_getaffinity"):  # macOS and Windows have none
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """Runs functions, some at once, and tells how far it is."""

    def __init__(self, total: int, progress: Progress) -> None:
        """Tell of `total` things to do."""
        self._done, self._total, self._progress = 0, total, progress
        progress(0, total)

    def leave_out(self, things: int) -> None:
        """So many things need not be done."""
        if things:
            self._done += things
            self._progress(self._done, self._total)

    def map(
        self,
        function: Callable[[S], T],
        things: Sequence[S],
        size: Callable[[S], float] = lambda thing: 0,
    ) -> list[T]:
        """Results in order, the largest things begun first; the first failure ends it."""
        order = sorted(range(len(things)), key=lambda at: -size(things[at]))
        with ThreadPoolExecutor(_workers()) as workers:
            futures = {at: workers.submit(function, things[at]) for at in order}
            try:
                self._watch(list(futures.values()))
            except BaseException:
                workers.shutdown(cancel_futures=True)
                raise
            return [futures[at].result() for at in range(len(things))]

    def _watch(self, futures: Sequence["Future[T]"]) -> None:
        for future in as_completed(futures):
            future.result()
            self._done += 1
            self._progress(self._done, self._total)

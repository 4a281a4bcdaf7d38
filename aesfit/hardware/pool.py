# SPDX-License-Identifier: MIT
"""Tools that run side by side."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

from ..jobs.job import Progress

WORKERS = 2
"""Tools at once; each keeps a processor busy."""
T = TypeVar("T")
S = TypeVar("S")


class Pool:
    """Runs functions, some at once, and tells how far it is."""

    def __init__(self, total: int, progress: Progress) -> None:
        """Tell of `total` things to do."""
        self._done, self._total, self._progress = 0, total, progress
        progress(0, total)

    def map(self, function: Callable[[S], T], things: Sequence[S]) -> list[T]:
        """Results in order; the first failure ends it."""
        with ThreadPoolExecutor(WORKERS) as workers:
            futures = [workers.submit(function, thing) for thing in things]
            try:
                self._watch(futures)
            except BaseException:
                workers.shutdown(cancel_futures=True)
                raise
            return [future.result() for future in futures]

    def _watch(self, futures: Sequence["Future[T]"]) -> None:
        for future in as_completed(futures):
            future.result()
            self._done += 1
            self._progress(self._done, self._total)

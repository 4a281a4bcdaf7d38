# SPDX-License-Identifier: MIT
"""What takes seconds: one queue, one thread, and results that are kept.

A work that has begun runs to its end, also when nobody waits any more: what it finds answers the
next who asks.  A work that only waits is dropped when the last who asked for it leaves.  All but
the work itself is called by the server's own thread, so nothing is locked.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ..jobs.job import Progress

_KEPT = 64
"""Results that are remembered."""
_PAUSE_S = 1.0
"""Seconds from one partial result to the next, which takes some 0.1 s of the work's own thread."""
_ENDED = "aesfit serve has ended; start it again"
MOST_WAITING = 32


class EndedError(RuntimeError):
    """Raised inside a work when the server ends."""


class BusyError(RuntimeError):
    """Too many works wait; nothing of them is cancelled for one more."""


class Work:
    """One thing to compute, and how far it is."""

    future: "Future[Any]"
    done = total = 0
    so_far: Any = None
    """What `early` said last; a new object each time."""
    told_at: float | None = None
    """When it said so, in seconds; None while there is nothing."""
    waiting = 0
    """Who waits for it."""

    def __init__(self, key: Hashable, early: Callable[[], Any]) -> None:
        """`early` says what is there already; None for nothing."""
        self.key, self.early = key, early


class Works:
    """One work at a time, in the order of asking; results by key, the oldest forgotten."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start no thread until there is something to do; `clock`: seconds."""
        self._clock = clock
        self._pool = ThreadPoolExecutor(1, "aesfit-measure")
        self._works: OrderedDict[Hashable, Work] = OrderedDict()
        self.ended = False

    def ask(
        self,
        key: Hashable,
        make: Callable[[Progress], Any],
        early: Callable[[], Any] = lambda: None,
    ) -> Work:
        """The work of that key: finished, under way, or begun now; `leave` it in the end.

        `early` is asked between steps, in the thread of the work, and once it said something, at
        most once a second.  BusyError where too many works wait already.
        """
        self.check()
        work = self._works.get(key) or self._begin(Work(key, early), make)
        self._works.move_to_end(key)
        work.waiting += 1
        return work

    def leave(self, work: Work) -> None:
        """Wait no more; an error is told once, and what has not begun is dropped."""
        work.waiting -= 1
        future = work.future
        unwanted = future.cancelled() or (work.waiting == 0 and future.cancel())
        if unwanted or (future.done() and future.exception() is not None):
            self._works.pop(work.key, None)
        self._forget()

    def keep(self, key: Hashable, result: Any) -> None:  # noqa: ANN401 - of any work
        """A result that took no work, kept as those of works are."""
        if key not in self._works:
            work = self._works[key] = Work(key, lambda: None)
            work.future = Future()
            work.future.set_result(result)
        self._works.move_to_end(key)
        self._forget()

    def results(self) -> list[Any]:
        """Those that are kept, the latest first; a work may have none."""
        ended = [one.future for one in reversed(self._works.values()) if one.future.done()]
        sound = [one.result() for one in ended if not (one.cancelled() or one.exception())]
        return [one for one in sound if one is not None]

    def _forget(self) -> None:
        finished = [key for key, one in self._works.items() if one.future.done()]
        for key in finished[: max(0, len(finished) - _KEPT)]:
            del self._works[key]

    def _begin(self, work: Work, make: Callable[[Progress], Any]) -> Work:
        under_way = [one.future for one in self._works.values()]
        if sum(not one.done() and not one.running() for one in under_way) >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} questions are already waiting; ask again in a moment")
        self._works[work.key] = work
        work.future = self._pool.submit(make, lambda done, total: self._step(work, done, total))
        return work

    def _step(self, work: Work, done: int, total: int) -> None:
        """Called by the work; what it has measured is in the store when it ends here."""
        self.check()
        if work.waiting and 0 < done < total and self._is_due(work):
            found = work.early()
            if found is not None:
                work.so_far, work.told_at = found, self._clock()
        work.done, work.total = done, total

    def _is_due(self, work: Work) -> bool:
        return work.told_at is None or self._clock() - work.told_at >= _PAUSE_S

    def check(self) -> None:
        """Raise EndedError once the server has ended."""
        if self.ended:
            raise EndedError(_ENDED)

    def close(self) -> None:
        """Begin nothing more, and give up what runs at its next step."""
        self.ended = True
        self._pool.shutdown(wait=False, cancel_futures=True)

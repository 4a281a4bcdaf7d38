# SPDX-License-Identifier: MIT
"""What takes seconds, done in a thread of its own while pages listen to how far it is.

A work that has begun runs to its end, also when nobody listens any more: what it finds answers the
next who asks.  A work that only waits is dropped when its last listener leaves.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from ..jobs.job import Progress

_KEPT = 64
"""Results that are remembered."""
_PAUSE_S = 1.0
"""Seconds from one partial result to the next, which takes some 0.1 s of the work's own thread."""
_ENDED = "aesfit serve has ended; start it again"
MOST_WAITING = 32
MOST_WAITING_OF_A_PAGE = 4
Listener = Callable[[], None]
"""Called from the thread of the work at each of its steps and at its end."""


class EndedError(RuntimeError):
    """Raised inside a work when the server ends."""


class BusyError(RuntimeError):
    """Too many works wait; nothing of them is cancelled for one more."""


@dataclass(eq=False)
class Work:
    """One thing to compute, and how far it is."""

    key: Hashable
    page: str
    make: Callable[[Progress], Any]
    early: Callable[[int], Any]
    future: Future[Any] = field(default_factory=Future)
    done: int = 0
    total: int = 0
    so_far: Any = None
    """What `early` said last; a new object each time."""
    told_at: float | None = None
    """When it said so, in seconds; None while there is nothing."""
    begun: bool = False
    listeners: list[Listener] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether there is a result or an error."""
        return self.future.done()


class Works:
    """One work at a time, in turn by the pages that asked; results by key, the oldest forgotten."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start no thread until there is something to do; `clock`: seconds."""
        self._clock = clock
        self._pool = ThreadPoolExecutor(1, "aesfit-measure")
        self._ended = False
        self._lock = Lock()
        self._going: dict[Hashable, Work] = {}
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()
        self._found: OrderedDict[Hashable, Work] = OrderedDict()

    def ask(
        self,
        page: str,
        key: Hashable,
        make: Callable[[Progress], Any],
        listener: Listener,
        early: Callable[[int], Any] = lambda _: None,
    ) -> Work:
        """The work of that key: finished, under way, or begun now; `leave` it in the end.

        `early` says what is there after so many steps; it is asked between steps, in the thread of
        the work, because Python 3.11 cannot parse sources, as keys of the store need, in two; and
        once it said something, at most once a second.
        Raises BusyError where neither this page nor all pages together may wait for more.
        """
        with self._lock:
            if self._ended:
                raise EndedError(_ENDED)
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            work = self._going.get(key) or self._begin(Work(key, page, make, early))
            work.listeners.append(listener)
            return work

    def leave(self, work: Work, listener: Listener) -> None:
        """Listen no more; a work that has not begun and that nobody else wants is dropped."""
        with self._lock:
            if listener in work.listeners:
                work.listeners.remove(listener)
            if work.begun or work.listeners or self._going.get(work.key) is not work:
                return
            del self._going[work.key]
            self._waiting[work.page].remove(work)
            if not self._waiting[work.page]:
                del self._waiting[work.page]

    def _begin(self, work: Work) -> Work:
        """Put it at the end of its page's queue."""
        own = len(self._waiting.get(work.page, ()))
        if own >= MOST_WAITING_OF_A_PAGE:
            raise BusyError(
                f"{own} questions of this page are already waiting; ask again when one is done"
            )
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} questions are already waiting; ask again in a moment")
        self._going[work.key] = work
        self._waiting.setdefault(work.page, deque()).append(work)
        self._pool.submit(self._run_next)
        return work

    def _run_next(self) -> None:
        """The first work of the page whose turn it is; then it is the next page's turn."""
        with self._lock:
            if not self._waiting:  # it was dropped
                return
            page, queue = self._waiting.popitem(last=False)
            work = queue.popleft()
            work.begun = True
            if queue:
                self._waiting[page] = queue
        try:
            self._step(work, 0, 0)
            found = work.make(lambda done, total: self._step(work, done, total))
        except BaseException as error:  # told to those who asked
            self._end(work, error=error)
        else:
            self._end(work, found)

    def _step(self, work: Work, done: int, total: int) -> None:
        """Called by the work; what it has measured is in the store when it ends here."""
        if self._ended:
            raise EndedError(_ENDED)
        if work.listeners and 0 < done < total and self._is_due(work):
            found = work.early(done)
            if found is not None:
                work.so_far, work.told_at = found, self._clock()
        work.done, work.total = done, total
        self._tell(work)

    def _is_due(self, work: Work) -> bool:
        return work.told_at is None or self._clock() - work.told_at >= _PAUSE_S

    def _end(self, work: Work, found: object = None, error: BaseException | None = None) -> None:
        """A result is remembered; an error is told once, to those who listen."""
        with self._lock:
            if work.finished:  # the server ended meanwhile
                return
            del self._going[work.key]
            if error is None:
                work.future.set_result(found)
                self._found[work.key] = work
                while len(self._found) > _KEPT:
                    self._found.popitem(last=False)
            else:
                work.future.set_exception(error)
        self._tell(work)

    def _tell(self, work: Work) -> None:
        with self._lock:
            told = list(work.listeners)
        for listener in told:
            listener()

    def close(self) -> None:
        """Tell all who wait, begin nothing more, and give up what runs at its next step."""
        with self._lock:
            self._ended = True
            under_way = list(self._going.values())
            self._waiting.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for work in under_way:
            self._end(work, error=EndedError(_ENDED))

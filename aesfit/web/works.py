# SPDX-License-Identifier: MIT
"""What takes seconds, done in a thread of its own while pages ask how far it is."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from ..jobs.job import Progress

_KEPT = 64
"""Results that are remembered."""
_PATIENCE_SECONDS = 15.0
"""A work that nobody has asked about for so long is given up; the page asks each half second."""
MOST_WAITING = 32
MOST_WAITING_OF_A_PAGE = 4


class GivenUpError(RuntimeError):
    """Raised inside a work that is no longer wanted."""


class BusyError(RuntimeError):
    """Too many works wait; nothing of them is cancelled for one more."""


@dataclass(frozen=True)
class Going:
    """Not there yet."""

    done: int
    total: int


@dataclass
class _Work:
    key: Hashable
    make: Callable[[Progress], Any]
    stop: Event
    future: Future[Any] = field(default_factory=Future)
    done: int = 0
    total: int = 0
    wanted: float = field(default_factory=time.monotonic)

    def progress(self, done: int, total: int) -> None:
        """Called by the work; what it has measured is in the store when it ends here."""
        self.done, self.total = done, total
        if self.unwanted():
            raise GivenUpError("no longer wanted")

    def unwanted(self) -> bool:
        return self.stop.is_set() or time.monotonic() - self.wanted > _PATIENCE_SECONDS

    def run(self) -> None:
        """Make it, unless nobody waits for it any more."""
        try:
            self.progress(0, 0)
            self.future.set_result(self.make(self.progress))
        except BaseException as error:  # told to those who asked
            self.future.set_exception(error)


class Works:
    """One work at a time, in turn by the pages that asked; results by key, the oldest forgotten."""

    def __init__(self) -> None:
        """Start no thread until there is something to do."""
        self._pool = ThreadPoolExecutor(1, "aesfit-measure")
        self._stop = Event()
        self._lock = Lock()
        self._going: dict[Hashable, _Work] = {}
        self._waiting: OrderedDict[str, deque[_Work]] = OrderedDict()
        self._found: OrderedDict[Hashable, Any] = OrderedDict()

    def ask(self, page: str, key: Hashable, make: Callable[[Progress], Any]) -> Any:  # noqa: ANN401
        """The result of `make`, or Going while there is none; its error is raised once.

        Raises BusyError where neither this page nor all pages together may wait for more.
        """
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            work = self._going.get(key) or self._begin(page, key, make)
            work.wanted = time.monotonic()
            if not work.future.done():
                return Going(work.done, work.total)
            del self._going[key]
            if isinstance(work.future.exception(), GivenUpError):
                return Going(0, 0)
            return self._keep(key, work.future.result())

    def _keep(self, key: Hashable, result: Any) -> Any:  # noqa: ANN401
        self._found[key] = result
        while len(self._found) > _KEPT:
            self._found.popitem(last=False)
        return result

    def _begin(self, page: str, key: Hashable, make: Callable[[Progress], Any]) -> _Work:
        """Put a work at the end of its page's queue."""
        own = len(self._waiting.get(page, ()))
        if own >= MOST_WAITING_OF_A_PAGE:
            raise BusyError(
                f"{own} questions of this page are already waiting; ask again when one is done"
            )
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} questions are already waiting; ask again in a moment")
        self._forget_ended()
        work = _Work(key, make, self._stop)
        self._going[key] = work
        self._waiting.setdefault(page, deque()).append(work)
        self._pool.submit(self._run_next)
        return work

    def _forget_ended(self) -> None:
        """Works that ended and that no page asks about any more; a result is in the store."""
        ended = [one.key for one in self._going.values() if one.future.done() and one.unwanted()]
        for key in ended:
            del self._going[key]

    def _run_next(self) -> None:
        """The first work of the page whose turn it is; then it is the next page's turn."""
        with self._lock:
            page, queue = self._waiting.popitem(last=False)
            work = queue.popleft()
            if queue:
                self._waiting[page] = queue
        work.run()

    def close(self) -> None:
        """Give up what runs at its next step, and begin nothing more."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

# SPDX-License-Identifier: MIT
"""What takes seconds, done in a thread of its own while the page asks how far it is."""

import time
from collections import OrderedDict
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


class GivenUpError(RuntimeError):
    """Raised inside a work that is no longer wanted."""


@dataclass(frozen=True)
class Going:
    """Not there yet."""

    done: int
    total: int


@dataclass
class _Work:
    stop: Event
    future: Future[Any] | None = None
    done: int = 0
    total: int = 0
    wanted: float = field(default_factory=time.monotonic)

    def progress(self, done: int, total: int) -> None:
        """Called by the work; what it has measured is in the store when it ends here."""
        self.done, self.total = done, total
        if self.stop.is_set() or time.monotonic() - self.wanted > _PATIENCE_SECONDS:
            raise GivenUpError("no longer wanted")


class Works:
    """One work at a time; results by key, the oldest forgotten first."""

    def __init__(self) -> None:
        """Start no thread until there is something to do."""
        self._pool = ThreadPoolExecutor(1, "aesfit-measure")
        self._stop = Event()
        self._lock = Lock()
        self._going: dict[Hashable, _Work] = {}
        self._found: OrderedDict[Hashable, Any] = OrderedDict()

    def ask(self, key: Hashable, make: Callable[[Progress], Any]) -> Any:  # noqa: ANN401
        """The result of `make`, or Going while there is none; its error is raised once."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            work = self._going.get(key) or self._begin(key, make)
            work.wanted = time.monotonic()
            future = work.future
            if future is None or not future.done():
                return Going(work.done, work.total)
            del self._going[key]
            if future.cancelled() or isinstance(future.exception(), GivenUpError):
                return Going(0, 0)
            self._found[key] = future.result()
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
            return self._found[key]

    def _begin(self, key: Hashable, make: Callable[[Progress], Any]) -> _Work:
        """Queue a work; those that wait and were not begun make room for it."""
        for other, waiting in list(self._going.items()):
            if waiting.future is not None and waiting.future.cancel():
                del self._going[other]
        work = _Work(self._stop)
        self._going[key] = work
        work.future = self._pool.submit(make, work.progress)
        return work

    def close(self) -> None:
        """Give up what runs at its next step, and begin nothing more."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

# SPDX-License-Identifier: MIT
"""Progress where standard error is no terminal: lines with an estimate, from the first second."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from ..jobs.job import Progress

FIRST_SECONDS = 1.0
SECONDS_APART = 10.0


class ProgressLines:
    """How far a work is, in a line."""

    def __init__(self, what: str, now: Callable[[], float] = time.monotonic) -> None:
        """`what` is done; `now` gives seconds."""
        self._what, self._now, self._begun = what, now, now()
        self._done = self._total = 0
        self._first: tuple[int, float] | None = None
        """What was done, and when, as it was first reported: the rest may have been stored."""

    def report(self, done: int, total: int) -> None:
        """So much of so much is done."""
        self._done, self._total = done, total
        self._first = self._first or (done, self._now())

    def line(self) -> str:
        """As it is now, with an estimate once something was done since the first report."""
        if self._first is None or not self._total:
            return f"aesfit: {self._what}: begun {_span(self._now() - self._begun)} ago"
        told = f"aesfit: {self._what}: {self._done} of {self._total}"
        before, since = self._first
        if not before < self._done < self._total:
            return told
        each = (self._now() - since) / (self._done - before)
        return f"{told}, about {_span(each * (self._total - self._done))} left"


def _span(seconds: float) -> str:
    """In whole seconds, or in minutes."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


@contextmanager
def progress_lines(what: str, tell: Callable[[str], None]) -> Iterator[Progress]:
    """Yield the report function; a line after a second, then every ten, also between reports.

    Nothing is told if AESFIT_PROGRESS is "never".
    """
    lines, ended = ProgressLines(what), Event()

    def run() -> None:
        wait = FIRST_SECONDS
        while not ended.wait(wait):
            tell(lines.line())
            wait = SECONDS_APART

    if os.environ.get("AESFIT_PROGRESS") == "never":
        yield lines.report
        return
    thread = Thread(target=run, name="aesfit-progress", daemon=True)
    thread.start()
    try:
        yield lines.report
    finally:
        ended.set()
        thread.join()

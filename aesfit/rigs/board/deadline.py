# SPDX-License-Identifier: MIT
"""The time that an operation of a debugger may take, and what is said when it is over."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .transport import BoardSilentError

Clock = Callable[[], float]
"""Seconds since a fixed moment; tests put their own in its place."""


class Deadline:
    """One end for all that an operation sends and receives, however much comes in meanwhile."""

    def __init__(self, seconds: float, now: Clock = time.monotonic) -> None:
        """So many seconds for each operation."""
        self._seconds, self._now = seconds, now
        self._allowed = self._end = 0.0
        self._open = False

    @contextmanager
    def operation(self, packets: int = 1) -> Iterator[None]:
        """Time for that many questions with their answers; an operation inside shares its end."""
        if self._open:
            yield
            return
        self._allowed = self._seconds * max(1, packets)
        self._end, self._open = self._now() + self._allowed, True
        try:
            yield
        finally:
            self._open = False

    def left(self) -> float:
        """Seconds that are left, more than 0; BoardSilentError where none are."""
        left = self._end - self._now()
        if left <= 0:
            raise self.silent()
        return left

    def silent(self) -> BoardSilentError:
        """What is said when the time is over."""
        return BoardSilentError(
            f"the debugger gave no answer within {self._allowed:g} s; look at its window and at "
            "the cable, or give it more time: --timeout"
        )

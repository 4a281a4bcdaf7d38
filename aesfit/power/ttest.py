# SPDX-License-Identifier: MIT
"""The fixed against random t-test over all points of a trace.

Goodwill, Jun, Jaffe and Rohatgi, A testing methodology for side-channel resistance validation
(2011); the threshold follows the number of points, as in Ding, Zhang, Durvaux, Standaert and Fei,
Towards sound and optimal leakage detection procedure (CARDIS 2017).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jobs.job import Progress
from .points import PointLayout
from .subjects import TracedSubject

ALPHA: Final = 1e-5
"""Chance that any point of a trace without leakage fails, which a single point has at 4.5."""
CHUNK: Final = 128
"""Traces whose values are held at once."""

MOST_BYTES: Final = 1 << 31
"""Of the traces that are held at once."""
_COPIES = 12
"""Bytes that one point takes on its way to a sum."""

Weigh = Callable[[NDArray[np.uint32]], NDArray[np.generic]]
"""From the words of points to what is observed of each: by default their weights."""


def threshold(points: int) -> float:
    """The |t| that a trace of so many points without leakage reaches with chance ALPHA."""
    each = 1 - (1 - ALPHA) ** (1 / max(1, points))
    return -NormalDist().inv_cdf(each / 2)


@dataclass
class Moments:
    """Count, mean and sum of squared deviations of each point."""

    count: int = 0
    mean: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    squares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def add(self, rows: NDArray[np.float32]) -> None:
        """Further traces."""
        if not len(rows):
            return
        count, mean = len(rows), rows.mean(axis=0, dtype=np.float64)
        squares = np.einsum("ij,ij->j", rows, rows, dtype=np.float64) - count * mean**2
        if self.count == 0:
            self.count, self.mean, self.squares = count, mean, squares
            return
        apart, total = mean - self.mean, self.count + count
        self.squares += squares + apart**2 * self.count * count / total
        self.mean += apart * count / total
        self.count = total

    @property
    def error(self) -> NDArray[np.float64]:
        """Variance of each mean."""
        return np.maximum(self.squares, 0) / max(1, self.count - 1) / max(1, self.count)


def t_values(first: Moments, second: Moments) -> NDArray[np.float64]:
    """Welch's t of each point; infinite where two constants differ, 0 where they are equal."""
    apart = first.mean - second.mean
    error = np.sqrt(first.error + second.error)
    tiny = error < 1e-6
    t = np.divide(apart, error, out=np.zeros_like(apart), where=~tiny)
    t[tiny & (np.abs(apart) > 1e-6)] = np.inf
    return t


@dataclass(frozen=True)
class TTest:
    """What the test found."""

    traces: int
    threshold: float
    t: NDArray[np.float64]
    """Of each point."""
    failed_at: int | None
    """Traces after which a point first failed, looked at after each doubling; None: none did."""
    mean: NDArray[np.float64]
    """Mean weight of each point over random secrets."""


def weights(words: NDArray[np.uint32]) -> NDArray[np.generic]:
    """Hamming weights."""
    found: NDArray[np.generic] = np.bitwise_count(words)
    return found


def every_bit(words: NDArray[np.uint32]) -> NDArray[np.generic]:
    """The bits of each word, lowest first: dependences of two bits cannot cancel out."""
    octets = np.ascontiguousarray(words, "<u4").view(np.uint8)
    found: NDArray[np.generic] = np.unpackbits(octets, axis=1, bitorder="little")
    return found


def check_points(points: int, *, bits: bool) -> None:
    """Raise ValueError for more points than memory is meant for."""
    most = MOST_BYTES // (CHUNK * _COPIES * (32 if bits else 1))
    if points > most:
        raise ValueError(
            f"a trace of {points:,} points takes more than {MOST_BYTES >> 30} GiB, which hold "
            f"{most:,}; choose a shorter function"
        )


def t_test(
    subject: TracedSubject,
    traces: int,
    noise: float,
    progress: Progress = lambda done, total: None,
    weigh: Weigh = weights,
) -> TTest:
    """Half of the traces over fixed secrets, half over random ones, in random order."""
    draw = np.random.default_rng(41)
    classes = Moments(), Moments()
    due, failed_at, done = min(64, traces), None, 0
    t, limit = np.zeros(0), 0.0
    while done < traces:
        upto = min(traces, due)
        for rows, fixed in _chunks(subject, upto - done, noise, draw, weigh):
            classes[0].add(rows[fixed])
            classes[1].add(rows[~fixed])
            done += len(rows)
            progress(done, traces)
        t = t_values(*classes)
        limit = threshold(len(t))
        if failed_at is None and np.abs(t).max(initial=0) > limit:
            failed_at = done
        due *= 2
    return TTest(traces, limit, t, failed_at, classes[1].mean)


def _chunks(
    subject: TracedSubject, traces: int, noise: float, draw: np.random.Generator, weigh: Weigh
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.bool_]]]:
    """Traces with noise, and which of them are over fixed secrets: every second one, shuffled."""
    known: PointLayout = subject.machine.layout
    for start in range(0, traces, CHUNK):
        many = min(CHUNK, traces - start)
        fixed = draw.permutation(many) % 2 == 0
        values = np.empty((many, known.values), np.uint32)
        for row, one in enumerate(fixed):
            values[row] = subject.run(draw, fixed=bool(one))
        yield noisy(weigh(known.seen(values)), noise, draw), fixed


def noisy(
    rows: NDArray[np.generic], noise: float, draw: np.random.Generator
) -> NDArray[np.float32]:  # fmt: skip
    """Traces with Gaussian noise of a standard deviation."""
    found: NDArray[np.float32] = rows.astype(np.float32)
    if noise:
        found += np.float32(noise) * draw.standard_normal(found.shape, np.float32)
    return found

# SPDX-License-Identifier: MIT
"""Correlation power analysis of the first round: how many traces give the whole key away.

Brier, Clavier and Olivier, Correlation Power Analysis with a Leakage Model (CHES 2004).  The guess
of a key byte predicts the output of its S-box.  Its Hamming weight is correlated with each point;
of a core without tables, which may keep the bits of a byte in different words, each bit is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jobs.job import Progress
from ..leaking.schedule import sbox
from .subjects import CoreSubject
from .ttest import CHUNK, noisy, weights

WINDOW: Final = 0.3
"""Share of the points that the attacker looks at, from the first one: set-up and first rounds."""
FEWEST: Final = 10
_EVERY: Final = 16
"""Bytes of the key."""
MOST_BYTES: Final = 1 << 30
"""Of the points of all traces, which are kept."""


@dataclass(frozen=True)
class Attack:
    """What the attack found."""

    traces: int
    """Most traces that it was given."""
    needed: int | None
    """Traces with which each byte of the key ranks first; None: more than it was given."""
    ranks: tuple[tuple[int, tuple[int, ...]], ...]
    """Numbers of traces, each with the rank of every key byte, from 1."""
    snr: float
    """Of the output of the first S-boxes, at the best point of each; the median over them."""
    model: str
    """What of it was predicted."""


def predictions(*, by_bits: bool) -> NDArray[np.float32]:
    """A row for each model, of what a byte p XOR k makes of it; each with mean 0."""
    outputs = sbox()
    bits = np.unpackbits(outputs[:, None], axis=1).T
    rows = (bits if by_bits else np.bitwise_count(outputs)[None, :]).astype(np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows


def check_size(points: int, traces: int) -> None:
    """Raise ValueError for more traces than memory is meant for."""
    used = int(points * WINDOW) + 1
    if used * traces * 4 > MOST_BYTES:
        most = MOST_BYTES // (4 * used)
        raise ValueError(
            f"{traces:,} traces of {used:,} points take more than 1 GiB; ask for {most:,} at most"
        )


def attack(
    subject: CoreSubject,
    traces: int,
    noise: float,
    progress: Progress = lambda done, total: None,
) -> Attack:
    """Attack with ever more traces until the whole key is found, and halve the last step."""
    by_bits = not subject.job.implementation.tables
    check_size(len(subject.machine.layout.points), traces)
    seen = _Seen(subject, traces, noise, progress, predictions(by_bits=by_bits))
    ranks: dict[int, tuple[int, ...]] = {}
    high, low = min(FEWEST, traces), 0
    while not seen.broken(ranks, high) and high < traces:
        low, high = high, min(traces, 2 * high)
    found = seen.broken(ranks, high)
    while found and high - low > max(FEWEST, high // 8):
        middle = (low + high) // 2 // 5 * 5
        low, high = (low, middle) if seen.broken(ranks, middle) else (middle, high)
    model = "each bit" if by_bits else "Hamming weight"
    return Attack(
        traces, high if found else None, tuple(sorted(ranks.items())), seen.snr(), model
    )  # fmt: skip


class _Seen:
    """Traces over random texts, and what they say of guesses."""

    def __init__(
        self, subject: CoreSubject, traces: int, noise: float, progress: Progress,
        models: NDArray[np.float32],
    ) -> None:  # fmt: skip
        self._key, self._models = subject.key, models
        used = int(len(subject.machine.layout.points) * WINDOW) + 1
        self._points = np.empty((traces, used), np.float32)
        self._texts = np.empty((traces, _EVERY), np.uint8)
        done = 0
        for rows, texts in _traced(subject, traces, used, noise):
            self._points[done : done + len(rows)] = rows
            self._texts[done : done + len(rows)] = texts
            done += len(rows)
            progress(done, 2 * traces)
        self._progress, self._told = progress, 0
        moves = self._points[: min(traces, 64)].std(axis=0) > 0
        self._points = self._points[:, moves]

    def broken(self, ranks: dict[int, tuple[int, ...]], many: int) -> bool:
        """The first `many` traces give the whole key; keeps the ranks."""
        if many not in ranks:
            rows = self._points[:many] - self._points[:many].mean(axis=0)
            spread = np.sqrt(np.einsum("ij,ij->j", rows, rows))
            rows /= np.maximum(spread, np.float32(1e-9))
            found = []
            for at in range(_EVERY):
                found.append(self._rank(rows, at))
                self._tell(many, at + 1)
            ranks[many] = tuple(found)
        return set(ranks[many]) == {1}

    def _tell(self, many: int, ranked: int) -> None:
        """The second half of the progress: as far as more traces than before were used."""
        total, before = len(self._texts), self._told
        if many > before:
            self._progress(total + before + (many - before) * ranked // _EVERY, 2 * total)
        if ranked == _EVERY:
            self._told = max(many, before)

    def _rank(self, rows: NDArray[np.float32], at: int) -> int:
        """Rank of the right guess of a byte."""
        scores = self._scores(rows, self._texts[: len(rows), at])
        return int((scores >= scores[self._key[at]]).sum())

    def _scores(self, rows: NDArray[np.float32], texts: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The best correlation of each guess; the sum of those of its models."""
        count = len(rows)
        guessed = texts[:, None] ^ np.arange(256, dtype=np.uint8)
        totals = np.zeros(256)
        sums = _by_value(rows, texts) if count > 256 else None
        for model in self._models:
            predicted = model[guessed]
            predicted -= predicted.mean(axis=0)
            length = np.sqrt(np.einsum("ij,ij->j", predicted, predicted))
            if sums is None:
                found = predicted.T @ rows
            else:
                every = np.arange(256)
                found = model[every[:, None] ^ every] @ sums
            totals += np.abs(found).max(axis=1) / np.maximum(length, 1e-9)
        return totals

    def snr(self) -> float:
        """Signal-to-noise ratio; the point of a byte is chosen on one half of the traces."""
        half, found = len(self._points) // 2, []
        for at in range(_EVERY):
            right = self._texts[:, at] ^ self._key[at]
            found.append(max(_ratio(self._points, model[right], half) for model in self._models))
        return float(np.median(found))


def _ratio(points: NDArray[np.float32], labels: NDArray[np.float32], half: int) -> float:
    """Variance of the means of classes over the mean of their variances."""
    if half < 2:
        return 0.0
    best = int(np.argmax(_ratios(points[:half], labels[:half])))
    return float(_ratios(points[half:, best : best + 1], labels[half:])[0])


def _ratios(points: NDArray[np.float32], labels: NDArray[np.float32]) -> NDArray[np.float64]:
    """The ratio of each point; variances of means are freed of that of their estimates."""
    count, total = len(points), points.mean(axis=0, dtype=np.float64)
    between = np.zeros(points.shape[1])
    within = np.zeros(points.shape[1])
    classes = np.unique(labels)
    for label in classes:
        rows = points[labels == label]
        mean = rows.mean(axis=0, dtype=np.float64)
        between += len(rows) * (mean - total) ** 2
        within += ((rows - mean) ** 2).sum(axis=0, dtype=np.float64)
    error = within / max(1, count - len(classes))
    signal = np.maximum(between - (len(classes) - 1) * error, 0) / count
    ratio: NDArray[np.float64] = np.divide(
        signal, error, out=np.where(signal > 0, np.inf, 0.0), where=error > 1e-9
    )
    return ratio


def _by_value(rows: NDArray[np.float32], texts: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Sums of the rows of each value of a byte."""
    order = np.argsort(texts, kind="stable")
    present, starts = np.unique(texts[order], return_index=True)
    found = np.zeros((256, rows.shape[1]), np.float32)
    found[present] = np.add.reduceat(rows[order], starts, axis=0)
    return found


def _traced(
    subject: CoreSubject, traces: int, used: int, noise: float
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.uint8]]]:
    """Points and texts of traces over random texts."""
    draw = np.random.default_rng(42)
    known = subject.machine.layout
    for start in range(0, traces, CHUNK):
        many = min(CHUNK, traces - start)
        values = np.empty((many, known.values), np.uint32)
        texts = np.empty((many, _EVERY), np.uint8)
        for row in range(many):
            values[row] = subject.run(draw, fixed=False)
            texts[row] = np.frombuffer(subject.text, np.uint8)
        yield noisy(weights(known.seen(values, used)), noise, draw), texts

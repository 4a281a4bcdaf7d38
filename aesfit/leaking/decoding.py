# SPDX-License-Identifier: MIT
"""Finds key bytes from scores of pairs: the guess with the highest sum over its pairs.

It is a beam search: it keeps the best guesses of the first bytes while it adds one byte after
another, beginning at several pairs.  Then single bytes are changed as long as that helps.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = Mapping[tuple[int, int], NDArray[np.floating]]
"""By pair of positions, the lower one first: a row for each guess of its byte."""
_WIDE, _NARROW, _SHORT = 4096, 256, 4
"""Beam width up to so many bytes, and beyond: later bytes need fewer guesses, as each added byte
constrains the others more."""
_STARTS = 4
"""Number of pairs to begin from: those with the highest scores, without common positions."""


def width(positions: int) -> int:
    """Beam width for so many bytes."""
    return _WIDE if positions <= _SHORT else _NARROW


def decoded(
    scores: Scores, group: Sequence[int], values: NDArray[np.int64], *, fixed: bool
) -> dict[int, int]:
    """The best guess by position.

    `values`: possible values of a byte; `fixed`: the group's first byte is taken as 0, because only
    XORs of two bytes can be found.
    """
    best: tuple[float, dict[int, int]] = (-np.inf, {})
    for order in [tuple(group)] if fixed else _orders(scores, group):
        guess = _beam(scores, order, values, np.zeros(1, np.int64) if fixed else values)
        _climb(scores, guess, values, set(order[:1]) if fixed else set())
        best = max(best, (_total(scores, guess), guess), key=lambda one: one[0])
    return best[1]


def _orders(scores: Scores, group: Sequence[int]) -> list[tuple[int, ...]]:
    """Orders of the group's positions, each beginning with another pair."""
    orders: list[tuple[int, ...]] = []
    used: set[int] = set()
    for pair in sorted(scores, key=lambda one: -float(scores[one].max())):
        if used.isdisjoint(pair) and len(orders) < _STARTS:
            used.update(pair)
            orders.append((*pair, *(at for at in group if at not in pair)))
    return orders


def _matrix(scores: Scores, row: int, column: int) -> NDArray[np.floating]:
    return scores[row, column] if row < column else scores[column, row].T


def _beam(
    scores: Scores, order: Sequence[int], values: NDArray[np.int64], first: NDArray[np.int64]
) -> dict[int, int]:
    kept = first[:, None]
    totals = np.zeros(len(first), np.float32)
    for done, at in enumerate(order[1:], 1):
        grown = np.repeat(totals[:, None], len(values), axis=1)
        for place in range(done):
            grown += _matrix(scores, order[place], at)[:, values][kept[:, place]]
        flat = grown.ravel()
        most = min(width(done + 1), len(flat))
        top = np.argpartition(-flat, most - 1)[:most]
        rows, columns = np.divmod(top, len(values))
        kept, totals = np.column_stack((kept[rows], values[columns])), flat[top]
    best = kept[np.argmax(totals)]
    return {at: int(value) for at, value in zip(order, best, strict=True)}


def _climb(
    scores: Scores, guess: dict[int, int], values: NDArray[np.int64], held: set[int]
) -> None:
    """Change single bytes as long as the total grows."""
    changed = True
    while changed:
        changed = False
        for at in guess.keys() - held:
            gain = np.zeros(len(values))
            for other in guess.keys() - {at}:
                gain += _matrix(scores, other, at)[guess[other], values]
            best = int(values[np.argmax(gain)])
            now = float(gain[values == guess[at]][0])
            if best != guess[at] and float(gain.max()) > now:
                guess[at], changed = best, True


def _total(scores: Scores, guess: Mapping[int, int]) -> float:
    return float(sum(matrix[guess[a], guess[b]] for (a, b), matrix in scores.items()))

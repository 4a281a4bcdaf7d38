# SPDX-License-Identifier: MIT
"""Collision attacks: two look-ups of one cache line cost one miss instead of two.

For each pair of positions that are looked up in one table, and each guess of their two key bytes,
the score says how much faster the calls were in which both look-ups fall into one line; its unit is
the standard error of a wrong guess.  Source of the attacks: Bonneau and Mironov, Cache-Collision
Timing Attacks Against AES, CHES 2006 (first round: section 4; last round: section 5); here a guess
covers both key bytes, because a line holds several entries.

All 65,536 guesses of a pair are scored at once: the score is a convolution over XOR, which the
Walsh-Hadamard transform turns into a product.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..measuring.trace import Span
from .decoding import Scores, decoded
from .lookups import ByteLookup, Round
from .schedule import inverse_sbox
from .victim import Timed

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Collisions:
    """One collision attack on one core."""

    which: Round
    lookups: tuple[ByteLookup | None, ...]
    line: int
    """Bytes of a cache line."""

    def groups(self) -> list[tuple[int, ...]]:
        """Groups of two or more positions that share a table."""
        found: dict[int, list[int]] = defaultdict(list)
        for at, one in enumerate(self.lookups):
            if one is not None:
                found[one.table.start].append(at)
        return [tuple(one) for one in found.values() if len(one) > 1]

    def table_of(self, group: tuple[int, ...]) -> Span:
        """The table that a group of positions shares."""
        return self._lookup(group[0]).table

    def values(self, group: tuple[int, ...]) -> int:
        """Guesses of a position's byte that can be distinguished.

        In the last round these are all, because the S-box lies between index and text; in the first
        round one for each line of the table.
        """
        if self.which == "last":
            return 256
        return 256 // max(1, self.line // self._lookup(group[0]).entry)

    def bits(self) -> float:
        """Key bits that a successful attack finds; in the first round those of XORs of bytes."""
        free = {group: len(group) - (self.which == "first") for group in self.groups()}
        return float(sum(many * np.log2(self.values(group)) for group, many in free.items()))

    def found(self, seen: Timed) -> bytes:
        """The best guess of a round key; in the first round each group relative to its first."""
        guess = bytearray(16)
        first = self.which == "first"
        for group in self.groups():
            steps = np.arange(0, 256, 256 // self.values(group))
            for at, value in decoded(self._scores(seen, group), group, steps, fixed=first).items():
                guess[at] = value
        return bytes(guess)

    def right(self, guess: bytes, key: bytes) -> bool:
        """Whether a guess agrees with a round key in all that the attack can find."""
        for group in self.groups():
            other = key[group[0]] if self.which == "first" else 0
            step = 256 // self.values(group)
            if any((guess[at] ^ key[at] ^ other) // step for at in group):
                return False
        return True

    def _lookup(self, at: int) -> ByteLookup:
        found = self.lookups[at]
        assert found is not None  # noqa: S101 - groups() only holds positions with a table
        return found

    def _scores(self, seen: Timed, group: tuple[int, ...]) -> Scores:
        text = (seen.plain if self.which == "first" else seen.cipher).astype(np.int64)
        faster = seen.cycles.mean() - seen.cycles
        members = self._members(group[0])
        shares = members.mean(axis=1)
        share = float((shares**2).sum())
        variance = float(seen.cycles.var()) or 1.0  # all equal: all scores are 0
        error = (len(faster) * variance * share * (1 - share)) ** 0.5
        spectrum = members @ hadamard()
        product = spectrum.T @ spectrum
        return {
            (one, other): pair_scores(text[:, one], text[:, other], faster, product) / error
            for one, other in combinations(group, 2)
        }

    def _members(self, at: int) -> Floats:
        """For each line of the table, which of the 256 values of (text XOR key) lead into it."""
        lines = self._lookup(at).lines(self.line)
        if self.which == "last":
            lines = lines[inverse_sbox()]
        return np.asarray(lines == np.unique(lines)[:, None], np.float32)


def pair_scores(
    one: NDArray[np.int64], other: NDArray[np.int64], faster: Floats, product: Floats
) -> Floats:
    """Sum of `faster` over the calls that collide, for each guess of two key bytes.

    `product`: the transform of the collisions, over (text XOR key) of both positions.
    """
    sums = np.bincount(one * 256 + other, weights=faster, minlength=65536).reshape(256, 256)
    transform = hadamard()
    narrow = sums.astype(np.float32)  # single precision is enough, and takes half the time
    return np.asarray(transform @ (transform @ narrow @ transform * product) @ transform / 65536)


@cache
def hadamard() -> Floats:
    """The Walsh-Hadamard matrix of 256 rows: entry (a, b) is (-1)^popcount(a AND b)."""
    found = np.ones((1, 1), np.float32)
    for _ in range(8):
        found = np.kron(found, np.array([[1, 1], [1, -1]], np.float32))
    return found

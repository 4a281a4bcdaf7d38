# SPDX-License-Identifier: MIT
"""Bernstein's attack: correlates mean times by text byte under two keys.

The attacker times the same program under a key of his own.  The cost of a value of (text XOR key)
is the same for both keys, so each guess of a key byte permutes the victim's means relative to the
attacker's, and the guess with the best correlation is tried first.  Source: Bernstein, Cache-timing
attacks on AES, 2005.
"""

import numpy as np
from numpy.typing import NDArray

from .victim import Bytes, Timed

Floats = NDArray[np.float64]
CHANCE = 128.5
"""Mean rank of the right byte if timings reveal nothing: the middle of 1 to 256."""


def means(seen: Timed, key: bytes) -> Floats:
    """By position and by value of (text XOR key): cycles beyond the mean of all calls."""
    mixed: Bytes = seen.plain ^ np.frombuffer(key, np.uint8)
    beyond = seen.cycles - seen.cycles.mean()
    found = np.zeros((16, 256))
    for at in range(16):
        many = np.bincount(mixed[:, at], minlength=256)
        sums = np.bincount(mixed[:, at], weights=beyond, minlength=256)
        found[at] = sums / np.maximum(many, 1)
    return found


def ranks(own: Floats, victims: Floats, key: bytes) -> Floats:
    """Rank of each byte of the victim's key among 256 guesses, from 1; ties get the mean rank.

    `own`: means under the attacker's key; `victims`: by text alone, as under the key of zeros.
    """
    shifts = np.arange(256)[:, None] ^ np.arange(256)
    found = np.zeros(16)
    for at in range(16):
        scores = own[at][shifts] @ victims[at]
        right = scores[key[at]]
        found[at] = (scores > right).sum() + ((scores == right).sum() + 1) / 2
    return found


def bits(typical: Floats) -> Floats:
    """Bits that a rank saves compared with chance; 0 if it saves none."""
    return np.asarray(np.maximum(0.0, np.log2(CHANCE / typical)))

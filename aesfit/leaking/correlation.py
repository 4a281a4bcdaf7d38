# SPDX-License-Identifier: MIT
"""Bernstein's correlation of mean times by byte of the text, under two keys.

The attacker times the same program under a key of his own.  What a byte of (text XOR key) costs is
the same for both, so each guess of a key byte shifts the victim's means over the attacker's, and
the guess that fits best is tried first.  Source: Bernstein, Cache-timing attacks on AES, 2005.
"""

import numpy as np
from numpy.typing import NDArray

from .victim import Bytes, Timed

Floats = NDArray[np.float64]
CHANCE = 128.5
"""Mean rank of the right byte where timings show nothing: the middle of 1 to 256."""


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
    """Place of each byte of the victim's key among 256 guesses, from 1; equal ones in the middle.

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
    """Bits that a rank saves against the rank of chance; 0 where it saves none."""
    return np.asarray(np.maximum(0.0, np.log2(CHANCE / typical)))

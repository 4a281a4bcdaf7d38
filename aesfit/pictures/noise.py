# SPDX-License-Identifier: MIT
"""Bytes to compare with encrypted pictures: an ideal ECB, and an insecure generator."""

from collections.abc import Iterator

import numpy as np

from .statistics import BLOCK, Bytes, as_bytes, blocks

_SEED = 197


def ideal_ecb(data: bytes, draws: int) -> Iterator[bytes]:
    """ECB with an ideal block cipher: each distinct block becomes 16 random bytes.

    Yields independent draws, the same in every run.  The data may be ciphertext or plaintext: only
    the equality of blocks matters, and ECB keeps it.
    """
    random = np.random.default_rng(_SEED)
    distinct, which = np.unique(blocks(data), return_inverse=True)
    remainder = len(data) % BLOCK
    for _ in range(draws):
        table = random.integers(0, 256, (len(distinct), BLOCK), np.uint8)
        yield table[which].tobytes() + random.bytes(remainder)


def lcg_bytes(size: int) -> Bytes:
    """High bytes of a linear congruential generator modulo 2^32, from the state 1 on.

    x' = 1664525 x + 1013904223 (D. E. Knuth's multiplier, as in Numerical Recipes).  Its state
    follows from a few outputs, so XOR with it hides nothing from anyone who knows a little of the
    picture.
    """
    powers = np.full(size + 1, 1664525, np.uint32)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint32)
    sums = np.cumsum(powers[:-1], dtype=np.uint32)
    states = powers[1:] + np.uint32(1013904223) * sums
    return (states >> 24).astype(np.uint8)


def lcg_encrypt(data: bytes) -> bytes:
    """XOR with lcg_bytes: not a cipher, though the metrics cannot tell."""
    return (as_bytes(data) ^ lcg_bytes(len(data))).tobytes()

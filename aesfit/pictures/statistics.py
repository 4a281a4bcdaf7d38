# SPDX-License-Identifier: MIT
"""Statistics of pictures as papers on image encryption use them: pure functions on bytes.

A plane is an array of bytes with rows and columns: one channel of a picture, or the high or the low
bytes of a 16-bit channel.  None means that a figure is undefined for so small or so flat a plane.
No figure here says anything about security: any good noise gives the values of random bytes.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
BLOCK = 16
"""Bytes that AES encrypts at once (FIPS 197)."""
TILE = 16
"""Pixels of an edge of the square tiles of `local_entropy`."""


@dataclass(frozen=True)
class Correlation:
    """Correlation coefficients of neighbours, each from -1 to 1."""

    horizontal: float | None
    vertical: float | None
    diagonal: float | None


def as_bytes(data: bytes | bytearray | memoryview | NDArray[np.generic]) -> Bytes:
    """The bytes of a buffer or of an array of any shape, in the order of its rows."""
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    return np.frombuffer(data, np.uint8)


def blocks(data: bytes | bytearray | memoryview | NDArray[np.generic]) -> NDArray[np.bytes_]:
    """The whole 16-byte blocks from the first byte on; a rest is left out.

    Items compare like their 16 bytes, although the type drops trailing zeros.
    """
    flat = as_bytes(data)
    whole = len(flat) // BLOCK * BLOCK
    return flat[:whole].view(f"S{BLOCK}")


def repeated_blocks(data: bytes | bytearray | memoryview | NDArray[np.generic]) -> float:
    """Share of the 16-byte blocks whose value occurs more than once, from 0 to 1.

    Every occurrence counts, the first too.  A block cipher keeps equal blocks equal at any number
    of rounds, so ECB keeps this share (Doomun et al., figure 4).  ValueError below 16 bytes.
    """
    whole = blocks(data)
    if not len(whole):
        raise ValueError("the share of repeated blocks needs at least one block of 16 bytes")
    _, counts = np.unique(whole, return_counts=True)
    return float(counts[counts > 1].sum()) / len(whole)


def histogram(plane: Bytes) -> NDArray[np.int64]:
    """How often each of the values 0 to 255 occurs."""
    return np.bincount(plane.reshape(-1), minlength=256)


def entropy(counts: NDArray[np.int64]) -> float:
    """Shannon entropy in bits a byte, from 0 (one value) to 8 (all 256 equally often).

    -sum p log2 p over the shares p of the values (C. E. Shannon, A Mathematical Theory of
    Communication, 1948).
    """
    shares = counts[counts > 0] / counts.sum()
    return float(abs(np.sum(shares * np.log2(shares))))


def local_entropy(plane: Bytes) -> float | None:
    """Mean entropy of the 16x16 tiles, in bits a byte; None if no tile fits.

    It follows the local Shannon entropy of Wu et al. (Information Sciences 222, 2013), which
    detects what global entropy misses: a smooth gradient has 8 bits globally and few locally.  They
    average 30 random blocks of 44x44.  Here all whole tiles are used: this needs no random numbers,
    covers every region and suits pictures too small for 30 such blocks.  Tiles of 256 bytes cannot
    reach 8: random bytes have 7.1750 (expectation.py).
    """
    rows, columns = (int(edge) // TILE for edge in plane.shape)
    if not rows * columns:
        return None
    total = 0.0
    for row in range(rows):
        band = plane[row * TILE : (row + 1) * TILE, : columns * TILE]
        tiles = band.reshape(TILE, columns, TILE).swapaxes(0, 1).reshape(columns, -1)
        keys = tiles + 256 * np.arange(columns)[:, None]
        counts = np.bincount(keys.reshape(-1), minlength=256 * columns).reshape(columns, 256)
        total += float(np.sum(_TERMS[counts]))
    return total / (rows * columns)


_TERMS: Floats = np.array(
    [0.0, *(-n / TILE**2 * np.log2(n / TILE**2) for n in range(1, TILE**2 + 1))]
)
"""The term, in bits, of a value that occurs n times in the entropy of a tile."""


def chi_square(counts: NDArray[np.int64]) -> float:
    """Pearson's chi-square against equal frequencies, from 0 (flat) to 255 N (one value).

    sum (n - N/256)^2 / (N/256) over the 256 values; 255 degrees of freedom.
    """
    even = counts.sum() / 256
    return float(np.sum((counts - even) ** 2) / even)


def _product(first: Bytes, second: Bytes) -> int:
    """Exact sum of the products, each of which fits in 16 bits."""
    return int(np.multiply(first, second, dtype=np.uint16).sum(dtype=np.int64))


def _coefficient(first: Bytes, second: Bytes) -> float | None:
    """Pearson's coefficient over all pairs; None below two pairs, or if one side is constant.

    All sums are integers, so rounding cannot make a constant side look variable.
    """
    n = int(first.size)
    sx, sy = int(first.sum(dtype=np.int64)), int(second.sum(dtype=np.int64))
    spread = (n * _product(first, first) - sx * sx) * (n * _product(second, second) - sy * sy)
    if n < 2 or not spread:
        return None
    return float(n * _product(first, second) - sx * sy) / math.sqrt(spread)


def correlation(plane: Bytes) -> Correlation:
    """Correlations of each byte with its neighbours to the right, below, and diagonally below.

    Pearson's coefficient, from -1 to 1; photographs have 0.9 and more, random bytes about 0.
    """
    return Correlation(
        horizontal=_coefficient(plane[:, :-1], plane[:, 1:]),
        vertical=_coefficient(plane[:-1], plane[1:]),
        diagonal=_coefficient(plane[:-1, :-1], plane[1:, 1:]),
    )


def npcr(first: Bytes, second: Bytes) -> float:
    """Number of changing pixel rate: share of the bytes that differ, in percent, 0 to 100.

    Wu, Noonan, Agaian: NPCR and UACI Randomness Tests for Image Encryption, 2011.
    """
    _check_alike(first, second)
    return float(np.count_nonzero(first != second)) * 100 / first.size


def uaci(first: Bytes, second: Bytes) -> float:
    """Unified averaged changed intensity: mean of |a - b| / 255, in percent, 0 to 100.

    The same source as of `npcr`.
    """
    _check_alike(first, second)
    apart = np.maximum(first, second) - np.minimum(first, second)
    return float(apart.sum(dtype=np.int64)) * 100 / (255 * first.size)


def _check_alike(first: Bytes, second: Bytes) -> None:
    if first.shape != second.shape:
        raise ValueError(f"pictures of {first.shape} and {second.shape} cannot be compared")
    if not first.size:
        raise ValueError("pictures without a byte cannot be compared")

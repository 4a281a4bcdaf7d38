# SPDX-License-Identifier: MIT
"""What encryption leaves visible of a picture, predicted from the picture, without a key.

ECB keeps equal blocks equal and different ones different under every key and number of rounds.
Blocks that differ share bytes only until their difference has reached every byte.  It is followed
byte by byte: SubBytes keeps an equal byte equal and a different one different, ShiftRows
moves bytes, and in MixColumns a column of n different bytes gives an equal byte with the chance
`_zero(n)`, if differences are random and independent.  Exact for 1 round; derived for 2 and 3,
whose columns mix bytes with independent differences; approximated from 4 on, where all is near
chance.
"""

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from .picture_file import Picture
from .statistics import BLOCK, Bytes, Floats, as_bytes, blocks

Flags = NDArray[np.bool_]
ROUNDS = range(1, 15)
HIDDEN, SIMILAR, REPEATED, AREA = range(4)
"""Classes of blocks: like noise; shares bytes with a neighbour; occurs elsewhere too; lies beside
an equal block."""
_ROWS = np.arange(BLOCK) % 4
_SHIFTED = (np.arange(BLOCK) + 4 * _ROWS) % BLOCK
"""Byte s of a state after ShiftRows is byte _SHIFTED[s] before it (FIPS 197, 5.1.2)."""
_CHANCE = 1 / 256
_FACTOR = 4
"""Blocks count as similar if they are predicted to share so many times the bytes of chance."""


@dataclass(frozen=True)
class Visible:
    """What ECB shows of a picture."""

    name: str
    blocks: int
    distinct: int
    """Different values among them."""
    similar: tuple[float, ...]
    """Expected share of equal bytes of neighbours that differ, after 1, 2, 3 ... rounds."""
    classes: NDArray[np.uint8]
    """The class of each block."""

    def share(self, kind: int) -> float:
        """Share of blocks of this class or a more visible one."""
        return float((self.classes >= kind).mean())


@dataclass(frozen=True)
class Reused:
    """What a second picture under the same key and IV shows; shares from 0 to 1."""

    xor: Bytes
    """CTR, OFB and GCM: the XOR of the pictures, which is that of the ciphertexts."""
    equal_bytes: float
    """CTR, OFB and GCM: bytes of the XOR that are 0."""
    equal_blocks: float
    """XTS: blocks at the same place that have equal ciphertexts."""
    common_start: float
    """CBC and CFB: blocks before the first difference."""


def _zero(different: int) -> float:
    """The chance that MixColumns gives an equal byte from so many different ones in a column.

    Every coefficient is invertible, so the last of n differences cancels the others with a chance
    of 1 in 255, if they do not cancel each other.
    """
    chance = 1.0
    for number in range(different):
        chance = (1 - chance) / 255 if number else 0.0
    return chance


_ZERO = np.array([_zero(number) for number in range(5)])


def _mixed(differ: Floats) -> Floats:
    """Chances that bytes differ after MixColumns, a row for each state."""
    columns = differ.reshape(-1, 4)
    count = np.zeros((len(columns), 5))
    count[:, 0] = 1.0
    for byte in range(4):
        p = columns[:, byte : byte + 1]
        moved = count * (1 - p)
        moved[:, 1:] += count[:, :-1] * p
        count = moved
    return np.repeat(1.0 - count @ _ZERO, 4).reshape(differ.shape)


def equal_bytes(differ: Flags) -> Floats:
    """Expected number of equal bytes, 0 to 16, of pairs of blocks: a row for each of ROUNDS.

    `differ` has a row of 16 for each pair: whether the bytes differ in the plaintext.  The last
    round has no MixColumns, as in FIPS 197.
    """
    chance = differ.astype(np.float64)
    found = [BLOCK - chance.sum(axis=1)]
    for _ in ROUNDS[1:]:
        chance = _mixed(chance[:, _SHIFTED])
        found.append(BLOCK - chance.sum(axis=1))
    return np.stack(found)


def neighbours(picture: Picture) -> tuple[int, ...]:
    """Distances of neighbours in blocks: to the right, and about one row of pixels down.

    Both are whole periods of the channels, 3 blocks where a pixel has 3 bytes: neighbours in an
    area of one colour are then equal.
    """
    period = lcm(picture.pixels[0, 0].nbytes, BLOCK) // BLOCK
    down = period * max(1, round(picture.pixels[0].nbytes / (BLOCK * period)))
    return tuple(dict.fromkeys((period, down)))


def _different(values: Bytes, lag: int) -> NDArray[np.uint16]:
    """Which bytes of each block differ from those of the one `lag` before it, a bit for each."""
    packed = np.packbits(values[lag:] != values[:-lag], axis=1)
    return packed.view(">u2").reshape(-1).astype(np.uint16)


def _masks(found: NDArray[np.int64]) -> Flags:
    """The bits of _different() as flags."""
    return np.unpackbits(found[:, None].astype(">u2").view(np.uint8), axis=1).astype(np.bool_)


def visible(picture: Picture, rounds: int = 10) -> Visible:
    """What ECB with so many rounds shows; ValueError if there is no whole block."""
    if rounds not in ROUNDS:
        raise ValueError(f"{rounds} rounds are not possible; give {ROUNDS[0]} to {ROUNDS[-1]}")
    whole = blocks(picture.data)
    if not len(whole):
        raise ValueError(f"{picture.name} has fewer than {BLOCK} bytes of pixels: no block to show")
    values = as_bytes(picture.data)[: BLOCK * len(whole)].reshape(-1, BLOCK)
    _, which, counts = np.unique(whole, return_inverse=True, return_counts=True)
    classes = np.where(counts[which] > 1, REPEATED, HIDDEN).astype(np.uint8)
    lags = neighbours(picture)
    different = [_different(values, lag) for lag in lags]
    seen = np.bincount(np.concatenate(different), minlength=1 << BLOCK)
    there = np.flatnonzero(seen[1:]) + 1
    alike = equal_bytes(_masks(there))
    kinds = np.zeros(1 << BLOCK, np.uint8)
    kinds[0], kinds[there] = AREA, SIMILAR * (alike[rounds - 1] > _FACTOR * _CHANCE * BLOCK)
    for lag, one in zip(lags, different, strict=True):
        for side in (classes[lag:], classes[:-lag]):
            np.maximum(side, kinds[one], out=side)
    similar = np.average(alike, axis=1, weights=seen[there]) / BLOCK if len(there) else np.zeros(0)
    return Visible(picture.name, len(whole), len(counts), tuple(similar.tolist()), classes)


def equal_places(xor: Bytes) -> Flags:
    """Whether each block of an XOR is 0."""
    whole = xor[: len(xor) // BLOCK * BLOCK].reshape(-1, BLOCK)
    return np.asarray((whole == 0).all(axis=1))


def reused(first: Picture, second: Picture) -> Reused:
    """What two pictures under the same key and IV show; ValueError if their samples differ."""
    one, two = (picture.pixels for picture in (first, second))
    if one.shape != two.shape or one.dtype != two.dtype:
        raise ValueError(
            f"{second.name} has other pixels than {first.name} "
            f"({second.width} x {second.height} {second.mode}, not {first.width} x {first.height} "
            f"{first.mode}); give pictures of one size and kind"
        )
    xor = as_bytes(first.data) ^ as_bytes(second.data)
    same = equal_places(xor)
    start = float(np.logical_and.accumulate(same).mean()) if len(same) else 0.0
    equal = float(same.mean()) if len(same) else 0.0
    return Reused(xor, float((xor == 0).mean()), equal, start)

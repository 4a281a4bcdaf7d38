# SPDX-License-Identifier: MIT
"""The key schedule of AES-128, forwards and inverted; the S-box is taken from the library."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from .. import _native

_FIRST_OF_ROUND_1 = 0x62
"""Byte 0 of round key 1 under the key of zeros: S(0) = 63h and rcon 1 (FIPS 197, 5.2)."""


@cache
def sbox() -> NDArray[np.uint8]:
    """The S-box, from one round of the library's cipher under the key of zeros."""
    one_round = _native.AES.study(bytes(16), 1)
    blocks = (one_round.encrypt_block(bytes([value]).ljust(16, b"\0")) for value in range(256))
    return np.array([block[0] ^ _FIRST_OF_ROUND_1 for block in blocks], np.uint8)


@cache
def inverse_sbox() -> NDArray[np.uint8]:
    """The inverse of the S-box."""
    return np.argsort(sbox()).astype(np.uint8)


_CONSTANTS = (0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36)
"""The round constants: powers of x in the field (rcon of FIPS 197, 5.2)."""


def round_keys(key: bytes) -> list[bytes]:
    """The 11 round keys of a key of 128 bits."""
    found = [key]
    for constant in _CONSTANTS:
        found.append(_next(found[-1], constant))
    return found


def cipher_key(last: bytes) -> bytes:
    """The key that has a given last round key."""
    for constant in reversed(_CONSTANTS):
        words = [last[at : at + 4] for at in range(0, 16, 4)]
        tail = b"".join(_xor(words[at], words[at - 1]) for at in (1, 2, 3))
        last = _xor(words[0], _core(tail[8:], constant)) + tail
    return last


def _next(key: bytes, constant: int) -> bytes:
    words = [_xor(key[:4], _core(key[12:], constant))]
    for at in (4, 8, 12):
        words.append(_xor(key[at : at + 4], words[-1]))
    return b"".join(words)


def _core(word: bytes, constant: int) -> bytes:
    rotated = bytes(int(sbox()[byte]) for byte in word[1:] + word[:1])
    return bytes([rotated[0] ^ constant]) + rotated[1:]


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))

# SPDX-License-Identifier: MIT
"""Which addresses an access may have: the processors' rules of alignment."""

from typing import Final

from .convention import Convention

_WORDWISE: Final = ("ldm", "stm", "ldrd", "strd", "push", "pop")
"""Instructions that need aligned addresses on ARMv7-M too (ARM DDI 0403E, A3.2.1)."""
_VECTOR: Final = 16
_ANYWHERE: Final = ("movdqu", "movups", "movupd", "lddqu", "v")
"""Instructions of x86 that take 16 bytes at any address (Intel SDM, volume 1, 10.4.1.1, 14.9)."""


def alignment(text: str, convention: Convention, size: int) -> int:
    """What the addresses of the instruction's accesses of `size` bytes must be multiples of."""
    if size == _VECTOR and not text.startswith(_ANYWHERE):
        return _VECTOR
    wordwise = convention.thumb and text.startswith(_WORDWISE)
    return min(size, 4) if convention.aligned or wordwise else 1

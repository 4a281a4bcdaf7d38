# SPDX-License-Identifier: MIT
"""Which addresses an access may have: the processors' rules of alignment."""

from typing import Final

from .code import Code
from .convention import Convention

_WORDWISE: Final = ("ldm", "stm", "ldrd", "strd", "push", "pop")
"""Instructions that need aligned addresses on ARMv7-M too (ARM DDI 0403E, A3.2.1)."""
_VECTOR: Final = 16
_ANYWHERE: Final = ("movdqu", "movups", "movupd", "lddqu", "v")
"""Instructions of x86 that take 16 bytes at any address (Intel SDM, volume 1, 10.4.1.1, 14.9)."""


def is_unaligned(code: Code, convention: Convention, pc: int, address: int, size: int) -> bool:
    """The instruction at `pc` may not access `size` bytes at `address`."""
    text = code.text(pc)
    strict = convention.aligned or (convention.thumb and text.startswith(_WORDWISE))
    whole = size == _VECTOR and not text.startswith(_ANYWHERE)
    return bool((address % min(size, 4) and strict) or (address % 16 and whole))

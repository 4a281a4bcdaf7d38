# SPDX-License-Identifier: MIT
"""Which bytes of an encrypted picture change if one bit of the picture changes.

This follows from the modes in NIST SP 800-38A and 38D, and from cipher.py's rule for the rest after
whole blocks in ECB and CBC: it is XORed with E(the previous ciphertext block).
"""

from dataclasses import dataclass

from .statistics import BLOCK

PLACES = ("first", "middle", "last")
_STREAMS = ("ctr", "ofb", "gcm", "lcg")
"""Modes that XOR with bytes independent of the picture."""


@dataclass(frozen=True)
class Spread:
    """The bytes that change; all others stay the same."""

    size: int
    """Bytes of the picture."""
    flipped: int | None
    """The only changed bit of its byte, if there is such a byte."""
    redrawn: range
    """Range of bytes that are redrawn as if at random; may be empty."""

    @property
    def flips(self) -> tuple[int, ...]:
        """Change of the byte with the flipped bit: 1 to 128; empty without one."""
        return () if self.flipped is None else (128 >> self.flipped % 8,)

    @property
    def short(self) -> str:
        """A short text on what changes."""
        anew = [f"{len(self.redrawn):,} bytes"] if self.redrawn else []
        return ", ".join(([] if self.flipped is None else ["1 bit"]) + anew)


def bit_position(text: str, size: int) -> int:
    """Number of a bit of so many bytes: first, middle, last, or a number from 0.

    Bit 0 is the highest of byte 0, as in FIPS 197.  ValueError for other text.
    """
    bits = 8 * size
    places = dict(zip(PLACES, (0, bits // 2, bits - 1), strict=True))
    if text in places:
        return places[text]
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ValueError(f"'{text}' is not a bit; give first, middle, last or a number from 0")
    if int(text) >= bits:
        raise ValueError(f"there is no bit {text}; the last of the picture is {bits - 1}")
    return int(text)


def spread(mode: str, size: int, bit: int) -> Spread:
    """What one changed bit of a picture of `size` bytes changes under a mode of cipher.py."""
    start = bit // 8 // BLOCK * BLOCK
    after, whole = start + BLOCK, size // BLOCK * BLOCK
    if mode == "cfb":
        return Spread(size, bit, range(after, max(after, size)))
    if mode in _STREAMS or start == whole:
        return Spread(size, bit, range(0))
    if mode == "cbc":
        return Spread(size, None, range(start, size))
    # ECB: the rest depends on the last whole block
    return Spread(size, None, range(start, size if after == whole else after))


def flip(data: bytes, bit: int) -> bytes:
    """A copy with one bit flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 128 >> bit % 8
    return bytes(changed)

# SPDX-License-Identifier: MIT
"""AES as FIPS 197 writes it, over bytes whose bits are forms.

This is the specification that images are compared with; the tests hold it to FIPS 197, C.1 to C.3.
The S-box is computed from its definition (5.1.1), so no table is shared with the library.
"""

from collections.abc import Sequence
from functools import cache

from .tables import Bits
from .words import constant
from .zones import Atoms

Byte = Bits
"""Eight forms."""


def _times(a: int, b: int) -> int:
    """Product in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1 (4.2)."""
    total = 0
    for at in range(8):
        total ^= (a << at) * (b >> at & 1)
    for at in range(14, 7, -1):
        total ^= (0x11B << (at - 8)) * (total >> at & 1)
    return total


@cache
def sbox() -> tuple[int, ...]:
    """The inverse in the field (0 for 0), then the affine map (5.1.1)."""
    found = []
    for x in range(256):
        inverse = next((y for y in range(256) if _times(x, y) == 1), 0)
        rotated = [(inverse << turn | inverse >> (8 - turn)) & 0xFF for turn in range(5)]
        found.append(rotated[0] ^ rotated[1] ^ rotated[2] ^ rotated[3] ^ rotated[4] ^ 0x63)
    return tuple(found)


@cache
def inverse_sbox() -> tuple[int, ...]:
    """Undoes the S-box (5.3.2)."""
    found = [0] * 256
    for x, y in enumerate(sbox()):
        found[y] = x
    return tuple(found)


@cache
def _truth_tables(box: tuple[int, ...]) -> tuple[int, ...]:
    """Of the eight bits of a box's result, over the eight bits of its input."""
    return tuple(sum((y >> bit & 1) << x for x, y in enumerate(box)) for bit in range(8))


def xor(*values: Byte) -> Byte:
    """Sum of bytes."""
    return tuple(_sum(bits) for bits in zip(*values, strict=True))


def _sum(bits: Sequence[int]) -> int:
    total = 0
    for bit in bits:
        total ^= bit
    return total


def times(factor: int, value: Byte) -> Byte:
    """Product with a number in the field."""
    return tuple(_sum([value[at] for at in taken]) for taken in _summands(factor))


@cache
def _summands(factor: int) -> tuple[tuple[int, ...], ...]:
    """Which bits of a byte each bit of its product with a number is the sum of."""
    products = [_times(factor, 1 << at) for at in range(8)]
    return tuple(
        tuple(at for at, product in enumerate(products) if product >> to & 1) for to in range(8)
    )


class Aes:
    """The cipher for one key, over the atoms of one proof."""

    def __init__(self, atoms: Atoms, key: Sequence[Byte]) -> None:
        """A key of 16, 24 or 32 bytes."""
        self._atoms = atoms
        self.rounds = len(key) // 4 + 6
        self.words = self._expanded(key)

    def substituted(self, value: Byte, box: tuple[int, ...]) -> Byte:
        """A byte through an S-box."""
        if all(bit < 2 for bit in value):
            return constant(box[sum(bit << at for at, bit in enumerate(value))], 8)
        return tuple(self._atoms.of_tables(value, _truth_tables(box)))

    def _expanded(self, key: Sequence[Byte]) -> list[list[Byte]]:
        """KeyExpansion (5.2)."""
        size = len(key) // 4
        words = [list(key[4 * at : 4 * at + 4]) for at in range(size)]
        factor = 1
        for at in range(size, 4 * (self.rounds + 1)):
            word = words[-1]
            if at % size == 0:
                word = [self.substituted(one, sbox()) for one in (*word[1:], word[0])]
                word[0] = xor(word[0], constant(factor, 8))
                factor = _times(2, factor)
            elif size > 6 and at % size == 4:
                word = [self.substituted(one, sbox()) for one in word]
            words.append([xor(a, b) for a, b in zip(words[at - size], word, strict=True)])
        return words

    def _key_added(self, state: list[Byte], number: int) -> list[Byte]:
        """AddRoundKey (5.1.4)."""
        key = [one for word in self.words[4 * number : 4 * number + 4] for one in word]
        return [xor(a, b) for a, b in zip(state, key, strict=True)]

    def encrypt(self, block: Sequence[Byte]) -> list[Byte]:
        """Cipher (5.1); byte r + 4 c of the block is row r, column c of the state."""
        state = self._key_added(list(block), 0)
        for number in range(1, self.rounds + 1):
            state = [self.substituted(one, sbox()) for one in state]
            state = rows_shifted(state, 1)
            if number < self.rounds:
                state = columns_mixed(state, COLUMN)
            state = self._key_added(state, number)
        return state

    def decrypt(self, block: Sequence[Byte]) -> list[Byte]:
        """InvCipher (5.3)."""
        state = self._key_added(list(block), self.rounds)
        for number in range(self.rounds - 1, -1, -1):
            state = rows_shifted(state, -1)
            state = [self.substituted(one, inverse_sbox()) for one in state]
            state = self._key_added(state, number)
            if number:
                state = columns_mixed(state, INVERSE_COLUMN)
        return state


COLUMN, INVERSE_COLUMN = (2, 3, 1, 1), (14, 11, 13, 9)
"""First rows of the matrices of MixColumns (5.1.3) and InvMixColumns (5.3.3)."""


def rows_shifted(state: Sequence[Byte], by: int) -> list[Byte]:
    """ShiftRows (5.1.2) by 1, InvShiftRows (5.3.1) by -1."""
    return [state[(at + 4 * by * (at % 4)) % 16] for at in range(16)]


def columns_mixed(state: Sequence[Byte], row: tuple[int, ...]) -> list[Byte]:
    """MixColumns and InvMixColumns, by the first row of the matrix."""
    found = []
    for at in range(16):
        column = state[at // 4 * 4 : at // 4 * 4 + 4]
        found.append(xor(*(times(row[(k - at) % 4], column[k]) for k in range(4))))
    return found

# SPDX-License-Identifier: MIT
"""GCM as SP 800-38D writes it, over bytes whose bits are forms.

The product of two blocks is Algorithm 1 to the letter.  Where both are secret its bits are named
(bilinear.py), so that the next block multiplies 128 atoms and not 128 sums of products.
"""

from collections.abc import Callable, Sequence

from .bilinear import LinearSpan
from .fips197 import Aes, Byte
from .standards import Text, added, blocks, counted, padded, text
from .zones import Atoms

_POLYNOMIAL = (0, 1, 2, 7)
"""Bits of the block R that are 1 (6.3): x^128 = 1 + x + x^2 + x^7."""


def _strings(block: Sequence[Byte]) -> list[int]:
    """The bits of a block, the leftmost first (6.1)."""
    return [bit for byte in block for bit in reversed(byte)]


def _text(bits: Sequence[int]) -> Text:
    return [tuple(reversed(bits[at : at + 8])) for at in range(0, len(bits), 8)]


def named_product(
    atoms: Atoms, x: Sequence[int], v: Sequence[int], times_x: Callable[[Sequence[int]], list[int]]
) -> list[int]:
    """The sum of v times x^i over the bits i of `x` that are 1, with names where both are secret.

    `times_x`: of the field.
    """
    left, right = LinearSpan(x), LinearSpan(v)
    pairing = None if left.empty or right.empty else atoms.pair(left, right)
    z = [0] * 128
    for bit in x:
        z = [
            one ^ (atoms.product(bit, other) if other else 0)
            for one, other in zip(z, v, strict=True)
        ]
        v = times_x(v)
    return z if pairing is None else [pairing.name(one, *atoms.fresh(1)) for one in z]


def _times_x(v: Sequence[int]) -> list[int]:
    last, found = v[127], [0, *v[:127]]
    for at in _POLYNOMIAL:
        found[at] ^= last
    return found


def multiplied(atoms: Atoms, block: Sequence[Byte], key: Sequence[Byte]) -> Text:
    """Algorithm 1 of 6.3: X times Y, `block` times `key`."""
    return _text(named_product(atoms, _strings(block), _strings(key), _times_x))


def ghash(atoms: Atoms, key: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """Algorithm 2 of 6.4, for whole blocks."""
    y = text(bytes(16))
    for block in blocks(data):
        y = multiplied(atoms, added(y, block), key)
    return y


def _first_counter(atoms: Atoms, key: Sequence[Byte], nonce: Sequence[Byte]) -> Text:
    """J0 of 7.1: nonces of 12 bytes are used as they are, all others are hashed."""
    if len(nonce) == 12:
        return [*nonce, *text((1).to_bytes(4, "big"))]
    length = text((8 * len(nonce)).to_bytes(16, "big"))
    return ghash(atoms, key, [*padded(nonce), *length])


def _counted(atoms: Atoms, counter: Sequence[Byte], times: int) -> Text:
    """inc32 of 6.2, which counts in the last four bytes, applied so many times."""
    return [*counter[:12], *counted(atoms, counter[12:], times)]


def _gctr(atoms: Atoms, aes: Aes, first: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """Algorithm 3 of 6.5, from the counter behind the first."""
    found: Text = []
    for times, block in enumerate(blocks(data), 1):
        found += added(block, aes.encrypt(_counted(atoms, first, times)))
    return found


def gcm(
    atoms: Atoms,
    aes: Aes,
    nonce: Sequence[Byte],
    ad: Sequence[Byte],
    data: Sequence[Byte],
    tag: int,
) -> tuple[Text, Text]:
    """Algorithm 4 of 7.1: ciphertext and tag."""
    key = aes.encrypt(text(bytes(16)))
    first = _first_counter(atoms, key, nonce)
    mask = aes.encrypt(first)
    sealed = _gctr(atoms, aes, first, data)
    lengths = text((8 * len(ad)).to_bytes(8, "big") + (8 * len(data)).to_bytes(8, "big"))
    hashed = ghash(atoms, key, [*padded(ad), *padded(sealed), *lengths])
    return sealed, added(hashed, mask)[:tag]

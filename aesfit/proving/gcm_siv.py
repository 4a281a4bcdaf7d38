# SPDX-License-Identifier: MIT
"""GCM-SIV as RFC 8452 writes it, over bytes whose bits are forms.

POLYVAL is that of section 3, in its own field; the library's goes by way of GHASH (appendix A).
"""

from collections.abc import Sequence

from .fips197 import Aes, Byte
from .galois import named_product
from .standards import Text, added, blocks, counted, padded, text
from .zones import Atoms

_POLYNOMIAL = (0, 121, 126, 127)
"""x^128 = x^127 + x^126 + x^121 + 1 (3)."""


def _times_x(element: Sequence[int]) -> list[int]:
    top, found = element[127], [0, *element[:127]]
    for at in _POLYNOMIAL:
        found[at] ^= top
    return found


def _over_x(element: Sequence[int]) -> list[int]:
    """Times the inverse of x, which is x^127 + x^126 + x^125 + x^120."""
    low, found = element[0], [*element[1:], 0]
    for at in (120, 125, 126, 127):
        found[at] ^= low
    return found


def _bits(block: Sequence[Byte]) -> list[int]:
    """The coefficients of x^0 to x^127: the lowest bit of the first byte comes first (3)."""
    return [bit for byte in block for bit in byte]


def dot(atoms: Atoms, block: Sequence[Byte], key: Sequence[Byte]) -> Text:
    """Two elements multiplied, over x^128 (3)."""
    v = _bits(key)
    for _ in range(128):
        v = _over_x(v)
    z = named_product(atoms, _bits(block), v, _times_x)
    return [tuple(z[at : at + 8]) for at in range(0, 128, 8)]


def polyval(atoms: Atoms, key: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """POLYVAL(H, X_1, ...) for whole blocks (3)."""
    hashed = text(bytes(16))
    for block in blocks(data):
        hashed = dot(atoms, added(hashed, block), key)
    return hashed


def _keys(aes: Aes, nonce: Sequence[Byte], key_bytes: int) -> tuple[Text, Text]:
    """The message's authentication and encryption keys (4)."""
    made: Text = []
    for number in range(2 + key_bytes // 8):
        made += aes.encrypt([*text(number.to_bytes(4, "little")), *nonce])[:8]
    return made[:16], made[16:]


def _tag(
    atoms: Atoms, keys: tuple[Text, Aes], nonce: Sequence[Byte], ad: Sequence[Byte], plain: Text
) -> Text:
    """POLYVAL of padded data and lengths, with the nonce added and its top bit 0, encrypted (4)."""
    lengths = text((8 * len(ad)).to_bytes(8, "little") + (8 * len(plain)).to_bytes(8, "little"))
    hashed = polyval(atoms, keys[0], [*padded(ad), *padded(plain), *lengths])
    hashed[:12] = added(hashed[:12], nonce)
    hashed[15] = (*hashed[15][:7], 0)
    return keys[1].encrypt(hashed)


def _crypt(atoms: Atoms, aes: Aes, tag: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """AES-CTR from the tag with its top bit 1; the first 32 bits count, little-endian (4)."""
    first = [*tag[:15], (*tag[15][:7], 1)]
    found: Text = []
    for times, block in enumerate(blocks(data)):
        counter = counted(atoms, first[3::-1], times)[::-1]
        found += added(block, aes.encrypt([*counter, *first[4:]]))
    return found


def gcm_siv(
    atoms: Atoms, key: Sequence[Byte], nonce: Sequence[Byte], ad: Sequence[Byte], plain: Text
) -> tuple[Text, Text]:
    """Encryption (4): ciphertext and tag."""
    hashing, encrypting = _keys(Aes(atoms, key), nonce, len(key))
    aes = Aes(atoms, encrypting)
    tag = _tag(atoms, (hashing, aes), nonce, ad, plain)
    return _crypt(atoms, aes, tag, plain), tag


def gcm_siv_opened(
    atoms: Atoms,
    key: Sequence[Byte],
    nonce: Sequence[Byte],
    ad: Sequence[Byte],
    sealed: Text,
    tag: Sequence[Byte],
) -> tuple[Text, Text]:
    """Decryption (5) before its last step: plaintext, and the tag that it should have."""
    hashing, encrypting = _keys(Aes(atoms, key), nonce, len(key))
    aes = Aes(atoms, encrypting)
    plain = _crypt(atoms, aes, tag, sealed)
    return plain, _tag(atoms, (hashing, aes), nonce, ad, plain)

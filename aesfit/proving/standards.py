# SPDX-License-Identifier: MIT
"""Modes as their standards write them, over bytes whose bits are forms."""

from collections.abc import Sequence

from .fips197 import Aes, Byte, xor
from .words import constant
from .zones import Atoms

Text = list[Byte]
_ZERO = constant(0, 8)


def text(data: bytes) -> Text:
    """Known bytes."""
    return [constant(one, 8) for one in data]


def added(a: Sequence[Byte], b: Sequence[Byte]) -> Text:
    """Sum of texts, as long as the shorter one."""
    return [xor(x, y) for x, y in zip(a, b, strict=False)]


def blocks(data: Sequence[Byte]) -> list[Sequence[Byte]]:
    """Blocks of 16 bytes, the last one shorter where the data end."""
    return [data[at : at + 16] for at in range(0, len(data), 16)]


def padded(data: Sequence[Byte]) -> Text:
    """With zeros to whole blocks."""
    return [*data, *[_ZERO] * (-len(data) % 16)]


def counted(atoms: Atoms, counter: Sequence[Byte], times: int) -> Text:
    """Plus a number, the last byte the least significant (SP 800-38A, B.1)."""
    carry, found = 0, []
    for byte in reversed(counter):
        bits = []
        for bit in byte:
            plus, times = times & 1, times >> 1
            bits.append(bit ^ plus ^ carry)
            carry = atoms.product(bit, plus) ^ atoms.product(carry, bit ^ plus)
        found.append(tuple(bits))
    return found[::-1]


def ctr(atoms: Atoms, aes: Aes, counter: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """SP 800-38A, 6.5."""
    found: Text = []
    for times, block in enumerate(blocks(data)):
        found += added(block, aes.encrypt(counted(atoms, counter, times)))
    return found


def cbc_encrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """SP 800-38A, 6.2."""
    found: Text = []
    for block in blocks(data):
        iv = aes.encrypt(added(iv, block))
        found += iv
    return found


def cbc_decrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """SP 800-38A, 6.2."""
    found: Text = []
    for block in blocks(data):
        found += added(aes.decrypt(block), iv)
        iv = block
    return found


def cfb_encrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte], segment: int) -> Text:
    """SP 800-38A, 6.3, with segments of so many bytes; the last one may be shorter."""
    found: Text = []
    for at in range(0, len(data), segment):
        sealed = added(aes.encrypt(iv), data[at : at + segment])
        iv = [*iv[len(sealed) :], *sealed]
        found += sealed
    return found


def cfb_decrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte], segment: int) -> Text:
    """SP 800-38A, 6.3, backwards."""
    found: Text = []
    for at in range(0, len(data), segment):
        sealed = data[at : at + segment]
        found += added(aes.encrypt(iv), sealed)
        iv = [*iv[len(sealed) :], *sealed]
    return found


def ofb(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """SP 800-38A, 6.4."""
    found: Text = []
    for block in blocks(data):
        iv = aes.encrypt(iv)
        found += added(iv, block)
    return found


def cbc_cs3_encrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """Addendum to SP 800-38A, CBC-CS3: the last two blocks change places, the last is cut."""
    sealed = cbc_encrypt(aes, iv, padded(data))
    if len(data) == 16:
        return sealed
    at = len(sealed) - 32
    return [*sealed[:at], *sealed[at + 16 :], *sealed[at : len(data) - 16]]


def cbc_cs3_decrypt(aes: Aes, iv: Sequence[Byte], data: Sequence[Byte]) -> Text:
    """CBC-CS3 backwards: what the cut block lacks is what the last block decrypts to there."""
    if len(data) == 16:
        return cbc_decrypt(aes, iv, data)
    at = (len(data) - 17) // 16 * 16
    last, cut = data[at : at + 16], data[at + 16 :]
    whole = [*cut, *aes.decrypt(last)[len(cut) :]]
    return cbc_decrypt(aes, iv, [*data[:at], *whole, *last])[: len(data)]


def pkcs7(data: Sequence[Byte]) -> Text:
    """RFC 5652, 6.3: n bytes of value n, 1 to 16, to whole blocks."""
    count = 16 - len(data) % 16
    return [*data, *text(bytes([count]) * count)]


def cbc_mac(aes: Aes, data: Sequence[Byte]) -> Text:
    """The last block of CBC under an IV of zeros."""
    return cbc_encrypt(aes, text(bytes(16)), data)[-16:]


def doubled(block: Sequence[Byte]) -> Text:
    """Times x modulo x^128 + x^7 + x^2 + x + 1, the first bit the highest (SP 800-38B, 6.1)."""
    bits = [bit for byte in block for bit in reversed(byte)]
    top, shifted = bits[0], [*bits[1:], 0]
    for at in (120, 125, 126, 127):
        shifted[at] ^= top
    return [tuple(reversed(shifted[at : at + 8])) for at in range(0, 128, 8)]


def cmac(aes: Aes, data: Sequence[Byte]) -> Text:
    """SP 800-38B, 6.2."""
    key = doubled(aes.encrypt(text(bytes(16))))
    whole = len(data) > 0 and len(data) % 16 == 0
    at = (len(data) - 1) // 16 * 16 if data else 0
    last = list(data[at:])
    if not whole:
        key = doubled(key)
        last = padded([*last, constant(0x80, 8)])
    return cbc_mac(aes, [*data[:at], *added(last, key)])


def ccm(
    atoms: Atoms,
    aes: Aes,
    nonce: Sequence[Byte],
    ad: Sequence[Byte],
    data: Sequence[Byte],
    tag: int,
) -> tuple[Text, Text]:
    """SP 800-38C, 6.1 with the formatting of appendix A: ciphertext and tag."""
    length = 15 - len(nonce)
    flags = (0x40 if ad else 0) | (tag - 2) // 2 << 3 | (length - 1)
    first = [constant(flags, 8), *nonce, *text(len(data).to_bytes(length, "big"))]
    heard = padded([*text(len(ad).to_bytes(2, "big")), *ad]) if ad else []
    mac = cbc_mac(aes, [*first, *heard, *padded(data)])
    counter = [constant(length - 1, 8), *nonce, *text(bytes(length))]
    sealed = ctr(atoms, aes, counter, [*padded(mac[:tag]), *data])
    return sealed[16:], sealed[:tag]


ICV1 = text(b"\xa6" * 8)
"""What a key is wrapped with (SP 800-38F, 6.2)."""


def kw_wrap(aes: Aes, data: Sequence[Byte], icv: Text) -> Text:
    """W of SP 800-38F, 6.1."""
    a, parts = icv, [list(data[at : at + 8]) for at in range(0, len(data), 8)]
    step = 0
    for _ in range(6):
        for at in range(len(parts)):
            step += 1
            block = aes.encrypt([*a, *parts[at]])
            a, parts[at] = added(block[:8], text(step.to_bytes(8, "big"))), block[8:]
    return [*a, *(byte for part in parts for byte in part)]


def xts(
    data_key: Aes, tweak_key: Aes, tweak: Sequence[Byte], data: Sequence[Byte], *, encrypt: bool
) -> Text:
    """IEEE 1619-2018, 5.3 and 5.4, with ciphertext stealing."""
    whole, rest = divmod(len(data), 16)
    tweaks = [tweak_key.encrypt(tweak)]
    for _ in range(whole):
        tweaks.append(doubled_little(tweaks[-1]))

    def one(block: Sequence[Byte], at: int) -> Text:
        step = data_key.encrypt if encrypt else data_key.decrypt
        return added(step(added(block, tweaks[at])), tweaks[at])

    if not rest:
        return [byte for at, block in enumerate(blocks(data)) for byte in one(block, at)]
    before = [byte for at in range(whole - 1) for byte in one(data[16 * at : 16 * at + 16], at)]
    first, second = (whole - 1, whole) if encrypt else (whole, whole - 1)
    block = one(data[16 * (whole - 1) : 16 * whole], first)
    last = one([*data[16 * whole :], *block[rest:]], second)
    return [*before, *last, *block[:rest]]


def doubled_little(tweak: Sequence[Byte]) -> Text:
    """Times x, the first byte the least significant (5.2)."""
    bits = [bit for byte in tweak for bit in byte]
    top, shifted = bits[-1], [0, *bits[:-1]]
    for at in (0, 1, 2, 7):
        shifted[at] ^= top
    return [tuple(shifted[at : at + 8]) for at in range(0, 128, 8)]

# SPDX-License-Identifier: MIT
"""Modes over any block function, for AES with fewer rounds, which only gives single blocks.

With all rounds aesfit.Cipher and aesfit.AESGCM give the same bytes, faster.
Sources: NIST SP 800-38A (ECB, CBC, CFB with whole blocks, OFB, CTR), SP 800-38D (GCM).
"""

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import accumulate
from operator import xor

import numpy as np

Block = Callable[[bytes], bytes]
_SIZE = 16
_POLYNOMIAL = 0xE1 << 120
"""x^128 + x^7 + x^2 + x + 1 in GCM's bit order, without the highest power."""


def exclusive_or(data: bytes, stream: bytes) -> bytes:
    """XOR with the first bytes of a stream that is long enough."""
    other = np.frombuffer(stream, np.uint8, len(data))
    return (np.frombuffer(data, np.uint8) ^ other).tobytes()


def _blocks(data: bytes) -> Iterator[bytes]:
    """Pieces of 16 bytes; the last may be shorter."""
    return (data[start : start + _SIZE] for start in range(0, len(data), _SIZE))


def ecb(block: Block, data: bytes) -> bytes:
    """Each block independently; the inverse cipher's block function decrypts."""
    return b"".join(map(block, _blocks(data)))


def cbc_encrypt(block: Block, iv: bytes, data: bytes) -> bytes:
    """Whole blocks, each XORed with the ciphertext before it."""
    out, previous = [], iv
    for plain in _blocks(data):
        mixed = int.from_bytes(previous, "big") ^ int.from_bytes(plain, "big")
        previous = block(mixed.to_bytes(_SIZE, "big"))
        out.append(previous)
    return b"".join(out)


def cbc_decrypt(inverse: Block, iv: bytes, data: bytes) -> bytes:
    """The inverse of cbc_encrypt."""
    return exclusive_or(ecb(inverse, data), iv + data)


def cfb_encrypt(block: Block, iv: bytes, data: bytes) -> bytes:
    """XOR with E(the previous ciphertext block); the last piece may be shorter."""
    out, previous = [], iv
    for plain in _blocks(data):
        stream = int.from_bytes(block(previous)[: len(plain)], "big")
        previous = (stream ^ int.from_bytes(plain, "big")).to_bytes(len(plain), "big")
        out.append(previous)
    return b"".join(out)


def cfb_decrypt(block: Block, iv: bytes, data: bytes) -> bytes:
    """The inverse of cfb_encrypt; E never gets the last, short piece."""
    whole = (iv + data)[: -(-len(data) // _SIZE) * _SIZE]
    return exclusive_or(data, ecb(block, whole))


def ofb(block: Block, iv: bytes, data: bytes) -> bytes:
    """XOR with E(IV), E(E(IV)) ...; both directions."""
    pieces = -(-len(data) // _SIZE)
    stream = accumulate(range(pieces), lambda last, _: block(last), initial=iv)
    return exclusive_or(data, b"".join(stream)[_SIZE:])


def ctr(block: Block, first: bytes, data: bytes, bits: int = 128) -> bytes:
    """XOR with E(counter), whose last `bits` bits count up and wrap; both directions."""
    start = int.from_bytes(first, "big")
    low = (1 << bits) - 1
    fixed = start & ~low
    pieces = -(-len(data) // _SIZE)
    counters = ((fixed | (start + step) & low).to_bytes(_SIZE, "big") for step in range(pieces))
    return exclusive_or(data, b"".join(map(block, counters)))


def _first_counter(nonce: bytes) -> bytes:
    """GCM's initial counter block (J0) for nonces of 12 bytes."""
    return nonce + b"\0\0\0\1"


def gcm_crypt(block: Block, nonce: bytes, data: bytes) -> bytes:
    """The encryption of GCM without its tag; both directions."""
    return ctr(block, nonce + b"\0\0\0\2", data, 32)


def gcm_tag(block: Block, nonce: bytes, data: bytes, associated: bytes) -> bytes:
    """The 16-byte tag of ciphertext and associated data."""
    tables = _tables(int.from_bytes(block(bytes(_SIZE)), "big"))
    lengths = (8 * len(associated)).to_bytes(8, "big") + (8 * len(data)).to_bytes(8, "big")
    digest = 0
    for piece in (*_blocks(associated), *_blocks(data), lengths):
        mixed = digest ^ int.from_bytes(piece.ljust(_SIZE, b"\0"), "big")
        parts = zip(tables, mixed.to_bytes(_SIZE, "big"), strict=True)
        digest = reduce(xor, [table[byte] for table, byte in parts])
    return exclusive_or(digest.to_bytes(_SIZE, "big"), block(_first_counter(nonce)))


def _tables(key: int) -> list[list[int]]:
    """Products of the hash key with every byte at every position: 16 tables of 256."""
    powers = []
    for _ in range(8 * _SIZE):
        powers.append(key)
        key = key >> 1 ^ (_POLYNOMIAL if key & 1 else 0)
    tables = []
    for place in range(_SIZE):
        table = [0] * 256
        for byte in range(1, 256):
            lowest = byte & -byte
            table[byte] = table[byte ^ lowest] ^ powers[8 * place + 8 - lowest.bit_length()]
        tables.append(table)
    return tables

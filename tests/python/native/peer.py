# SPDX-License-Identifier: MIT
"""The independent library: PyCA cryptography (OpenSSL), spelled like ours.

What it lacks (CBC-CS3, CBC-MAC) is composed here from its block modes.
"""

from collections.abc import Callable
from typing import Any

from cryptography.hazmat.decrepit.ciphers.modes import CFB, CFB8, OFB
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

Crypt = Callable[[bytes], bytes]

MODES: dict[str, Callable[[bytes], Any]] = {  # PyCA types each mode apart
    "ecb": lambda _: modes.ECB(),
    "cbc": modes.CBC,
    "ctr": modes.CTR,
    "cfb": CFB,
    "cfb8": CFB8,
    "ofb": OFB,
    "xts": modes.XTS,
}


def raw(key: bytes, mode: str, iv: bytes, data: bytes) -> bytes:
    """Encrypt without padding."""
    encryptor = Cipher(algorithms.AES(key), MODES[mode](iv)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def padded(data: bytes) -> bytes:
    """PKCS#7."""
    padder = PKCS7(128).padder()
    return padder.update(data) + padder.finalize()


def cbc_cs3(key: bytes, iv: bytes, data: bytes) -> bytes:
    """CBC-CS3: CBC over zero-padded data, the last two blocks swapped, cut to the data's length.

    Addendum to SP 800-38A (2010); a single block is plain CBC.
    """
    if len(data) == 16:
        return raw(key, "cbc", iv, data)
    tail = len(data) % 16 or 16
    blocks = raw(key, "cbc", iv, data + bytes(16 - tail))
    return blocks[:-32] + blocks[-16:] + blocks[-32:-16][:tail]


def encrypt(key: bytes, mode: str, iv: bytes, data: bytes) -> bytes:
    """Encrypt in any mode of aesfit.Cipher."""
    if mode == "cbc-cs3":
        return cbc_cs3(key, iv, data)
    if mode.endswith("-pkcs7"):
        return raw(key, mode.removesuffix("-pkcs7"), iv, padded(data))
    return raw(key, mode, iv, data)


def cbc_mac(key: bytes, data: bytes) -> bytes:
    """Last block of CBC encryption from a zero IV."""
    return raw(key, "cbc", bytes(16), data)[-16:]

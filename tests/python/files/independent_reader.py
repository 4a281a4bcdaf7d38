# SPDX-License-Identifier: MIT
"""A second reader of containers: docs/file-format.md and PyCA cryptography, nothing of aesfit."""

import hashlib
import hmac

from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt


def material(header: bytes, secret: bytes, by_passphrase: bool) -> bytes:
    """71 bytes: commitment, room for the key, prefix of the nonces."""
    log_n, r, p = header[13:16]
    salt = header[16:32]
    if by_passphrase:
        master = Scrypt(salt, 32, 1 << log_n, r, p).derive(secret)
    else:
        master = hmac.digest(salt, secret, "sha256")
    return HKDFExpand(SHA256(), 71, header[:64]).derive(master)


def read(container: bytes, secret: bytes, by_passphrase: bool) -> bytes:
    """Plaintext; ValueError or InvalidTag when anything is wrong."""
    header, body = container[:104], container[104:]
    if len(header) < 104 or header[:9] != b"\x89aesfit\n\x01":
        raise ValueError("no container of version 1")
    if hashlib.sha256(header[:96]).digest()[:8] != header[96:]:
        raise ValueError("damaged header")
    mode, key_bytes, source, log_chunk = header[9:13]
    if mode not in (1, 2) or key_bytes not in (16, 24, 32) or not 4 <= log_chunk <= 22:
        raise ValueError("unknown values in the header")
    if source != (1 if by_passphrase else 2):
        raise ValueError("another source of keys")
    derived = material(header, secret, by_passphrase)
    if derived[:32] != header[64:96]:
        raise ValueError("wrong secret")
    aead = (AESGCM if mode == 1 else AESCCM)(derived[32 : 32 + key_bytes])
    chunk = (1 << log_chunk) + 16
    starts = range(0, max(1, len(body)), chunk)
    if len(starts) > 1 and len(body) - starts[-1] <= 16:
        raise ValueError("a last chunk without plaintext")
    return b"".join(
        aead.decrypt(
            derived[64:] + number.to_bytes(4, "big") + bytes([start == starts[-1]]),
            body[start : start + chunk],
            None,
        )
        for number, start in enumerate(starts)
    )

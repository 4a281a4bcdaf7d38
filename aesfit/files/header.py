# SPDX-License-Identifier: MIT
"""The header of a container, byte by byte; docs/file-format.md is its specification."""

import hashlib
import struct
from dataclasses import dataclass
from typing import Literal

from .flow import FormatError
from .secret import SALT_BYTES, Scrypt

MAGIC = b"\x89aesfit\n"
"""Not text, and with a newline at its end, so that damage by text conversion is detected."""
VERSION = 1
NONCE_BYTES = 32
COMMITMENT_BYTES = 32
DIGEST_BYTES = 8
_FIELDS = struct.Struct(f">{len(MAGIC)}s8B{SALT_BYTES}s{NONCE_BYTES}s")
BOUND_BYTES = _FIELDS.size
"""Size of the part that enters key derivation: all but commitment and digest."""
HEADER_BYTES = BOUND_BYTES + COMMITMENT_BYTES + DIGEST_BYTES
LOG_CHUNKS = range(4, 23)
"""16 bytes to 4 MiB: CCM with a 12-byte nonce is limited to 2^24 - 1, and buffers stay small."""

Mode = Literal["gcm", "ccm"]
MODES: tuple[Mode, ...] = ("gcm", "ccm")
_BY_PASSPHRASE, _BY_KEY = 1, 2


@dataclass(frozen=True)
class Header:
    """What a reader must know besides the secret; scrypt is None if the secret is a key."""

    mode: Mode
    key_bits: int
    chunk_bytes: int
    """Bytes of plaintext in every chunk but the last."""
    scrypt: Scrypt | None
    salt: bytes
    nonce: bytes
    """Random, different for every file."""

    def __post_init__(self) -> None:
        """Refuse values that the format cannot store."""
        if self.mode not in MODES:
            raise FormatError(f"mode '{self.mode}' is unknown; choose from: {', '.join(MODES)}")
        if self.key_bits not in (128, 192, 256):
            raise FormatError(f"keys of {self.key_bits} bits are not 128, 192 or 256")
        if self.chunk_bytes not in [1 << log for log in LOG_CHUNKS]:
            raise FormatError(
                f"chunks of {self.chunk_bytes} bytes are not a power of two from "
                f"{1 << LOG_CHUNKS[0]} to {1 << LOG_CHUNKS[-1]}"
            )
        for name, value, size in (("salt", self.salt, SALT_BYTES), ("nonce", self.nonce, 32)):
            if len(value) != size:
                raise FormatError(f"the {name} is {len(value)} bytes; it must be {size}")

    def bound(self) -> bytes:
        """The encoded fields, from which the file's key is derived."""
        cost = self.scrypt
        return _FIELDS.pack(
            MAGIC,
            VERSION,
            1 + MODES.index(self.mode),
            self.key_bits // 8,
            _BY_KEY if cost is None else _BY_PASSPHRASE,
            self.chunk_bytes.bit_length() - 1,
            *((0, 0, 0) if cost is None else (cost.log_n, cost.r, cost.p)),
            self.salt,
            self.nonce,
        )


def pack(header: Header, commitment: bytes | bytearray) -> bytes:
    """The whole header: fields, key commitment, digest."""
    front = header.bound() + commitment
    return front + _digest(front)


def unpack(data: bytes) -> tuple[Header, bytes]:
    """Header and key commitment; FormatError says what is wrong with the bytes."""
    if not data:
        raise FormatError("the input is empty, not an aesfit container")
    if data[: len(MAGIC)] != MAGIC[: len(data)]:
        raise FormatError("the input is not an aesfit container: it begins with other bytes")
    if len(data) < HEADER_BYTES:
        raise FormatError(
            f"the container is cut short: {len(data)} bytes, and its header takes {HEADER_BYTES}"
        )
    version, mode, key, source, log_chunk, log_n, r, p, salt, nonce = _FIELDS.unpack_from(data)[1:]
    if version != VERSION:
        raise FormatError(f"the container is of version {version}; this aesfit reads {VERSION}")
    front = data[: HEADER_BYTES - DIGEST_BYTES]
    if data[len(front) :] != _digest(front):
        raise FormatError("the container's header is damaged")
    if not 1 <= mode <= len(MODES):
        raise FormatError(f"the container's header names an unknown mode, {mode}")
    if log_chunk not in LOG_CHUNKS:
        raise FormatError(f"the container's header names chunks of 2^{log_chunk} bytes")
    header = Header(
        MODES[mode - 1], 8 * key, 1 << log_chunk, _scrypt(source, log_n, r, p), salt, nonce
    )
    return header, front[BOUND_BYTES:]


def _scrypt(source: int, log_n: int, r: int, p: int) -> Scrypt | None:
    if source == _BY_PASSPHRASE:
        return Scrypt(log_n, r, p)
    if source != _BY_KEY:
        raise FormatError(f"the container's header names an unknown source of keys, {source}")
    if log_n or r or p:
        raise FormatError("the container's header has a cost of scrypt, but its secret is a key")
    return None


def _digest(front: bytes) -> bytes:
    """Distinguishes damage from a wrong passphrase; unkeyed, so it is no protection."""
    return hashlib.sha256(front).digest()[:DIGEST_BYTES]

# SPDX-License-Identifier: MIT
"""The aesfit container: files of any size as authenticated chunks, in constant memory.

The STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizar ("Online authenticated-encryption
and its nonce-reuse misuse-resistance", CRYPTO 2015): the nonce of a chunk holds its number and
whether it is the last one.  docs/file-format.md specifies the bytes and gives the reasons.
"""

import hmac
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .._native import AESCCM, AESGCM
from ..errors import AuthenticationError
from .flow import Progress, Sink, Source, fill, put, quiet, wipe
from .header import COMMITMENT_BYTES, HEADER_BYTES, NONCE_BYTES, Header, Mode, pack, unpack
from .secret import Keyring, Passphrase, Scrypt, Secret

TAG_BYTES = 16
MAX_CHUNKS = 1 << 32
_PREFIX_BYTES = 7
_KEY_AT, _PREFIX_AT = COMMITMENT_BYTES, COMMITMENT_BYTES + 32
_PLACE = struct.Struct(">IB")
"""Number of a chunk, and 1 for the last."""


class WrongSecretError(AuthenticationError):
    """The container was sealed with another passphrase or key."""


@dataclass(frozen=True)
class Options:
    """How to seal; every default is safe."""

    mode: Mode = "gcm"
    key_bits: int = 256
    chunk_bytes: int = 1 << 17
    scrypt: Scrypt = field(default_factory=Scrypt)
    """Cost of deriving the key, where the secret is a passphrase."""
    core: str | None = None
    """Name of an AES core; None: the library's default."""


def seal(
    source: Source,
    sink: Sink,
    secret: Secret | Keyring,
    options: Options | None = None,
    progress: Progress = quiet,
) -> None:
    """Encrypt all that `source` has into a container; one Keyring serves many files.

    progress: called with the bytes read so far.
    """
    chosen = options or Options()
    with _ring(secret) as ring:
        seal_under(new_header(ring, chosen), source, sink, ring, chosen.core, progress)


def new_header(ring: Keyring, options: Options) -> Header:
    """Make the header of a new file, with a fresh nonce."""
    return Header(
        options.mode,
        options.key_bits,
        options.chunk_bytes,
        options.scrypt if isinstance(ring.secret, Passphrase) else None,
        ring.salt,
        os.urandom(NONCE_BYTES),
    )


def seal_under(
    header: Header,
    source: Source,
    sink: Sink,
    ring: Keyring,
    core: str | None = None,
    progress: Progress = quiet,
) -> None:
    """seal() with a given header, whose nonce must never have been used; for test vectors."""
    with _file_keys(header, ring, core) as (commitment, chunks):
        put(sink, memoryview(pack(header, commitment)))
        _seal_chunks(source, sink, chunks, progress)


def unseal(
    source: Source,
    sink: Sink,
    secret: Secret | Keyring,
    core: str | None = None,
    progress: Progress = quiet,
) -> None:
    """Decrypt a container; a chunk reaches `sink` only after its tag was verified.

    FormatError: not a container, or its header is damaged.  WrongSecretError: the passphrase or key
    is wrong.  AuthenticationError: the container was changed or cut short; what `sink` received is
    a genuine beginning of the file, but not the whole file. progress: called with the bytes read so
    far.
    """
    front = bytearray(HEADER_BYTES)
    header, claimed = unpack(bytes(front[: fill(source, memoryview(front))]))
    with _ring(secret) as ring, _file_keys(header, ring, core) as (commitment, chunks):
        if not hmac.compare_digest(commitment, claimed):
            kind = "passphrase" if isinstance(ring.secret, Passphrase) else "key"
            raise WrongSecretError(f"the {kind} is wrong")
        _unseal_chunks(source, sink, chunks, progress)


@contextmanager
def _ring(secret: Secret | Keyring) -> Iterator[Keyring]:
    """The caller's ring, or one for this file alone that is wiped at the end."""
    if isinstance(secret, Keyring):
        yield secret
        return
    with Keyring(secret) as ring:
        yield ring


class _Chunks:
    """The AEAD of one file, and the nonces of its chunks."""

    def __init__(self, header: Header, key: bytearray, prefix: bytes, core: str | None) -> None:
        self.aead = (AESGCM if header.mode == "gcm" else AESCCM)(key, TAG_BYTES, core=core)
        self.chunk_bytes = header.chunk_bytes
        self._prefix = prefix

    def nonce(self, number: int, last: bool) -> bytes:
        """The nonce of a chunk: 12 bytes, unique within the file."""
        return self._prefix + _PLACE.pack(number, last)


@contextmanager
def _file_keys(
    header: Header, ring: Keyring, core: str | None
) -> Iterator[tuple[bytearray, _Chunks]]:
    """Commitment and cipher of one file."""
    size = _PREFIX_AT + _PREFIX_BYTES
    material = ring.expand(header.salt, header.scrypt, header.bound(), size)
    key = material[_KEY_AT : _KEY_AT + header.key_bits // 8]
    try:
        yield material[:COMMITMENT_BYTES], _Chunks(header, key, bytes(material[_PREFIX_AT:]), core)
    finally:
        wipe(material, key)


def _seal_chunks(source: Source, sink: Sink, chunks: _Chunks, progress: Progress) -> None:
    """Encrypt in place; reading stays one chunk ahead, so that the last chunk is known as such."""
    chunk_bytes = chunks.chunk_bytes
    buffers = bytearray(chunk_bytes + TAG_BYTES), bytearray(chunk_bytes + TAG_BYTES)
    current, following = (memoryview(buffer) for buffer in buffers)
    try:
        size, done = fill(source, current[:chunk_bytes]), 0
        for number in range(MAX_CHUNKS):
            ahead = fill(source, following[:chunk_bytes]) if size == chunk_bytes else 0
            nonce = chunks.nonce(number, not ahead)
            put(sink, current[: chunks.aead.encrypt_into(nonce, current[:size], None, current)])
            progress(done := done + size)
            if not ahead:
                return
            current, following, size = following, current, ahead
    finally:
        wipe(*buffers)
    raise ValueError(
        f"the input is longer than {chunk_bytes * MAX_CHUNKS} bytes, the most in chunks of "
        f"{chunk_bytes}"
    )


def _unseal_chunks(source: Source, sink: Sink, chunks: _Chunks, progress: Progress) -> None:
    """Decrypt in place; reading stays one chunk ahead, so that the last chunk is known as such."""
    full = chunks.chunk_bytes + TAG_BYTES
    buffers = bytearray(full), bytearray(full)
    current, following = (memoryview(buffer) for buffer in buffers)
    try:
        size, done = fill(source, current), HEADER_BYTES
        for number in range(MAX_CHUNKS):
            ahead = fill(source, following) if size == full else 0
            put(sink, current[: _open(chunks, number, current[:size], not ahead)])
            progress(done := done + size)
            if not ahead:
                return
            current, following, size = following, current, ahead
    finally:
        wipe(*buffers)
    raise AuthenticationError("the container has more chunks than the format allows")


def _open(chunks: _Chunks, number: int, chunk: memoryview, last: bool) -> int:
    """Verify and decrypt one chunk in place; returns the bytes of plaintext.

    An empty chunk is valid only in an empty file, so that each file size has one container size.
    """
    try:
        if number and len(chunk) <= TAG_BYTES:
            raise AuthenticationError
        return chunks.aead.decrypt_into(chunks.nonce(number, last), chunk, None, chunk)
    except AuthenticationError:
        at = HEADER_BYTES + number * (chunks.chunk_bytes + TAG_BYTES)
        what = "changed or cut short" if last else "changed"
        raise AuthenticationError(
            f"the container was {what} at byte {at} or after; nothing from there on was decrypted"
        ) from None

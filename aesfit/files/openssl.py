# SPDX-License-Identifier: MIT
"""Files of `openssl enc -aes-K-MODE -pbkdf2 -salt`, both ways.

"Salted__", 8 bytes of salt, then the ciphertext; PBKDF2 with HMAC-SHA-256 gives the key and, after
it, the IV.  Cipher, key size and number of iterations are not stored in the file: the reader has to
know them.  Nothing is authenticated, and PBKDF2 is cheap to attack because it needs no memory.  Use
the container for files that openssl need not read.
"""

import hashlib
import os
from dataclasses import dataclass

from .flow import FormatError, Progress, Sink, Source, fill, put, quiet
from .raw import BLOCK_BYTES, RawMode, RawOptions, decrypt_raw, encrypt_raw
from .secret import Passphrase

MAGIC = b"Salted__"
SALT_BYTES = 8
ITERATIONS = 10_000
"""The default of openssl enc without -iter (its manual, openssl-enc(1))."""
_MAX_ITERATIONS = (1 << 31) - 1


@dataclass(frozen=True)
class SaltedOptions:
    """How to encrypt, or how a file to decrypt was encrypted."""

    mode: RawMode = "cbc"
    key_bits: int = 256
    iterations: int = ITERATIONS
    pad: bool = True
    """As in RawOptions."""
    core: str | None = None
    """Name of an AES core; None: the library's default."""

    def __post_init__(self) -> None:
        """Refuse values that openssl does not support."""
        if self.key_bits not in (128, 192, 256):
            raise ValueError(f"keys of {self.key_bits} bits are not 128, 192 or 256")
        if not 1 <= self.iterations <= _MAX_ITERATIONS:
            raise ValueError(f"{self.iterations} iterations are not 1 to {_MAX_ITERATIONS}")


def encrypt_salted(
    source: Source,
    sink: Sink,
    passphrase: Passphrase,
    options: SaltedOptions | None = None,
    progress: Progress = quiet,
) -> None:
    """Encrypt all that `source` has, like encrypt_raw() with a key derived from the passphrase."""
    salt = os.urandom(SALT_BYTES)
    raw = _raw(passphrase, salt, options or SaltedOptions())
    put(sink, memoryview(MAGIC + salt))
    encrypt_raw(source, sink, raw, progress)


def decrypt_salted(
    source: Source,
    sink: Sink,
    passphrase: Passphrase,
    options: SaltedOptions | None = None,
    progress: Progress = quiet,
) -> None:
    """Decrypt a salted file; FormatError on another format, a wrong length or padding."""
    front = bytearray(len(MAGIC) + SALT_BYTES)
    read = fill(source, memoryview(front))
    if not read or bytes(front[: min(read, len(MAGIC))]) != MAGIC[:read]:
        raise FormatError("the input is not a salted openssl file: it does not begin with Salted__")
    if read < len(front):
        raise FormatError(f"the salted file is cut short: {read} bytes, of {len(front)} or more")
    raw = _raw(passphrase, bytes(front[len(MAGIC) :]), options or SaltedOptions())
    decrypt_raw(source, sink, raw, lambda done: progress(len(front) + done))


def _raw(passphrase: Passphrase, salt: bytes, options: SaltedOptions) -> RawOptions:
    """Derive key and IV."""
    size = options.key_bits // 8
    iv_size = 0 if options.mode == "ecb" else BLOCK_BYTES
    material = hashlib.pbkdf2_hmac(
        "sha256", passphrase.text, salt, options.iterations, size + iv_size
    )
    iv = material[size:] or None
    return RawOptions(options.mode, material[:size], iv, options.pad, options.core)

# SPDX-License-Identifier: MIT
"""How the keys of a container are derived: by scrypt from a passphrase, by HKDF from a key.

A Keyring keeps what is slow to derive, so that many files in one call need one run of scrypt.
What can be wiped is kept in bytearrays and wiped; the passphrase or key itself, and what the hash
functions return, are `bytes`, which Python cannot overwrite.
"""

import hashlib
import hmac
import os
import re
import threading
from dataclasses import dataclass, field
from types import TracebackType

from .flow import FormatError, wipe

SALT_BYTES = 16
MASTER_BYTES = 32
LEAST_KEY_BYTES = 16
"""Least bytes of key material for a container, for 128-bit security."""
MAX_KEY_FILE_BYTES = 1 << 16
"""Longer files are hardly keys, and could be endless devices."""
MAX_SCRYPT_MEMORY = 256 << 20
"""Limit on scrypt's bytes of memory, since the parameters may come from somebody else's file."""
MAX_SCRYPT_WORK = 1 << 24
"""Limit on N r p for the same reason: 16 times the default, some seconds."""
MAX_RING_WORK = 1 << 28
"""Limit on the sum of N r p over the files of a call: 256 times the default, some minutes."""
LOG_COSTS = range(15, 19)
"""Values of log2 N that a user may choose: 32 to 256 MiB at r = 8."""
_HEX_KEY = re.compile(rb"\s*([0-9A-Fa-f]+)\s*")


@dataclass(frozen=True)
class Scrypt:
    """Cost of scrypt (RFC 7914): N = 2^log_n, block size r, parallelism p; 128 N r bytes.

    The default is the first setting of the OWASP Password Storage Cheat Sheet, N = 2^17, r = 8 and
    p = 1.  Its 128 MiB are what makes guessing on graphics processors expensive.
    """

    log_n: int = 17
    r: int = 8
    p: int = 1

    def __post_init__(self) -> None:
        """Refuse parameters out of range, or beyond the limits of memory and work."""
        if not (1 <= self.log_n <= 63 and 1 <= self.r <= 255 and 1 <= self.p <= 255):
            raise FormatError(
                f"scrypt takes log2 N of 1 to 63, r and p of 1 to 255, not {self.log_n}, "
                f"{self.r}, {self.p}"
            )
        if self.log_n >= 16 * self.r:  # RFC 7914, section 2
            raise FormatError(f"scrypt takes N below 2^{16 * self.r} where r is {self.r}")
        if self.memory > MAX_SCRYPT_MEMORY:
            raise FormatError(
                f"scrypt would take {self.memory >> 20} MiB of memory here; aesfit allows "
                f"{MAX_SCRYPT_MEMORY >> 20}"
            )
        if self.work > MAX_SCRYPT_WORK:
            raise FormatError(
                f"scrypt would do {self.work} units of work (N r p) here; aesfit allows "
                f"{MAX_SCRYPT_WORK}"
            )

    @property
    def memory(self) -> int:
        """Bytes."""
        return 128 * self.r << self.log_n

    @property
    def work(self) -> int:
        """N r p, in blocks of 128 bytes."""
        return self.r * self.p << self.log_n

    def derive(self, passphrase: bytes, salt: bytes) -> bytes:
        """Derive a master key."""
        return hashlib.scrypt(
            passphrase,
            salt=salt,
            n=1 << self.log_n,
            r=self.r,
            p=self.p,
            maxmem=self.memory + 128 * self.r * (self.p + 2) + 1024,
            dklen=MASTER_BYTES,
        )


@dataclass(frozen=True)
class Passphrase:
    """A passphrase, as the exact bytes that are hashed (UTF-8 if it was typed)."""

    text: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse an empty passphrase."""
        if not self.text:
            raise ValueError("the passphrase is empty")


@dataclass(frozen=True)
class KeyBytes:
    """A key made by a program: 16, 24 or 32 bytes for raw AES modes, otherwise 16 or more."""

    value: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse keys that are too short."""
        if len(self.value) < LEAST_KEY_BYTES:
            raise ValueError(
                f"the key is {len(self.value)} bytes; it must be {LEAST_KEY_BYTES} or more"
            )


Secret = Passphrase | KeyBytes


def key_in_file(content: bytes, *, aes: bool = False) -> KeyBytes:
    """Decode the content of a key file; with `aes` the key must be 16, 24 or 32 bytes.

    Content of hexadecimal digits alone, with white space around them allowed, is a key as text.
    Any other content is the key itself, byte for byte.  So a raw key that happens to consist of
    hexadecimal digits is read as text; this happens to one random 16-byte key in 10^17.
    """
    if len(content) > MAX_KEY_FILE_BYTES:
        raise ValueError(f"the key file is longer than {MAX_KEY_FILE_BYTES} bytes")
    text = _HEX_KEY.fullmatch(content)
    digits = len(text[1]) if text else 0
    value = bytes.fromhex(text[1][: digits & ~1].decode()) if text else content
    if digits % 2 or len(value) < LEAST_KEY_BYTES or (aes and len(value) not in (16, 24, 32)):
        has = f"{digits} hexadecimal digits" if text else f"{len(content)} bytes"
        bytes_taken = "16, 24 or 32" if aes else f"{LEAST_KEY_BYTES} or more"
        takes = "32, 48 or 64 digits" if aes else f"an even number of {2 * LEAST_KEY_BYTES} or more"
        raise ValueError(
            f"the key file has {has}; a key is {bytes_taken} bytes, or as hexadecimal text {takes}"
        )
    return KeyBytes(value)


def hkdf_extract(salt: bytes, material: bytes) -> bytes:
    """HKDF-Extract with SHA-256 (RFC 5869, 2.2)."""
    return hmac.digest(salt, material, "sha256")


def hkdf_expand(master: bytes | bytearray, info: bytes, size: int) -> bytes:
    """HKDF-Expand with SHA-256 (RFC 5869, 2.3)."""
    block, output = b"", b""
    for number in range(1, -(-size // 32) + 1):
        block = hmac.digest(master, block + info + bytes([number]), "sha256")
        output += block
    return output[:size]


class Keyring:
    """A secret and every master key derived from it; threads may share a ring.

    Files sealed with one ring share its salt, and so its master key; their own keys differ.
    """

    def __init__(self, secret: Secret) -> None:
        """Keep the secret; nothing is derived yet."""
        self.secret = secret
        self.salt = os.urandom(SALT_BYTES)
        self._masters: dict[tuple[bytes, Scrypt | None], bytearray] = {}
        self._work = 0
        self._lock = threading.Lock()

    def __enter__(self) -> "Keyring":
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wipe."""
        self.wipe()

    def expand(self, salt: bytes, scrypt: Scrypt | None, info: bytes, size: int) -> bytearray:
        """Derive key material for one file: the master key of (salt, scrypt), expanded.

        scrypt must be None for a key and given for a passphrase; FormatError otherwise.  Only one
        thread at a time derives a master key, so that scrypt's memory is taken once.
        """
        with self._lock:
            if (salt, scrypt) not in self._masters:
                self._masters[salt, scrypt] = bytearray(self._master(salt, scrypt))
            return bytearray(hkdf_expand(self._masters[salt, scrypt], info, size))

    def _master(self, salt: bytes, scrypt: Scrypt | None) -> bytes:
        if isinstance(self.secret, Passphrase):
            if scrypt is None:
                raise FormatError("the file was encrypted with a key; give it, not a passphrase")
            self._work += scrypt.work
            if self._work > MAX_RING_WORK:
                raise FormatError(
                    f"scrypt would do more than {MAX_RING_WORK} units of work (N r p) for the "
                    "files of this call; give the others in another call"
                )
            return scrypt.derive(self.secret.text, salt)
        if scrypt is not None:
            raise FormatError("the file was encrypted with a passphrase; give it, not a key")
        return hkdf_extract(salt, self.secret.value)

    def wipe(self) -> None:
        """Overwrite the master keys, and forget them."""
        with self._lock:
            wipe(*self._masters.values())
            self._masters.clear()

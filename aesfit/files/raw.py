# SPDX-License-Identifier: MIT
"""Files in the unauthenticated modes, byte for byte as `openssl enc -aes-K-MODE -K ... -iv ...`.

Nothing here detects a change.  Decryption writes its output before it sees the padding: without
authentication there is nothing to wait for.  A wrong key mostly shows as wrong padding, but about
once in 256 times not at all.
"""

from dataclasses import dataclass, field
from typing import Literal

from .._native import Cipher, CipherStream
from .flow import FormatError, Progress, Sink, Source, fill, put, quiet, wipe

RawMode = Literal["cbc", "ctr", "ecb", "cfb", "ofb"]
RAW_MODES: tuple[RawMode, ...] = ("cbc", "ctr", "ecb", "cfb", "ofb")
PADDED: tuple[RawMode, ...] = ("cbc", "ecb")
"""Modes of whole blocks, padded by PKCS#7 unless padding is off."""
BLOCK_BYTES = 16
CHUNK_BYTES = 1 << 17
"""Bytes read at a time; has no influence on the result."""


@dataclass(frozen=True)
class RawOptions:
    """A key, a mode and an IV (16 bytes; None for ecb)."""

    mode: RawMode
    key: bytes = field(repr=False)
    iv: bytes | None = None
    pad: bool = True
    """PKCS#7 in cbc and ecb; without it they need multiples of 16 bytes.  Others never pad."""
    core: str | None = None
    """Name of an AES core; None: the library's default."""

    def cipher(self) -> Cipher:
        """Make the cipher; ValueError on a wrong size of key or IV."""
        if self.mode not in RAW_MODES:
            raise ValueError(f"mode '{self.mode}' is unknown; choose from: {', '.join(RAW_MODES)}")
        padded = self.pad and self.mode in PADDED
        return Cipher(self.key, f"{self.mode}-pkcs7" if padded else self.mode, self.iv, self.core)


def encrypt_raw(
    source: Source, sink: Sink, options: RawOptions, progress: Progress = quiet
) -> None:
    """Encrypt all that `source` has; FormatError on a partial block without padding.

    progress: called with the bytes read so far.
    """
    _run(source, sink, options.cipher().encryptor(), options, progress)


def decrypt_raw(
    source: Source, sink: Sink, options: RawOptions, progress: Progress = quiet
) -> None:
    """Decrypt all that `source` has; FormatError on a wrong length or padding.

    What was written before such an error is the plaintext nevertheless.
    progress: called with the bytes read so far.
    """
    _run(source, sink, options.cipher().decryptor(), options, progress)


def _run(
    source: Source, sink: Sink, stream: CipherStream, options: RawOptions, progress: Progress
) -> None:
    """Feed a stream to its end."""
    buffers = bytearray(CHUNK_BYTES), bytearray(CHUNK_BYTES + 2 * BLOCK_BYTES)
    data, out = (memoryview(buffer) for buffer in buffers)
    done = 0
    try:
        while size := fill(source, data):
            put(sink, out[: stream.update_into(data[:size], out)])
            progress(done := done + size)
            if size < CHUNK_BYTES:
                break
        put(sink, memoryview(_last(stream, options, done)))
    finally:
        wipe(*buffers)


def _last(stream: CipherStream, options: RawOptions, total: int) -> bytes:
    """The last bytes of output; FormatError if length or padding is wrong."""
    try:
        return stream.finalize()
    except ValueError:
        if total % BLOCK_BYTES == 0 and total:
            raise FormatError(
                "the padding is wrong: a wrong key, IV or mode, or the input was changed"
            ) from None
        takes = "decrypts one block of 16 or more" if options.pad else "takes whole blocks of 16"
        padding = "with" if options.pad else "without"
        raise FormatError(
            f"the input has {total} bytes; {options.mode} {padding} padding {takes}"
        ) from None

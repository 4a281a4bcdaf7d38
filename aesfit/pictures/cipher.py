# SPDX-License-Identifier: MIT
"""The samples of a picture encrypted by any mode, so that the result is a picture again.

ECB and CBC take whole blocks of 16 bytes.  A remaining part of a block is encrypted as in CFB: XOR
with the first bytes of E(the previous ciphertext block).  The block before the first is the IV, in
ECB a block of zeros.  So the size never changes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._native import AES, AESGCM, Cipher
from ..errors import AuthenticationError, unknown
from . import reduced
from .picture_file import CARRIERS, DEEP_CARRIERS, Picture, pixels_from

BLOCK = 16
MODES = ("ecb", "cbc", "ctr", "cfb", "ofb", "gcm")
IV_BYTES = {"ecb": 0, "cbc": 16, "ctr": 16, "cfb": 16, "ofb": 16, "gcm": 12}
"""Bytes of the initialisation vector, the first counter block (CTR) or the nonce (GCM)."""
TAG_BYTES = 16
STUDY_CORE = "bytewise"
"""The core for reduced rounds: it follows the standard, and supports any number of rounds."""


@dataclass(frozen=True)
class Settings:
    """How a picture is encrypted."""

    mode: str
    """One of MODES."""
    key: bytes = field(repr=False)
    """16, 24 or 32 bytes."""
    iv: bytes = b""
    """IV_BYTES[mode] of them."""
    rounds: int | None = None
    """None: the standard's 10, 12 or 14; fewer are for study, and are not AES."""
    core: str | None = None
    """A name of aesfit.cores(); None: the default core, with reduced rounds bytewise."""

    def __post_init__(self) -> None:
        """Raise ValueError for settings that the mode does not support."""
        if self.mode not in MODES:
            raise unknown("mode of pictures", self.mode, MODES)
        if len(self.key) not in (16, 24, 32):
            raise ValueError(f"the key is {len(self.key)} bytes; AES takes 16, 24 or 32")
        wanted = IV_BYTES[self.mode]
        if len(self.iv) != wanted:
            raise ValueError(
                f"the IV is {len(self.iv)} bytes; {self.mode} takes {wanted or 'none'}"
            )
        if self.rounds is not None and not 1 <= self.rounds <= self.standard_rounds:
            raise ValueError(
                f"{self.rounds} rounds are not possible; a key of {8 * len(self.key)} bits takes "
                f"1 to {self.standard_rounds}"
            )

    @property
    def standard_rounds(self) -> int:
        """10, 12 or 14."""
        return len(self.key) // 4 + 6

    @property
    def reduced(self) -> bool:
        """Whether this is for study, and not AES."""
        return self.rounds is not None and self.rounds < self.standard_rounds

    def block(self) -> AES:
        """The block cipher under the key; ValueError when the core cannot."""
        if self.reduced:
            return AES.study(self.key, self.rounds or 0, self.core or STUDY_CORE)
        return AES(self.key, self.core)


def _run(data: bytes, how: Settings, decrypt: bool) -> bytes:
    """Any mode except GCM, over data it takes in one call: whole blocks for ECB and CBC."""
    if not how.reduced:
        cipher = Cipher(how.key, how.mode, how.iv or None, how.core)
        return cipher.decrypt(data) if decrypt else cipher.encrypt(data)
    aes = how.block()
    if how.mode == "ecb":
        return reduced.ecb(aes.decrypt_block if decrypt else aes.encrypt_block, data)
    if how.mode == "cbc" and decrypt:
        return reduced.cbc_decrypt(aes.decrypt_block, how.iv, data)
    modes: dict[str, Callable[[reduced.Block, bytes, bytes], bytes]] = {
        "cbc": reduced.cbc_encrypt,
        "cfb": reduced.cfb_decrypt if decrypt else reduced.cfb_encrypt,
        "ofb": reduced.ofb,
        "ctr": reduced.ctr,
    }
    return modes[how.mode](aes.encrypt_block, how.iv, data)


def _in_blocks(data: bytes, how: Settings, decrypt: bool) -> bytes:
    """ECB and CBC over any length, by the rule above."""
    whole = len(data) - len(data) % BLOCK
    out = _run(data[:whole], how, decrypt) if whole else b""
    if whole == len(data):
        return out
    encrypted = data if decrypt else out
    before = encrypted[whole - BLOCK : whole] if whole else how.iv or bytes(BLOCK)
    return out + reduced.exclusive_or(data[whole:], how.block().encrypt_block(before))


def _crypt(data: bytes, how: Settings, decrypt: bool) -> bytes:
    return (_in_blocks if how.mode in ("ecb", "cbc") else _run)(data, how, decrypt)


def encrypt(data: bytes, how: Settings, associated: bytes = b"") -> tuple[bytes, bytes]:
    """Ciphertext of the same length, and the tag of GCM, which also covers `associated`."""
    if how.mode != "gcm":
        return _crypt(data, how, decrypt=False), b""
    if not how.reduced:
        sealed = AESGCM(how.key, core=how.core).encrypt(how.iv, data, associated)
        return sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]
    block = how.block().encrypt_block
    out = reduced.gcm_crypt(block, how.iv, data)
    return out, reduced.gcm_tag(block, how.iv, out, associated)


def decrypt(data: bytes, how: Settings, associated: bytes = b"", tag: bytes = b"") -> bytes:
    """Decrypt; AuthenticationError if the tag of GCM is wrong."""
    if how.mode != "gcm":
        return _crypt(data, how, decrypt=True)
    if not how.reduced:
        return AESGCM(how.key, core=how.core).decrypt(how.iv, data + tag, associated)
    block = how.block().encrypt_block
    if not compare_digest(reduced.gcm_tag(block, how.iv, data, associated), tag):
        raise AuthenticationError("the tag is wrong")
    return reduced.gcm_crypt(block, how.iv, data)


def carrier(picture: Picture, pixels: NDArray[Any]) -> Picture:
    """Encrypted samples as a picture that can be looked at: grey or colour, with its alpha."""
    modes = DEEP_CARRIERS if pixels.dtype == np.uint16 else CARRIERS
    return Picture(pixels, modes[pixels.shape[2]], picture.name)


def encrypt_pixels(picture: Picture, how: Settings) -> Picture:
    """The picture encrypted, without a tag; palette indices become greys."""
    return carrier(picture, pixels_from(encrypt(picture.data, how)[0], picture.pixels))

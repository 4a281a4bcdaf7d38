# SPDX-License-Identifier: MIT
"""Messages as rigs measure them: their standard parts, their results, their layout in memory.

Results are the host library's; the layout is that of `rig_message` in harness.h.
"""

import struct
from dataclasses import dataclass
from hashlib import shake_256

from .. import _native
from ..catalog import MODES, Mode
from .job import Job

WORDS = 12
"""Machine words of a rig_message, in order: key, nonce, nonce_bytes, ad, ad_bytes, out, out_size,
in, bytes, tag, tag_bytes, out_bytes."""

OUT_BYTES_WORD = 11
"""Index of the word that the call writes in modes that change the length."""

CCMP_PACKET_NUMBER = 1

_LONGEST = 1 << 24
"""Bytes of the longest payload that is measured."""


@dataclass(frozen=True)
class Message:
    """One call: what goes in, what must come out."""

    key: bytes
    nonce: bytes
    nonce_word: int
    """The word nonce_bytes: their number, or the packet number of CCMP."""
    ad: bytes
    ad_bytes: int
    data: bytes
    """`in`."""
    out: bytes
    """What the call must write to `out`; empty for MACs."""
    tag: bytes
    """Encryption must write it; decryption is given it."""

    @property
    def out_size(self) -> int:
        """Bytes of room for `out`; padding wants room for all of its input."""
        return max(len(self.out), len(self.data))

    def pack(
        self, *, key: int, nonce: int, ad: int, out: int, data: int, tag: int, word_bytes: int = 4
    ) -> bytes:
        """The struct for parts that lie at these addresses; little-endian."""
        before = (key, nonce, self.nonce_word, ad, self.ad_bytes, out, self.out_size)
        form = f"<{WORDS}{'I' if word_bytes == 4 else 'Q'}"
        return struct.pack(form, *before, data, len(self.data), tag, len(self.tag), 0)


PROVED_BYTES = (0, 1, 15, 16, 17, 33)
"""Of payload, at which messages are proved: on both sides of a block's end."""


def proved_bytes(mode: Mode) -> tuple[int, ...]:
    """Those of PROVED_BYTES that the mode takes."""
    return tuple(size for size in PROVED_BYTES if size in mode.payloads)


def longest(mode: Mode) -> int:
    """Bytes of the longest payload that is taken here."""
    return min(mode.payloads.most, _LONGEST)


def check(job: Job) -> Mode:
    """The job's mode; ValueError when it cannot take this payload or key."""
    if job.mode not in MODES:
        raise ValueError(f"there is no mode {job.mode!r}; choose from: {', '.join(MODES)}")
    shape, size = job.shape, job.bytes
    if job.op == "key-setup":
        size = shape.least
    most = longest(shape)
    if size is None or size not in shape.payloads or size > most:
        step = f" in steps of {shape.multiple}" if shape.multiple > 1 else ""
        raise ValueError(f"{shape.title} takes {shape.least} to {most} bytes{step}, not {size}")
    if job.key_bits not in shape.key_bits:
        allowed = " or ".join(map(str, shape.key_bits))
        raise ValueError(f"{shape.title} takes keys of {allowed} bits, not {job.key_bits}")
    if job.op in ("decrypt", "both") and not shape.verifies:
        raise ValueError(f"{shape.title} has no verification in the library; measure encrypt")
    return shape


def key_bytes(job: Job) -> int:
    """Bytes of key that a job takes."""
    return job.key_bits // 8 * job.keys


def material(job: Job, number: int) -> bytes:
    """Key, nonce, associated data and payload for messages(); the same for the same number.

    Another number gives other secrets: key and payload.  Nonces and associated data stay: they are
    known to whoever watches, and the carries of a counter, for example, may well show.  The
    payload of number 0 is the job's own where it has one.
    """
    shape, key = check(job), key_bytes(job)
    public = made_up("public", shape.nonce + shape.ad)
    secret = made_up(str(number), key + (job.bytes or 0))
    text = job.text if job.text is not None and number == 0 else secret[key:]
    if len(text) != (job.bytes or 0):
        raise ValueError(f"the payload given has {len(text)} bytes, not {job.bytes}")
    return secret[:key] + public + text


def made_up(label: str, size: int) -> bytes:
    """Bytes that look random, the same for the same label."""
    return shake_256(f"aesfit {label}".encode()).digest(size)


def messages(job: Job, number: int = 0) -> tuple[Message, Message]:
    """The message to encrypt and the one to decrypt, their results taken from the host library.

    They are made of material(job, number).
    """
    shape, parts = check(job), material(job, number)
    at = key_bytes(job)
    key, nonce = parts[:at], parts[at : at + shape.nonce]
    at += shape.nonce
    ad, plain = parts[at : at + shape.ad], parts[at + shape.ad :]
    if shape.header:
        return _ccmp(key, ad, plain)
    cipher, tag = _seal(job, shape, key, nonce, ad, plain)
    word = len(nonce)
    sealed = Message(key, nonce, word, ad, len(ad), plain, cipher, tag)
    opened = Message(key, nonce, word, ad, len(ad), cipher, plain, tag)
    if shape.is_mac:
        opened = sealed
    return sealed, opened


def _ccmp(key: bytes, header: bytes, plain: bytes) -> tuple[Message, Message]:
    # A data frame to the distribution system, so that the header is 24 bytes.
    mpdu = bytes((0x08, 0x01)) + header[2:] + plain
    sealed = _native.ccmp_encapsulate(key, mpdu[: len(header)], plain, CCMP_PACKET_NUMBER)
    head = (key, b"", CCMP_PACKET_NUMBER, b"", len(header))
    return Message(*head, mpdu, sealed, b""), Message(*head, sealed, mpdu, b"")


def _seal(
    job: Job, shape: Mode, key: bytes, nonce: bytes, ad: bytes, plain: bytes
) -> tuple[bytes, bytes]:
    """Ciphertext and tag of the host library, by a core that is not the one measured."""
    core = "bytewise" if job.core != "bytewise" else "transposed"
    match job.mode:
        case "ccm" | "gcm":
            made = (_native.AESCCM if job.mode == "ccm" else _native.AESGCM)(
                key, tag_length=shape.tag, core=core
            ).encrypt(nonce, plain, ad)
            return made[: len(plain)], made[len(plain) :]
        case "gcm_siv":
            made = _native.AESGCMSIV(key, core=core).encrypt(nonce, plain, ad)
            return made[: len(plain)], made[len(plain) :]
        case "cmac":
            return b"", _native.cmac(key, plain)
        case "cbc_mac":
            return b"", _native.cbc_mac(key, plain)
        case "kw":
            return _native.key_wrap(key, plain), b""
        case _:
            cipher = _native.Cipher(key, shape.called, nonce or None, core=core)
            return cipher.encrypt(plain), b""

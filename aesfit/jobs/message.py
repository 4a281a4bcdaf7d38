# SPDX-License-Identifier: MIT
"""Messages as rigs measure them: their standard parts, their results, their layout in memory.

Results are the host library's; the layout is that of `rig_message` in harness.h.
"""

import struct
from dataclasses import dataclass
from hashlib import shake_256

from .. import _native
from .job import Job

WORDS = 12
"""Machine words of a rig_message, in order: key, nonce, nonce_bytes, ad, ad_bytes, out, out_size,
in, bytes, tag, tag_bytes, out_bytes."""

OUT_BYTES_WORD = 11
"""Index of the word that the call writes in modes that change the length."""

CCMP_PACKET_NUMBER = 1


@dataclass(frozen=True)
class Shape:
    """What a mode takes beside the payload, all in bytes."""

    nonce: int = 0
    """IV, nonce, counter or tweak."""
    ad: int = 0
    tag: int = 0
    multiple: int = 1
    """Payloads are multiples of this,"""
    least: int = 0
    """no shorter than this,"""
    most: int = 1 << 24
    """and no longer than this."""
    inverse: bool = False
    """Decryption needs the inverse cipher."""
    verifies: bool = True
    """The library has the decrypting or verifying call."""
    keys: int = 1
    set_up: str = "aesfit_expand_key"
    """The library's function that expands the key."""
    key_bits: tuple[int, ...] = (128, 192, 256)
    title: str = ""
    """How people know it."""


MODES = {
    "ecb": Shape(multiple=16, inverse=True, title="ECB"),
    "cbc": Shape(nonce=16, multiple=16, inverse=True, title="CBC"),
    "pkcs7": Shape(nonce=16, inverse=True, title="CBC with PKCS#7 padding"),
    "cbc_cs3": Shape(nonce=16, least=16, inverse=True, title="CBC-CS3"),
    "ctr": Shape(nonce=16, title="CTR, 128-bit counter"),
    "cfb": Shape(nonce=16, title="CFB128"),
    "cfb8": Shape(nonce=16, title="CFB8"),
    "ofb": Shape(nonce=16, title="OFB"),
    "xts": Shape(
        nonce=16, least=16, inverse=True, keys=2, set_up="aesfit_xts_expand_key",
        key_bits=(128, 256), title="XTS",
    ),
    "cbc_mac": Shape(tag=16, multiple=16, least=16, verifies=False, title="CBC-MAC"),
    "cmac": Shape(tag=16, title="CMAC"),
    "ccm": Shape(nonce=13, ad=22, tag=8, most=65535, title="CCM"),
    "gcm": Shape(nonce=12, ad=22, tag=16, set_up="aesfit_gcm_expand_key", title="GCM"),
    "kw": Shape(multiple=8, least=16, inverse=True, title="KW"),
    "ccmp": Shape(ad=24, most=65535, key_bits=(128,), title="CCMP"),
}  # fmt: skip
"""CCM and CCMP as IEEE 802.11 sizes them: 13-byte nonce, 22 bytes of associated data (a 24-byte
header), 8-byte tag.  GCM with the recommended nonce and the full tag."""


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


def proved_bytes(mode: str) -> tuple[int, ...]:
    """Those of PROVED_BYTES that the mode takes."""
    shape = MODES[mode]
    return tuple(n for n in PROVED_BYTES if n >= shape.least and n % shape.multiple == 0)


def check(job: Job) -> Shape:
    """The shape of the job's mode; ValueError when it cannot take this payload or key."""
    if job.mode not in MODES:
        raise ValueError(f"there is no mode {job.mode!r}; choose from: {', '.join(MODES)}")
    shape, size = MODES[job.mode], job.bytes
    if job.op == "key-setup":
        size = shape.least
    if size is None or not shape.least <= size <= shape.most or size % shape.multiple:
        step = f" in steps of {shape.multiple}" if shape.multiple > 1 else ""
        raise ValueError(
            f"{shape.title} takes {shape.least} to {shape.most} bytes{step}, not {size}"
        )
    if job.key_bits not in shape.key_bits:
        allowed = " or ".join(map(str, shape.key_bits))
        raise ValueError(f"{shape.title} takes keys of {allowed} bits, not {job.key_bits}")
    if job.op in ("decrypt", "both") and not shape.verifies:
        raise ValueError(f"{shape.title} has no verification in the library; measure encrypt")
    return shape


def key_bytes(job: Job) -> int:
    """Bytes of key that a job takes."""
    return job.key_bits // 8 * (MODES[job.mode].keys if job.mode else 1)


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
    if job.mode == "ccmp":
        return _ccmp(key, ad, plain)
    cipher, tag = _seal(job, shape, key, nonce, ad, plain)
    word = len(nonce)
    sealed = Message(key, nonce, word, ad, len(ad), plain, cipher, tag)
    opened = Message(key, nonce, word, ad, len(ad), cipher, plain, tag)
    if job.mode in ("cmac", "cbc_mac"):
        opened = sealed
    return sealed, opened


def _ccmp(key: bytes, header: bytes, plain: bytes) -> tuple[Message, Message]:
    # A data frame to the distribution system, so that the header is 24 bytes.
    mpdu = bytes((0x08, 0x01)) + header[2:] + plain
    sealed = _native.ccmp_encapsulate(key, mpdu[: len(header)], plain, CCMP_PACKET_NUMBER)
    head = (key, b"", CCMP_PACKET_NUMBER, b"", len(header))
    return Message(*head, mpdu, sealed, b""), Message(*head, sealed, mpdu, b"")


def _seal(
    job: Job, shape: Shape, key: bytes, nonce: bytes, ad: bytes, plain: bytes
) -> tuple[bytes, bytes]:
    """Ciphertext and tag of the host library, by a core that is not the one measured."""
    core = "bytewise" if job.core != "bytewise" else "transposed"
    match job.mode:
        case "ccm" | "gcm":
            made = (_native.AESCCM if job.mode == "ccm" else _native.AESGCM)(
                key, tag_length=shape.tag, core=core
            ).encrypt(nonce, plain, ad)
            return made[: len(plain)], made[len(plain) :]
        case "cmac":
            return b"", _native.cmac(key, plain)
        case "cbc_mac":
            return b"", _native.cbc_mac(key, plain)
        case "kw":
            return _native.key_wrap(key, plain), b""
        case mode:
            name = {"pkcs7": "cbc-pkcs7"}.get(str(mode), str(mode).replace("_", "-"))
            return _native.Cipher(key, name, nonce or None, core=core).encrypt(plain), b""

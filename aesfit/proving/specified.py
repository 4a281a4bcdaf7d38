# SPDX-License-Identifier: MIT
"""What a mode's call must give, over forms: which parts go in, and what comes out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..building.unit import entries
from ..jobs import message
from ..jobs.job import Job
from .domain import Value
from .fips197 import Aes, Byte
from .forms import made
from .galois import gcm
from .messages import CCMP_HEADER, HEADER, PROTECTED, Make, Parts, parts_of
from .standards import (
    Text,
    blocks,
    cbc_cs3_decrypt,
    cbc_cs3_encrypt,
    cbc_decrypt,
    cbc_encrypt,
    cbc_mac,
    ccm,
    cfb_decrypt,
    cfb_encrypt,
    cmac,
    ctr,
    kw_wrap,
    ofb,
    pkcs7,
    text,
    xts,
)
from .zones import Atoms

_OPENED = ("ecb", "cbc", "cbc_cs3", "ctr", "cfb", "cfb8", "ofb", "xts")
"""Modes that decrypt any ciphertext, not only that of a payload."""
_SPECIFIED = (*_OPENED, "pkcs7", "cbc_mac", "cmac", "ccm", "gcm", "kw", "ccmp")
_SEGMENTS = {"cfb": 16, "cfb8": 1}
"""Bytes of a segment (SP 800-38A, 6.3)."""


@dataclass(frozen=True)
class Expected:
    """A call and its results."""

    parts: Parts
    out: Text
    tag: Text


def why_not(job: Job) -> str | None:
    """None where the mode is specified here; else why nothing is compared."""
    if job.mode not in _SPECIFIED:
        return f"the prover has no specification of {message.MODES[str(job.mode)].title}"
    return None


class _Inputs:
    """Fresh bytes, remembered."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms

    def __call__(self, size: int) -> list[Value]:
        return [made(self._atoms.fresh(8)) for _ in range(size)]


def expected(
    job: Job, atoms: Atoms, bits: Callable[[Value], Byte], inputs: Make | None = None
) -> Expected:
    """For every key, nonce, associated data and payload of the job's lengths, or for `inputs`.

    What decrypts and verifies is given what encryption specifies, tag included.
    """
    inputs = inputs or _Inputs(atoms)
    parts = parts_of(job, inputs)
    key = [bits(one) for one in parts.key]
    nonce, ad = [bits(one) for one in parts.nonce], [bits(one) for one in parts.ad]
    decrypts = entries(job)[1] == "rig_decrypt"
    if not decrypts:
        start = len(HEADER) if job.mode == "ccmp" else 0
        plain = [bits(one) for one in parts.data[start:]]
        return Expected(parts, *_sealed(job, atoms, key, nonce, ad, plain))
    if job.mode in _OPENED:
        return Expected(parts, _opened(job, atoms, key, nonce, [bits(x) for x in parts.data]), [])
    plain = [bits(one) for one in inputs(job.bytes or 0)]
    sealed, tag = _sealed(job, atoms, key, nonce, ad, plain)
    data = [made(one) for one in (plain if job.mode == "cmac" else sealed)]
    given = replace(parts, data=data, tag=[made(one) for one in tag])
    out = [] if job.mode == "cmac" else plain
    return Expected(given, [*text(HEADER), *out] if job.mode == "ccmp" else out, tag)


def _sealed(
    job: Job, atoms: Atoms, key: Sequence[Byte], nonce: Text, ad: Text, plain: Text
) -> tuple[Text, Text]:
    half = len(key) // message.MODES[str(job.mode)].keys
    aes = Aes(atoms, key[:half])
    match job.mode:
        case "ecb":
            return [byte for block in blocks(plain) for byte in aes.encrypt(block)], []
        case "cbc":
            return cbc_encrypt(aes, nonce, plain), []
        case "pkcs7":
            return cbc_encrypt(aes, nonce, pkcs7(plain)), []
        case "cbc_cs3":
            return cbc_cs3_encrypt(aes, nonce, plain), []
        case "cfb" | "cfb8" as mode:
            return cfb_encrypt(aes, nonce, plain, _SEGMENTS[mode]), []
        case "ofb":
            return ofb(aes, nonce, plain), []
        case "ctr":
            return ctr(atoms, aes, nonce, plain), []
        case "cbc_mac":
            return [], cbc_mac(aes, plain)
        case "cmac":
            return [], cmac(aes, plain)
        case "kw":
            return kw_wrap(aes, plain), []
        case "ccm":
            return ccm(atoms, aes, nonce, ad, plain, message.MODES["ccm"].tag)
        case "gcm":
            return gcm(atoms, aes, nonce, ad, plain, message.MODES["gcm"].tag)
        case "ccmp":
            return _ccmp(atoms, aes, plain), []
    return xts(aes, Aes(atoms, key[half:]), nonce, plain, encrypt=True), []


def _opened(job: Job, atoms: Atoms, key: Sequence[Byte], nonce: Text, data: Text) -> Text:
    half = len(key) // message.MODES[str(job.mode)].keys
    aes = Aes(atoms, key[:half])
    match job.mode:
        case "ecb":
            return [byte for block in blocks(data) for byte in aes.decrypt(block)]
        case "cbc":
            return cbc_decrypt(aes, nonce, data)
        case "cbc_cs3":
            return cbc_cs3_decrypt(aes, nonce, data)
        case "cfb" | "cfb8" as mode:
            return cfb_decrypt(aes, nonce, data, _SEGMENTS[mode])
        case "ofb":
            return ofb(aes, nonce, data)
        case "ctr":
            return ctr(atoms, aes, nonce, data)
    return xts(aes, Aes(atoms, key[half:]), nonce, data, encrypt=False)


def _ccmp(atoms: Atoms, aes: Aes, plain: Text) -> Text:
    """The whole MPDU (IEEE 802.11-2012, 11.4.3.3): its header is HEADER."""
    number = message.CCMP_PACKET_NUMBER.to_bytes(6, "big")
    ad = bytes((HEADER[0] & 0x8F, HEADER[1] & 0xC7 | PROTECTED)) + HEADER[4:22]
    ad += bytes((HEADER[22] & 0x0F, 0))
    nonce = b"\0" + HEADER[10:16] + number
    sealed, mic = ccm(atoms, aes, text(nonce), text(ad), plain, 8)
    header = bytes((HEADER[0], HEADER[1] | PROTECTED)) + HEADER[2:] + CCMP_HEADER
    return [*text(header), *sealed, *mic]

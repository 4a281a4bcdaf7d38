# SPDX-License-Identifier: MIT
"""What a mode's call must give, over forms: which parts go in, and what comes out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..building.unit import entries
from ..catalog import MODES
from ..jobs import message
from ..jobs.job import Job
from .domain import Value
from .fips197 import Aes, Byte
from .galois import gcm
from .gcm_siv import gcm_siv, gcm_siv_opened
from .messages import (
    CCMP_HEADER,
    COUNTING,
    HEADER,
    MIC,
    PROTECTED,
    STAGGERED,
    Layout,
    Make,
    Parts,
    any_counter,
    parts_of,
)
from .standards import (
    ICV1,
    Text,
    added,
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
from .verdicts import CallVerdict, agreement, equal_results, padding
from .words import made
from .zones import Atoms

OPENED = tuple(one.name for one in MODES.values() if one.decrypt and not one.verdict)
"""Modes that decrypt any ciphertext, not only that of a payload."""
_SPECIFIED = (
    *("ecb", "cbc", "pkcs7", "cbc_cs3", "ctr", "cfb", "cfb8", "ofb", "xts", "cbc_mac", "cmac"),
    *("ccm", "gcm", "gcm_siv", "kw", "ccmp"),
)
"""Modes of standard_sealed() and, of OPENED, standard_opened()."""


@dataclass(frozen=True)
class Expected:
    """A call and its results."""

    parts: Parts
    out: Text
    tag: Text
    nonce: Text
    """What the caller's IV is afterwards."""
    verdict: CallVerdict | None = None
    """When it accepts; None: always."""
    kept: tuple[int, int] = (0, 0)
    """Bytes at the start and the end of `out` that may be as they were given, where others are
    wiped: what CCMP sends in the clear, and the last block under PKCS#7, which is not written."""


def why_not(job: Job) -> str | None:
    """None where the mode is specified here; else why nothing is compared."""
    if job.mode not in _SPECIFIED:
        return f"the prover has no specification of {job.shape.title}"
    return None


class _Inputs:
    """Fresh bytes, remembered."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms

    def __call__(self, size: int) -> list[Value]:
        return [made(self._atoms.fresh(8)) for _ in range(size)]


def expected(
    job: Job,
    atoms: Atoms,
    bits: Callable[[Value], Byte],
    inputs: Make | None = None,
    layout: Layout = STAGGERED,
) -> Expected:
    """For every key, nonce, associated data and payload of these lengths, or for `inputs`.

    What verifies is given every tag: the right one plus bits of its own.
    """
    inputs = inputs or _Inputs(atoms)
    parts = parts_of(job, inputs, layout)
    if any_counter(job, layout):
        parts = replace(parts, nonce=[*inputs(16 - len(COUNTING)), *COUNTING])
    key, nonce, ad = ([bits(one) for one in part] for part in (parts.key, parts.nonce, parts.ad))
    verdict = unequal_halves(atoms, key) if job.mode == "xts" else None
    if entries(job)[1] != "rig_decrypt":
        start = len(HEADER) if job.mode == "ccmp" else 0
        plain = [bits(one) for one in parts.data[start:]]
        out, tag = standard_sealed(job, atoms, key, nonce, ad, plain, len(parts.tag))
        return Expected(parts, out, tag, _next_iv(parts, nonce, out), verdict)
    if job.mode in OPENED:
        data = [bits(one) for one in parts.data]
        out = standard_opened(job, atoms, key, nonce, data)
        return Expected(parts, out, [], _next_iv(parts, nonce, data), verdict)
    if job.mode == "gcm_siv":
        data, tag = ([bits(one) for one in part] for part in (parts.data, parts.tag))
        return _siv_opened(atoms, parts, key, nonce, ad, data, tag)
    plain = [bits(one) for one in inputs(job.bytes or 0)]
    if job.mode == "pkcs7":
        whole, _ = standard_sealed(job, atoms, key, nonce, ad, plain, len(parts.tag))
        return Expected(_given(parts, whole, []), plain, [], nonce)
    return _verified(job, atoms, parts, key, nonce, ad, plain)


def _given(parts: Parts, data: Text, tag: Text) -> Parts:
    return replace(parts, data=[made(one) for one in data], tag=[made(one) for one in tag])


def _next_iv(parts: Parts, nonce: Text, sealed: Text) -> Text:
    """The last block of ciphertext, where a call writes it over the IV (SP 800-38A, 6.2)."""
    return sealed[-16:] if parts.nonce_written and sealed else nonce


def unequal_halves(atoms: Atoms, key: Sequence[Byte]) -> CallVerdict | None:
    """XTS takes no key with equal halves (FIPS 140-2 implementation guidance, A.9)."""
    half = len(key) // 2
    pairs = [
        (other.bit_length() - 1, one)
        for first, second in zip(key[:half], key[half:], strict=True)
        for one, other in zip(first, second, strict=True)
    ]
    if any(one < 2 for _, one in pairs):  # a key of numbers, whose halves differ
        return None
    return ~agreement(atoms, pairs)


def _verified(  # long: the parts of a message
    job: Job, atoms: Atoms, parts: Parts, key: Text, nonce: Text, ad: Text, plain: Text
) -> Expected:
    """A message whose tag, or what stands for one, is the right one plus differences."""
    if job.mode == "kw":
        differences, verdict = _differences(atoms, len(ICV1))
        sealed = kw_wrap(Aes(atoms, key), plain, added(ICV1, differences))
        return Expected(_given(parts, sealed, []), plain, [], nonce, verdict)
    sealed, tag = standard_sealed(job, atoms, key, nonce, ad, plain, len(parts.tag))
    differences, verdict = _differences(atoms, MIC if job.mode == "ccmp" else len(tag))
    if job.mode == "ccmp":
        data = [*sealed[:-MIC], *added(sealed[-MIC:], differences)]
        out, kept = [*text(HEADER), *plain], (len(HEADER) + len(CCMP_HEADER), 0)
        return Expected(_given(parts, data, []), out, [], nonce, verdict, kept)
    tag = added(tag, differences)
    data, out = (plain, []) if job.mode == "cmac" else (sealed, plain)
    return Expected(_given(parts, data, tag), out, tag, nonce, verdict)


def _siv_opened(  # long: the parts of a message
    atoms: Atoms, parts: Parts, key: Text, nonce: Text, ad: Text, data: Text, tag: Text
) -> Expected:
    """Any ciphertext with any tag: what they decrypt to depends on both, and so does the right tag.

    Numbers are a plaintext, of which the right message is made.
    """
    if all(bit < 2 for part in (key, data, tag) for byte in part for bit in byte):
        sealed, right = gcm_siv(atoms, key, nonce, ad, data)
        return Expected(_given(parts, sealed, right), data, right, nonce)
    plain, right = gcm_siv_opened(atoms, key, nonce, ad, data, tag)
    bits = ([bit for byte in part for bit in byte] for part in (right, tag))
    pairs = list(zip(*bits, strict=True))
    return Expected(parts, plain, tag, nonce, equal_results(atoms, pairs))


def _differences(atoms: Atoms, count: int) -> tuple[Text, CallVerdict]:
    """Bytes that are added to the right ones, and when a call accepts the sum."""
    added_to: Text = [atoms.fresh(8) for _ in range(count)]
    bits = [(bit.bit_length() - 1, 0) for one in added_to for bit in one]
    return added_to, agreement(atoms, bits)


def with_any_padding(job: Job, atoms: Atoms, bits: Callable[[Value], Byte]) -> Expected:
    """Any ciphertext under PKCS#7 of the length that the job's payload makes; `out` is not told."""
    inputs = _Inputs(atoms)
    parts = parts_of(job, inputs)
    plain = [bits(one) for one in inputs(len(parts.data))]
    key, nonce = ([bits(one) for one in part] for part in (parts.key, parts.nonce))
    sealed = cbc_encrypt(Aes(atoms, key), nonce, plain)
    given = replace(_given(parts, sealed, []), out_bytes=len(sealed))
    return Expected(given, [], [], nonce, padding(atoms, plain[-16:]), (0, 16))


def standard_sealed(  # long: the parts of a message
    job: Job, atoms: Atoms, key: Sequence[Byte], nonce: Text, ad: Text, plain: Text, tag: int
) -> tuple[Text, Text]:
    """Ciphertext and tag of a message."""
    half = len(key) // job.keys
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
        case "cfb" | "cfb8":
            return cfb_encrypt(aes, nonce, plain, job.shape.segment), []
        case "ofb":
            return ofb(aes, nonce, plain), []
        case "ctr":
            return ctr(atoms, aes, nonce, plain), []
        case "cbc_mac":
            return [], cbc_mac(aes, plain)
        case "cmac":
            return [], cmac(aes, plain)[:tag]
        case "kw":
            return kw_wrap(aes, plain, ICV1), []
        case "ccm":
            return ccm(atoms, aes, nonce, ad, plain, tag)
        case "gcm":
            return gcm(atoms, aes, nonce, ad, plain, tag)
        case "gcm_siv":
            return gcm_siv(atoms, key, nonce, ad, plain)
        case "ccmp":
            return _ccmp(atoms, aes, plain), []
    return xts(aes, Aes(atoms, key[half:]), nonce, plain, encrypt=True), []


def standard_opened(job: Job, atoms: Atoms, key: Sequence[Byte], nonce: Text, data: Text) -> Text:
    """What a ciphertext is decrypted to, where no tag is."""
    half = len(key) // job.keys
    aes = Aes(atoms, key[:half])
    match job.mode:
        case "ecb":
            return [byte for block in blocks(data) for byte in aes.decrypt(block)]
        case "cbc":
            return cbc_decrypt(aes, nonce, data)
        case "cbc_cs3":
            return cbc_cs3_decrypt(aes, nonce, data)
        case "cfb" | "cfb8":
            return cfb_decrypt(aes, nonce, data, job.shape.segment)
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

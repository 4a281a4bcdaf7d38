# SPDX-License-Identifier: MIT
"""Known answers as records of the drop-ins' driver (tests/emit/driver.h): the project's own
files of published answers, and samples of NIST's files (CAVP)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from places import ROOT
from vectors import FOLDERS, KINDS, Vector, ccm_parts, nist, unhex, xts_vectors

from aesfit.building.sources import registered

SIBLINGS = {
    "cbc": ("cbc_many",),
    "pkcs7": ("ecb_pkcs7",),
    "cmac": ("cmac_streamed",),
    "ccm": ("ccm_streamed",),
    "gcm": ("gcm_streamed", "gmac"),
    "kw": ("kwp",),
}
"""What a drop-in with all functions answers to besides, by mode."""

NUMBERS = {
    name: number
    for number, name in enumerate((*registered("modes"), *sum(SIBLINGS.values(), ())), start=1)
}
"""The modes as records number them."""

_AUTHENTIC = {
    "cmac",
    "ccm",
    "gcm",
    "gcm_siv",
    "kw",
    "ccmp",
    "kwp",
    "cmac_streamed",
    "ccm_streamed",
} | {
    "gcm_streamed",
    "gmac",
}
_VERIFY_ONLY = {"cmac", "cbc_mac", "cmac_streamed", "gmac"}


@dataclass(frozen=True)
class Record:
    """One known answer; `refused`: it must not be decrypted."""

    mode: str
    key: bytes
    nonce: bytes = b""
    ad: bytes = b""
    plain: bytes = b""
    cipher: bytes = b""
    tag: bytes = b""
    refused: bool = False

    @property
    def key_bits(self) -> int:
        """Of AES; XTS has two keys in one."""
        return 8 * len(self.key) // (2 if self.mode == "xts" else 1)

    def packed(self) -> bytes:
        """The bytes that the driver takes."""
        marks = (self.refused, self.mode in _VERIFY_ONLY, self.mode in _AUTHENTIC)
        fields = (self.key, self.nonce, self.ad, self.plain, self.cipher, self.tag)
        head = bytes((NUMBERS[self.mode], *marks))
        return head + b"".join(len(one).to_bytes(4, "little") + one for one in fields)


def _published(text: str) -> Iterator[Record]:
    """Records of a file of tests/vectors."""
    for block in text.split("\n\n"):
        lines = [line.split(" ", 1) for line in block.splitlines() if not line.startswith("#")]
        given = dict(lines)
        if "mode" not in given:
            continue
        mode = given.pop("mode").replace("cbc-pkcs7", "pkcs7").replace("-", "_")
        values: dict[str, Any] = {name: unhex(value) for name, value in given.items()}
        if "iv" in values:
            values["nonce"] = values.pop("iv")
        yield _mpdu(Record(mode, **values)) if mode == "ccmp" else Record(mode, **values)


def _mpdu(record: Record) -> Record:
    """CCMP takes and gives whole frames; unprotected ones have no Protected bit."""
    header = record.ad
    open_header = bytes((header[0], header[1] & ~0x40)) + header[2:]
    sealed = header + record.cipher + record.tag
    return replace(record, plain=open_header + record.plain, cipher=sealed, tag=b"")


def _long_ad() -> Record:
    """SP 800-38C, example 4: the length of its associated data takes 6 bytes."""
    sealed = unhex(
        "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"
        "b4ac6bec93e8598e7f0dadbcea5b"
    )
    key, nonce, ad = bytes(range(0x40, 0x50)), bytes(range(0x10, 0x1D)), bytes(range(256)) * 256
    plain = bytes(range(0x20, 0x40))
    return Record("ccm", key, nonce, ad, plain, sealed[:32], sealed[32:])


@cache
def published() -> tuple[Record, ...]:
    """Every answer in tests/vectors, of SP 800-38A to F, IEEE 802.11 and 1619, and RFCs."""
    folder = ROOT / "tests" / "vectors"
    names = ("modes.txt", "aead.txt", "siv.txt", "mac_wrap.txt")
    texts = [(folder / name).read_text(encoding="utf-8") for name in names]
    return (*(record for text in texts for record in _published(text)), _long_ad())


def _spread(vectors: Sequence[Vector], count: int) -> Iterable[Vector]:
    """`count` of them, evenly spread, the first and the last among them."""
    last = len(vectors) - 1
    chosen = {round(number * last / max(count - 1, 1)) for number in range(count)}
    return [vectors[index] for index in sorted(chosen)]


def _ciphers(mode: str, bits: int, count: int) -> Iterator[Record]:
    if mode == "ctr":
        vectors = [nist(f"ciphers/AES/CTR/aes-{bits}-ctr.txt")]
    elif mode == "xts":
        folders = ("tweak-128hexstr", "tweak-dataunitseqno")
        vectors = [tuple(xts_vectors(folder, bits)) for folder in folders if bits != 192]
    else:
        vectors = [nist(f"ciphers/AES/{FOLDERS[mode]}{kind}{bits}.rsp") for kind in KINDS]
    for group in vectors:
        for vector in _spread(group, count):
            nonce = unhex(vector.get("iv", ""))
            plain, cipher = unhex(vector["plaintext"]), unhex(vector["ciphertext"])
            yield Record(mode, unhex(vector["key"]), nonce, b"", plain, cipher)


def _ccm(bits: int, count: int) -> Iterator[Record]:
    for kind in ("VADT", "VNT", "VPT", "VTT", "DVPT"):
        for vector in _spread(nist(f"ciphers/AES/CCM/{kind}{bits}.rsp"), count):
            nonce, ad, plain, sealed = ccm_parts(vector)
            at = len(sealed) - int(vector["tlen"])
            refused = vector.get("result", "Pass").startswith("Fail")
            key = unhex(vector["key"])
            yield Record("ccm", key, nonce, ad, plain, sealed[:at], sealed[at:], refused)


def _gcm(bits: int, count: int) -> Iterator[Record]:
    for kind in ("EncryptExtIV", "Decrypt"):
        for vector in _spread(nist(f"ciphers/AES/GCM/gcm{kind}{bits}.rsp"), 4 * count):
            key, nonce, ad, tag = (unhex(vector[name]) for name in ("key", "iv", "aad", "tag"))
            plain, cipher = unhex(vector.get("pt", "")), unhex(vector["ct"])
            yield Record("gcm", key, nonce, ad, plain, cipher, tag, "fail" in vector)


def _wrap(mode: str, bits: int, count: int) -> Iterator[Record]:
    for direction in ("AE", "AD"):
        path = f"keywrap/kwtestvectors/{mode.upper()}_{direction}_{bits}.txt"
        for vector in _spread(nist(path), count):
            plain, cipher = unhex(vector.get("p", "")), unhex(vector["c"])
            key, refused = unhex(vector["k"]), "fail" in vector
            yield Record(mode, key, b"", b"", plain, cipher, refused=refused)


@cache
def sampled(mode: str, bits: int, count: int) -> tuple[Record, ...]:
    """At most `count` answers of each of NIST's files for the mode; empty without files."""
    if mode in (*FOLDERS, "ctr", "xts"):
        return tuple(_ciphers(mode, bits, count))
    if mode == "ccm":
        return tuple(_ccm(bits, count))
    if mode == "gcm":
        return tuple(_gcm(bits, count))
    if mode in ("kw", "kwp"):
        return tuple(_wrap(mode, bits, count))
    return ()


def records(
    modes: Iterable[str], key_bits: Sequence[int], every: bool = False, count: int = 2
) -> tuple[Record, ...]:
    """Answers for these modes and key sizes; `every`: for the siblings of the modes too."""
    found: list[Record] = []
    for mode in modes:
        found += _of(mode, key_bits, count)
        for sibling in SIBLINGS.get(mode, ()) if every else ():
            found += _sibling(sibling, mode, key_bits, count)
    return tuple(found)


def _of(mode: str, key_bits: Sequence[int], count: int) -> list[Record]:
    known = [one for one in published() if one.mode == mode and one.key_bits in key_bits]
    return known + [one for bits in key_bits for one in sampled(mode, bits, count)]


def _sibling(name: str, mode: str, key_bits: Sequence[int], count: int) -> list[Record]:
    if name in ("ecb_pkcs7", "kwp"):
        return _of(name, key_bits, count)
    found = [replace(one, mode=name) for one in _of(mode, key_bits, count)]
    return [one for one in found if not one.plain and not one.cipher] if name == "gmac" else found

# SPDX-License-Identifier: MIT
"""NIST's known answers and multi-block messages (CAVP) for the confidentiality modes."""

import pytest
from vectors import Vector, nist, unhex

import aesfit

FOLDERS = {
    "ecb": "ECB/ECB",
    "cbc": "CBC/CBC",
    "cfb": "CFB/CFB128",
    "cfb8": "CFB/CFB8",
    "ofb": "OFB/OFB",
}
KINDS = ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")
BITS = (128, 192, 256)


def check(mode: str, vector: Vector, core: str) -> None:
    """Encrypt and decrypt one vector."""
    iv = unhex(vector["iv"]) if "iv" in vector else None
    cipher = aesfit.Cipher(unhex(vector["key"]), mode, iv, core=core)
    plain, encrypted = unhex(vector["plaintext"]), unhex(vector["ciphertext"])
    assert cipher.encrypt(plain) == encrypted
    assert cipher.decrypt(encrypted) == plain


@pytest.mark.parametrize("mode", FOLDERS)
@pytest.mark.parametrize("bits", BITS)
def test_known_answers(core: str, mode: str, bits: int) -> None:
    for kind in KINDS:
        vectors = nist(f"ciphers/AES/{FOLDERS[mode]}{kind}{bits}.rsp")
        assert len(vectors) >= 10
        for vector in vectors:
            check(mode, vector, core)


@pytest.mark.parametrize("bits", BITS)
def test_ctr(core: str, bits: int) -> None:
    """RFC 3686, section 6."""
    vectors = nist(f"ciphers/AES/CTR/aes-{bits}-ctr.txt")
    assert len(vectors) == 3
    for vector in vectors:
        check("ctr", vector, core)


def xts_vectors(folder: str, bits: int) -> list[Vector]:
    """Data units of whole bytes; the tweak as 16 bytes, little-endian (IEEE 1619, 5.1)."""
    vectors = [
        {
            "key": vector["key"],
            "iv": vector.get("i") or int(vector["dataunitseqnumber"]).to_bytes(16, "little").hex(),
            "plaintext": vector["pt"],
            "ciphertext": vector["ct"],
        }
        for vector in nist(f"ciphers/AES/XTS/{folder}/XTSGenAES{bits}.rsp")
        if int(vector["dataunitlen"]) % 8 == 0
    ]
    assert len(vectors) >= 600
    return vectors


@pytest.mark.parametrize("folder", ["tweak-128hexstr", "tweak-dataunitseqno"])
@pytest.mark.parametrize("bits", [128, 256])
def test_xts(core: str, folder: str, bits: int) -> None:
    for vector in xts_vectors(folder, bits):
        check("xts", vector, core)

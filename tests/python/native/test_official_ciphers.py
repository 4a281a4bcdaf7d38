# SPDX-License-Identifier: MIT
"""NIST's known answers and multi-block messages (CAVP) for the confidentiality modes."""

import pytest
from every_core import on_every_core
from vectors import FOLDERS, KINDS, Vector, nist, unhex, xts_vectors

import aesfit

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
@on_every_core
def test_known_answers(core: str, mode: str, bits: int) -> None:
    for kind in KINDS:
        vectors = nist(f"ciphers/AES/{FOLDERS[mode]}{kind}{bits}.rsp")
        assert len(vectors) >= 10
        for vector in vectors:
            check(mode, vector, core)


@pytest.mark.parametrize("bits", BITS)
@on_every_core
def test_ctr(core: str, bits: int) -> None:
    """RFC 3686, section 6."""
    vectors = nist(f"ciphers/AES/CTR/aes-{bits}-ctr.txt")
    assert len(vectors) == 3
    for vector in vectors:
        check("ctr", vector, core)


@pytest.mark.parametrize("folder", ["tweak-128hexstr", "tweak-dataunitseqno"])
@pytest.mark.parametrize("bits", [128, 256])
@on_every_core
def test_xts(core: str, folder: str, bits: int) -> None:
    for vector in xts_vectors(folder, bits):
        check("xts", vector, core)

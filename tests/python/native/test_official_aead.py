# SPDX-License-Identifier: MIT
"""NIST's CCM and GCM vectors (CAVP)."""

import pytest
from every_core import on_every_core, share
from vectors import Vector, ccm_parts, nist, unhex

import aesfit
from aesfit._native import AnyNonceGCM

BITS = (128, 192, 256)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", ["VADT", "VNT", "VPT", "VTT"])
@on_every_core
def test_ccm_encrypt(core: str, kind: str, bits: int) -> None:
    vectors = nist(f"ciphers/AES/CCM/{kind}{bits}.rsp")
    assert len(vectors) >= 70
    for vector in vectors:
        nonce, associated, payload, expected = ccm_parts(vector)
        aead = aesfit.AESCCM(unhex(vector["key"]), int(vector["tlen"]), core=core)
        assert aead.encrypt(nonce, payload, associated) == expected
        assert aead.decrypt(nonce, expected, associated) == payload


@pytest.mark.parametrize("bits", BITS)
@on_every_core
def test_ccm_decrypt(core: str, bits: int) -> None:
    vectors = nist(f"ciphers/AES/CCM/DVPT{bits}.rsp")
    assert {vector["result"].split()[0] for vector in vectors} == {"Pass", "Fail"}
    for vector in vectors:
        nonce, associated, payload, encrypted = ccm_parts(vector)
        aead = aesfit.AESCCM(unhex(vector["key"]), int(vector["tlen"]), core=core)
        if vector["result"].startswith("Pass"):
            assert aead.decrypt(nonce, encrypted, associated) == payload
        else:
            with pytest.raises(aesfit.AuthenticationError):
                aead.decrypt(nonce, encrypted, associated)


def gcm_vectors(kind: str, bits: int) -> tuple[Vector, ...]:
    vectors = nist(f"ciphers/AES/GCM/gcm{kind}{bits}.rsp")
    assert len(vectors) == 7875
    return vectors


@pytest.mark.parametrize("bits", BITS)
@on_every_core
def test_gcm_encrypt(core: str, bits: int, slow: bool) -> None:
    for vector in share(gcm_vectors("EncryptExtIV", bits), core, slow):
        aead = AnyNonceGCM(unhex(vector["key"]), int(vector["taglen"]) // 8, core=core)
        sealed = aead.encrypt(unhex(vector["iv"]), unhex(vector["pt"]), unhex(vector["aad"]))
        assert sealed == unhex(vector["ct"]) + unhex(vector["tag"])


@pytest.mark.parametrize("bits", BITS)
@on_every_core
def test_gcm_decrypt(core: str, bits: int, slow: bool) -> None:
    for vector in share(gcm_vectors("Decrypt", bits), core, slow):
        aead = AnyNonceGCM(unhex(vector["key"]), int(vector["taglen"]) // 8, core=core)
        sealed = unhex(vector["ct"]) + unhex(vector["tag"])
        nonce, associated = unhex(vector["iv"]), unhex(vector["aad"])
        if "fail" in vector:
            with pytest.raises(aesfit.AuthenticationError):
                aead.decrypt(nonce, sealed, associated)
        else:
            assert aead.decrypt(nonce, sealed, associated) == unhex(vector["pt"])

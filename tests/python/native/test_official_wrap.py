# SPDX-License-Identifier: MIT
"""NIST's CMAC, KW and KWP vectors (SP 800-38B, CAVP for SP 800-38F, RFC 5649)."""

import pytest
from every_core import on_every_core, share
from vectors import Vector, nist, unhex

import aesfit

BITS = (128, 192, 256)


@pytest.mark.parametrize("bits", BITS)
@on_every_core
def test_cmac(core: str, bits: int) -> None:
    vectors = nist(f"CMAC/nist-800-38b-aes{bits}.txt")
    assert len(vectors) == 4
    for vector in vectors:
        assert aesfit.cmac(unhex(vector["key"]), unhex(vector["message"]), core=core) == unhex(
            vector["output"]
        )


def wrap_vectors(kind: str, direction: str, bits: int) -> tuple[Vector, ...]:
    vectors = nist(f"keywrap/kwtestvectors/{kind}_{direction}_{bits}.txt")
    assert len(vectors) == 500
    return vectors


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", ["KW", "KWP"])
@on_every_core
def test_wrap(core: str, kind: str, bits: int, slow: bool) -> None:
    for vector in share(wrap_vectors(kind, "AE", bits), core, slow):
        wrapped = aesfit.key_wrap(
            unhex(vector["k"]), unhex(vector["p"]), padded=kind == "KWP", core=core
        )
        assert wrapped == unhex(vector["c"])


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", ["KW", "KWP"])
@on_every_core
def test_unwrap(core: str, kind: str, bits: int, slow: bool) -> None:
    for vector in share(wrap_vectors(kind, "AD", bits), core, slow):
        key, wrapped, padded = unhex(vector["k"]), unhex(vector["c"]), kind == "KWP"
        if "fail" in vector:
            with pytest.raises(aesfit.AuthenticationError):
                aesfit.key_unwrap(key, wrapped, padded=padded, core=core)
        else:
            plain = aesfit.key_unwrap(key, wrapped, padded=padded, core=core)
            assert plain == unhex(vector["p"])


@on_every_core
def test_rfc_5649(core: str) -> None:
    vectors = nist("keywrap/kwp_botan.txt")
    assert len(vectors) >= 100
    for vector in vectors:
        wrapped = aesfit.key_wrap(
            unhex(vector["key"]), unhex(vector["input"]), padded=True, core=core
        )
        assert wrapped == unhex(vector["output"])

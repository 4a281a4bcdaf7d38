# SPDX-License-Identifier: MIT
"""Modes of the specification side, held to the examples of their standards."""

from collections.abc import Sequence

from images import needs_prover

from aesfit.catalog import MODES
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.fips197 import Aes, Byte
from aesfit.proving.specified import why_not
from aesfit.proving.standards import (
    ICV1,
    cbc_cs3_decrypt,
    cbc_cs3_encrypt,
    cbc_decrypt,
    cbc_encrypt,
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
from aesfit.proving.zones import Atoms

pytestmark = needs_prover
KEY = "2b7e151628aed2a6abf7158809cf4f3c"
PLAIN = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef"
)


def aes(key: str) -> Aes:
    return Aes(Atoms(), text(bytes.fromhex(key)))


def given(data: str) -> list[Byte]:
    return text(bytes.fromhex(data))


def shown(data: Sequence[Byte]) -> str:
    return bytes(sum(bit << at for at, bit in enumerate(byte)) for byte in data).hex()


def test_ctr() -> None:
    """SP 800-38A, F.5.1."""
    sealed = ctr(Atoms(), aes(KEY), given("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), given(PLAIN)[:40])
    assert shown(sealed) == (
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e"
    )


def test_cbc() -> None:
    """SP 800-38A, F.2.1 and F.2.2."""
    iv = given("000102030405060708090a0b0c0d0e0f")
    sealed = cbc_encrypt(aes(KEY), iv, given(PLAIN)[:32])
    assert shown(sealed) == "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    assert cbc_decrypt(aes(KEY), iv, sealed) == given(PLAIN)[:32]


IV = "000102030405060708090a0b0c0d0e0f"


def test_every_mode_has_a_specification() -> None:
    for mode in MODES:
        job = Job(platform_named("cortex-m3"), "fixslice", 128, "encrypt", mode=mode)
        assert why_not(job) is None


def test_cfb() -> None:
    """SP 800-38A, F.3.13 and F.3.14, the last segment cut."""
    sealed = cfb_encrypt(aes(KEY), given(IV), given(PLAIN)[:24], 16)
    assert shown(sealed) == "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93f"
    assert cfb_decrypt(aes(KEY), given(IV), sealed, 16) == given(PLAIN)[:24]


def test_cfb8() -> None:
    """SP 800-38A, F.3.7 and F.3.8."""
    sealed = cfb_encrypt(aes(KEY), given(IV), given(PLAIN)[:18], 1)
    assert shown(sealed) == "3b79424c9c0dd436bace9e0ed4586a4f32b9"
    assert cfb_decrypt(aes(KEY), given(IV), sealed, 1) == given(PLAIN)[:18]


def test_ofb() -> None:
    """SP 800-38A, F.4.1."""
    sealed = ofb(aes(KEY), given(IV), given(PLAIN)[:32])
    assert shown(sealed) == "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"


def test_cbc_cs3() -> None:
    """RFC 3962, appendix B; one block alone is plain CBC."""
    key, zero = b"chicken teriyaki".hex(), given("00" * 16)
    sealed = {
        b"I would like the ": "c6353568f2bf8cb4d8a580362da7ff7f97",
        b"I would like the General Gau's ": (
            "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"
        ),
        b"I would like the General Gau's C": (
            "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"
        ),
    }
    for plain, wanted in sealed.items():
        assert shown(cbc_cs3_encrypt(aes(key), zero, text(plain))) == wanted
        assert cbc_cs3_decrypt(aes(key), zero, given(wanted)) == text(plain)
    block = given(PLAIN)[:16]
    assert cbc_cs3_encrypt(aes(KEY), given(IV), block) == cbc_encrypt(aes(KEY), given(IV), block)


def test_pkcs7() -> None:
    """RFC 5652, 6.3."""
    assert shown(pkcs7(given("aabbcc"))) == "aabbcc" + "0d" * 13
    assert shown(pkcs7(given(PLAIN)[:16])) == PLAIN[:32] + "10" * 16


def test_cmac() -> None:
    """RFC 4493, section 4."""
    tags = {
        0: "bb1d6929e95937287fa37d129b756746",
        16: "070a16b46b4d4144f79bdd9dd04a287c",
        40: "dfa66747de9ae63030ca32611497c827",
    }
    for size, tag in tags.items():
        assert shown(cmac(aes(KEY), given(PLAIN)[:size])) == tag


def test_ccm() -> None:
    """RFC 3610, section 8, packet vector 1."""
    packet = bytes(range(0x1F))
    sealed, tag = ccm(
        Atoms(),
        aes("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"),
        given("00000003020100a0a1a2a3a4a5"),
        text(packet[:8]),
        text(packet[8:]),
        8,
    )
    assert shown(sealed) == "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384"
    assert shown(tag) == "17e8d12cfdf926e0"


def test_key_wrap() -> None:
    """RFC 3394, section 4.1."""
    wrapped = kw_wrap(
        aes("000102030405060708090a0b0c0d0e0f"), given("00112233445566778899aabbccddeeff"), ICV1
    )
    assert shown(wrapped) == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"


def test_xts() -> None:
    """IEEE 1619-2018, vectors 2 and 15 (with ciphertext stealing)."""
    first, second = aes("11" * 16), aes("22" * 16)
    sealed = xts(first, second, given("33" * 5 + "00" * 11), given("44" * 32), encrypt=True)
    assert shown(sealed) == "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"
    first, second = (
        aes("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0"),
        aes("bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0"),
    )
    tweak, plain = given("9a78563412" + "00" * 11), text(bytes(range(17)))
    sealed = xts(first, second, tweak, plain, encrypt=True)
    assert shown(sealed) == "6c1625db4671522d3d7599601de7ca09ed"
    assert xts(first, second, tweak, sealed, encrypt=False) == plain

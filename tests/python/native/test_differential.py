# SPDX-License-Identifier: MIT
"""Every core, key size and mode against PyCA cryptography, at every length around the borders."""

import random

import peer
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV
from cryptography.hazmat.primitives.ciphers.algorithms import AES as PEER_AES
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.keywrap import aes_key_wrap, aes_key_wrap_with_padding
from every_core import on_every_core
from messages import AT_LEAST_A_BLOCK, WHOLE_BLOCKS, cuts

import aesfit

KEY_BYTES = (16, 24, 32)
XTS_KEY_BYTES = (32, 64)  # XTS has no 192-bit form


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random data that the test's own name replays."""
    return random.Random(request.node.name)


def longest(core: str) -> int:
    """Bytes in four times the core's lanes plus one block."""
    lanes = next(entry.lanes for entry in aesfit.cores() if entry.name == core)
    return 16 * (4 * lanes + 1)


def lengths(mode: str, core: str) -> range:
    """All lengths that the mode takes up to longest()."""
    first = 16 if mode in AT_LEAST_A_BLOCK else 0
    return range(first, longest(core) + 1, 16 if mode in WHOLE_BLOCKS else 1)


@pytest.mark.parametrize(
    ("mode", "key_bytes"),
    [
        (mode, size)
        for mode in aesfit.MODES
        for size in (XTS_KEY_BYTES if mode == "xts" else KEY_BYTES)
    ],
)
@on_every_core
def test_ciphers(core: str, mode: str, key_bytes: int, rng: random.Random) -> None:
    """One shot and streamed in random cuts."""
    key, iv = rng.randbytes(key_bytes), rng.randbytes(16)
    cipher = aesfit.Cipher(
        key, mode, None if mode.startswith("ecb") else iv, core=core, reuse_iv=True
    )
    for length in lengths(mode, core):
        data = rng.randbytes(length)
        expected = peer.encrypt(key, mode, iv, data) if data or "pkcs7" in mode else b""
        assert cipher.encrypt(data) == expected, length
        assert cipher.decrypt(expected) == data, length
        for stream, given, wanted in (
            (cipher.encryptor(), data, expected),
            (cipher.decryptor(), expected, data),
        ):
            pieces = [stream.update(piece) for piece in cuts(rng, given)]
            assert b"".join([*pieces, stream.finalize()]) == wanted, length


@pytest.mark.parametrize("mode", aesfit.MODES)
@on_every_core
def test_in_place(core: str, mode: str, rng: random.Random) -> None:
    """The output over the input, at every alignment."""
    key, iv = rng.randbytes(32), rng.randbytes(16)
    cipher = aesfit.Cipher(
        key, mode, None if mode.startswith("ecb") else iv, core=core, reuse_iv=True
    )
    for offset in range(16):
        data = rng.randbytes(longest(core) // 16 * 16)
        expected = cipher.encrypt(data)
        memory = bytearray(offset) + data + bytearray(len(expected) - len(data))
        view = memoryview(memory)[offset:]
        assert cipher.encrypt_into(view[: len(data)], view) == len(expected)
        assert bytes(view) == expected
        assert cipher.decrypt_into(view, view) == len(data)
        assert bytes(view[: len(data)]) == data


@pytest.mark.parametrize("key_bytes", KEY_BYTES)
@on_every_core
def test_gcm(core: str, key_bytes: int, rng: random.Random) -> None:
    key = rng.randbytes(key_bytes)
    ours, theirs = aesfit.AESGCM(key, core=core), AESGCM(key)
    for length in range(longest(core) + 1):
        nonce, data = rng.randbytes(rng.randrange(8, 65)), rng.randbytes(length)
        associated = rng.randbytes(rng.randrange(70))
        sealed = theirs.encrypt(nonce, data, associated)
        assert ours.encrypt(nonce, data, associated) == sealed
        assert ours.decrypt(nonce, sealed, associated) == data


@pytest.mark.parametrize("key_bytes", KEY_BYTES)
@pytest.mark.parametrize("tag", range(4, 17, 2))
@on_every_core
def test_ccm(core: str, key_bytes: int, tag: int, rng: random.Random) -> None:
    key = rng.randbytes(key_bytes)
    ours, theirs = aesfit.AESCCM(key, tag, core=core), AESCCM(key, tag)
    for length in range(longest(core) + 1):
        nonce, data = rng.randbytes(rng.randrange(7, 14)), rng.randbytes(length)
        associated = rng.randbytes(rng.randrange(70))
        sealed = theirs.encrypt(nonce, data, associated)
        assert ours.encrypt(nonce, data, associated) == sealed
        assert ours.decrypt(nonce, sealed, associated) == data


@on_every_core
def test_ccm_long_associated_data(core: str, rng: random.Random) -> None:
    """The length field changes form at 0xff00 bytes (SP 800-38C, A.2.2)."""
    key, nonce = rng.randbytes(16), rng.randbytes(12)
    for length in (0xFEFF, 0xFF00, 0x10001):
        associated = rng.randbytes(length)
        sealed = AESCCM(key).encrypt(nonce, b"data", associated)
        assert aesfit.AESCCM(key, core=core).encrypt(nonce, b"data", associated) == sealed


@pytest.mark.parametrize("key_bytes", KEY_BYTES)
@on_every_core
def test_macs(core: str, key_bytes: int, rng: random.Random) -> None:
    key = rng.randbytes(key_bytes)
    for length in range(longest(core) + 1):
        data = rng.randbytes(length)
        theirs = CMAC(PEER_AES(key))
        theirs.update(data)
        assert aesfit.cmac(key, data, core=core) == theirs.finalize()
        if length % 16 == 0 and length > 0:
            assert aesfit.cbc_mac(key, data, core=core) == peer.cbc_mac(key, data)


@pytest.mark.parametrize("key_bytes", KEY_BYTES)
@on_every_core
def test_key_wrap(core: str, key_bytes: int, rng: random.Random) -> None:
    key = rng.randbytes(key_bytes)
    for length in range(1, 129):
        data = rng.randbytes(length)
        wrapped = aes_key_wrap_with_padding(key, data)
        assert aesfit.key_wrap(key, data, padded=True, core=core) == wrapped
        assert aesfit.key_unwrap(key, wrapped, padded=True, core=core) == data
        if length % 8 == 0 and length >= 16:
            wrapped = aes_key_wrap(key, data)
            assert aesfit.key_wrap(key, data, core=core) == wrapped
            assert aesfit.key_unwrap(key, wrapped, core=core) == data


@pytest.mark.parametrize("low", [2**32, 2**64, 2**128])
@on_every_core
def test_ctr_wrap(core: str, low: int, rng: random.Random) -> None:
    """The counter carries through all 128 bits and wraps to zero."""
    key, data = rng.randbytes(16), rng.randbytes(16 * 40 + 5)
    for before in (1, 3, 8, 17, 39):
        iv = (low - before).to_bytes(16, "big")
        assert aesfit.Cipher(key, "ctr", iv, core=core).encrypt(data) == peer.raw(
            key, "ctr", iv, data
        )


@pytest.mark.parametrize("mode", ["ecb-pkcs7", "cbc-pkcs7"])
@on_every_core
def test_bad_padding(core: str, mode: str, rng: random.Random) -> None:
    """Every kind of bad padding gives one and the same error."""
    key, iv = rng.randbytes(16), rng.randbytes(16)
    cipher = aesfit.Cipher(key, mode, None if mode == "ecb-pkcs7" else iv, core=core)
    raw = mode.removesuffix("-pkcs7")
    messages = set()
    for tail in (b"\x00", b"\x11", b"\xff", b"\x01\x02", b"\x03\x02\x03", b"\x0f" + b"\x10" * 15):
        block = rng.randbytes(16 - len(tail)) + tail
        with pytest.raises(ValueError, match="padding") as failure:
            cipher.decrypt(peer.raw(key, raw, iv, rng.randbytes(16) + block))
        messages.add(str(failure.value))
    assert len(messages) == 1


@pytest.mark.parametrize("key_bytes", [16, 32])
@on_every_core
def test_gcm_siv(core: str, key_bytes: int, rng: random.Random) -> None:
    """At every length, with every multiplier in turn."""
    key = rng.randbytes(key_bytes)
    multipliers = [one.name for one in aesfit.ghashes() if one.available]
    mine = [aesfit.AESGCMSIV(key, core=core, ghash=name) for name in multipliers]
    for length in range(longest(core) + 1):
        nonce, data = rng.randbytes(12), rng.randbytes(length)
        associated = rng.randbytes(rng.randrange(50))
        box = mine[length % len(mine)]
        sealed = box.encrypt(nonce, data, associated)
        assert sealed == AESGCMSIV(key).encrypt(nonce, data, associated), length
        assert box.decrypt(nonce, sealed, associated) == data, length

# SPDX-License-Identifier: MIT
"""What the Python classes refuse although the arguments have allowed types: well-known misuse."""

import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aesfit
from aesfit._native import AnyNonceGCM

KEY, IV = bytes(range(16)), bytes(16)


@pytest.mark.parametrize("size", range(17))
def test_cmac_takes_no_tag_of_another_length(size: int) -> None:
    """Who may choose the length forges with one guess in 2**32."""
    tag = aesfit.cmac(KEY, b"data")[:size]
    if size < 16:
        with pytest.raises(aesfit.AuthenticationError, match="tag_length"):
            aesfit.cmac_verify(KEY, b"data", tag)
    if size >= 4:
        aesfit.cmac_verify(KEY, b"data", tag, tag_length=size)


@pytest.mark.parametrize("kind", [aesfit.AESGCM, aesfit.AESCCM])
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_generated_keys(kind: Any, bits: int) -> None:  # noqa: ANN401 - either of two classes
    keys = {kind.generate_key(bits) for _ in range(20)}
    assert len(keys) == 20
    for key in keys:
        assert (type(key), len(key)) == (bytes, bits // 8)
        kind(key).encrypt(bytes(12), b"")


@pytest.mark.parametrize("size", [*range(10), 12, 127, 128, 129, 200])
def test_gcm_nonces(size: int) -> None:
    nonce, sealed = bytes(size), b""
    if size > 0:
        sealed = AnyNonceGCM(KEY).encrypt(nonce, b"data", b"ad")
    if 8 <= size <= 128:
        assert aesfit.AESGCM(KEY).encrypt(nonce, b"data", b"ad") == sealed
        assert aesfit.AESGCM(KEY).decrypt(nonce, sealed, b"ad") == b"data"
        return
    for call in (aesfit.AESGCM(KEY).encrypt, aesfit.AESGCM(KEY).decrypt):
        with pytest.raises(ValueError, match=f"nonce is {size} bytes; GCM takes 8 to 128"):
            call(nonce, sealed or b"data", b"ad")


@pytest.mark.parametrize(
    "items",
    [
        array.array("d", [1.0, 2.0]),
        array.array("f", [1.0] * 4),
        array.array("I", [1] * 4),
        np.zeros(4, dtype=np.float32),
        np.zeros(8, dtype=">u2"),
        np.zeros(16, dtype=np.bool_),
        memoryview(bytes(16)).cast("H"),
    ],
    ids=lambda items: f"{type(items).__name__}-{memoryview(items).format}",
)
@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("key", aesfit.AES),
        ("key", lambda key: aesfit.AES.study(key, 3)),
        ("key", lambda key: aesfit.Cipher(key, "ecb")),
        ("key", aesfit.AESGCM),
        ("key", aesfit.AESCCM),
        ("key", lambda key: aesfit.cmac(key, b"")),
        ("wrapping_key", lambda key: aesfit.key_wrap(key, bytes(16))),
        ("key", lambda key: aesfit.ccmp_decapsulate(key, b"\x08" + bytes(39))),
        ("iv", lambda iv: aesfit.Cipher(KEY, "ctr", iv)),
        ("nonce", lambda nonce: aesfit.AESGCM(KEY).encrypt(nonce, b"")),
        ("tag", lambda tag: aesfit.cmac_verify(KEY, b"", tag)),
    ],
)
def test_an_array_of_numbers_is_no_key(
    items: Any,  # noqa: ANN401 - any buffer
    name: str,
    use: Callable[[Any], object],
) -> None:
    with pytest.raises(TypeError, match=f"{name} must be single bytes"):
        use(items)


@pytest.mark.parametrize("mode", aesfit.MODES)
def test_a_keystream_is_used_once(mode: str) -> None:
    """In ctr and ofb; in other modes equal messages show, and no more."""
    iv = None if mode.startswith("ecb") else IV
    key = bytes(range(32)) if mode == "xts" else KEY
    calls: list[Callable[[aesfit.Cipher], object]] = [
        lambda cipher: cipher.encrypt(bytes(32)),
        lambda cipher: cipher.encrypt_into(bytes(32), bytearray(48)),
        lambda cipher: cipher.encryptor(),
    ]
    for first in calls:
        for second in calls:
            cipher = aesfit.Cipher(key, mode, iv)
            cipher.decrypt(cipher.encrypt(bytes(32)) if mode not in ("ctr", "ofb") else bytes(32))
            first(cipher)
            if mode in ("ctr", "ofb"):
                with pytest.raises(RuntimeError, match=f"{mode} has encrypted under this iv"):
                    second(cipher)
            else:
                second(cipher)
            told = aesfit.Cipher(key, mode, iv, reuse_iv=True)
            first(told)
            second(told)


def test_a_refused_message_uses_nothing_up() -> None:
    cipher = aesfit.Cipher(KEY, "ctr", IV)
    with pytest.raises(ValueError, match="out is 3 bytes"):
        cipher.encrypt_into(bytes(4), bytearray(3))
    with pytest.raises(TypeError):
        cipher.encrypt("text")  # type: ignore[arg-type]
    cipher.encrypt(bytes(4))


def test_ccm_has_a_tag() -> None:
    for length in (0, 2):
        with pytest.raises(ValueError, match=f"tag_length is {length}; it takes 4 to 16"):
            aesfit.AESCCM(KEY, length)


def test_who_rejects_bad_messages_catches_one_error() -> None:
    aead = aesfit.AESGCM(bytes(16))
    sealed = aead.encrypt(bytes(12), b"hello", None)
    for bad in (bytes(21), sealed[:-1], b"", sealed + b"\0"):
        with pytest.raises(ValueError, match=r"tag|genuine"):
            aead.decrypt(bytes(12), bad, None)
    assert issubclass(aesfit.AuthenticationError, ValueError)


def test_gcm_siv_takes_its_own_sizes_alone() -> None:
    with pytest.raises(ValueError, match="key is 24 bytes; GCM-SIV takes 16 or 32"):
        aesfit.AESGCMSIV(bytes(24))
    aead = aesfit.AESGCMSIV(bytes(32))
    assert repr(aead).startswith("<aesfit.AESGCMSIV core=")
    with pytest.raises(ValueError, match="nonce is 8 bytes; GCM-SIV takes 12"):
        aead.encrypt(bytes(8), b"hello", None)

# SPDX-License-Identifier: MIT
"""What holds for any key, message and core; hypothesis looks for the exception."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import AT_LEAST_A_BLOCK, WHOLE_BLOCKS, cuts

import aesfit

AEADS = [aesfit.AESGCM, aesfit.AESCCM]

cores = st.sampled_from([core.name for core in aesfit.cores() if core.available])
keys = st.sampled_from([16, 24, 32]).flatmap(lambda size: st.binary(min_size=size, max_size=size))
blocks = st.binary(min_size=16, max_size=16)
nonces = st.binary(min_size=8, max_size=13)  # what both CCM and GCM take
# From a seed: hypothesis' own bytes are mostly short, the wide paths begin at 128 and 176.
messages = st.builds(
    lambda size, seed: random.Random(seed).randbytes(size), st.integers(0, 1600), st.integers(0)
)
wrong_key_sizes = st.integers(0, 80).filter(lambda size: size not in (16, 24, 32))


def draw_cipher(draw: Callable[[Any], Any], mode: str) -> aesfit.Cipher:
    """A cipher in `mode`, everything else drawn."""
    key = draw(keys)
    if mode == "xts":
        key = draw(st.sampled_from([16, 32]).map(lambda size: random.Random(size).randbytes(size)))
        key += bytes(byte ^ 1 for byte in key)
    iv = None if mode.startswith("ecb") else draw(blocks)
    return aesfit.Cipher(key, mode, iv, draw(cores), reuse_iv=True)


def draw_message(draw: Callable[[Any], Any], mode: str) -> bytes:
    """A message that `mode` takes."""
    message: bytes = draw(messages)
    if mode in WHOLE_BLOCKS:
        return message[: len(message) // 16 * 16]
    return message + bytes(16) if mode in AT_LEAST_A_BLOCK else message


def flipped(draw: Callable[[Any], Any], message: bytes) -> bytes:
    """The message with one bit changed."""
    at = draw(st.integers(0, 8 * len(message) - 1))
    return bytes(byte ^ (1 << at % 8) * (i == at // 8) for i, byte in enumerate(message))


@pytest.mark.parametrize("mode", aesfit.MODES)
@given(data=st.data())
def test_decryption_undoes_encryption(mode: str, data: st.DataObject) -> None:
    cipher, message = draw_cipher(data.draw, mode), draw_message(data.draw, mode)
    assert cipher.decrypt(cipher.encrypt(message)) == message


@pytest.mark.parametrize("mode", aesfit.MODES)
@given(data=st.data())
def test_a_stream_gives_what_one_shot_gives(mode: str, data: st.DataObject) -> None:
    cipher, message = draw_cipher(data.draw, mode), draw_message(data.draw, mode)
    sealed = cipher.encrypt(message)
    for stream, given_, wanted in (
        (cipher.encryptor(), message, sealed),
        (cipher.decryptor(), sealed, message),
    ):
        pieces = cuts(random.Random(data.draw(st.integers(0))), given_)
        assert b"".join([*map(stream.update, pieces), stream.finalize()]) == wanted


@pytest.mark.parametrize("kind", AEADS)
@given(keys, nonces, messages, messages, cores, st.data())
def test_a_changed_bit_is_noticed(
    kind: Any,  # noqa: ANN401 - either of two classes
    key: bytes,
    nonce: bytes,
    message: bytes,
    associated: bytes,
    core: str,
    data: st.DataObject,
) -> None:
    """In the ciphertext or tag, the nonce, the associated data."""
    box = kind(key, 16, core)
    sealed = box.encrypt(nonce, message, associated)
    assert box.decrypt(nonce, sealed, associated) == message
    given_ = [nonce, sealed, associated]
    which = data.draw(st.sampled_from([0, 1, 2] if associated else [0, 1]))
    given_[which] = flipped(data.draw, given_[which])
    with pytest.raises(aesfit.AuthenticationError):
        box.decrypt(*given_)


@given(keys, st.integers(1, 40), cores, st.data())
def test_a_changed_bit_of_a_wrapped_key_is_noticed(
    key: bytes, size: int, core: str, data: st.DataObject
) -> None:
    for padded, secret in ((False, bytes(8 * size + 8)), (True, bytes(size))):
        wrapped = aesfit.key_wrap(key, secret, padded, core)
        assert aesfit.key_unwrap(key, wrapped, padded, core) == secret
        with pytest.raises(aesfit.AuthenticationError):
            aesfit.key_unwrap(key, flipped(data.draw, wrapped), padded, core)


@given(keys, messages.filter(len), cores, st.data())
def test_a_changed_bit_fails_the_mac(
    key: bytes, message: bytes, core: str, data: st.DataObject
) -> None:
    tag = aesfit.cmac(key, message, core)
    aesfit.cmac_verify(key, message, tag, core)
    with pytest.raises(aesfit.AuthenticationError):
        aesfit.cmac_verify(key, flipped(data.draw, message), tag, core)
    with pytest.raises(aesfit.AuthenticationError):
        aesfit.cmac_verify(key, message, flipped(data.draw, tag), core)


@given(wrong_key_sizes, cores)
def test_wrong_key_sizes_are_refused_by_size(size: int, core: str) -> None:
    key = bytes(size)
    for call in (
        lambda: aesfit.AES(key, core),
        lambda: aesfit.Cipher(key, "ctr", bytes(16), core),
        lambda: aesfit.AESGCM(key, 16, core),
        lambda: aesfit.AESCCM(key, 16, core),
        lambda: aesfit.cmac(key, b"", core),
        lambda: aesfit.key_wrap(key, bytes(16), core=core),
    ):
        with pytest.raises(ValueError, match=f"key is {size} bytes"):
            call()


@pytest.mark.parametrize("mode", aesfit.MODES)
@given(data=st.data())
def test_wrong_data_sizes_are_refused_by_size(mode: str, data: st.DataObject) -> None:
    cipher = draw_cipher(data.draw, mode)
    sizes = {
        **dict.fromkeys(WHOLE_BLOCKS, st.integers(1, 400).filter(lambda size: size % 16)),
        **dict.fromkeys(AT_LEAST_A_BLOCK, st.integers(0, 15)),
    }
    decrypted = {"ecb-pkcs7": sizes["ecb"], "cbc-pkcs7": sizes["cbc"]}
    if mode in sizes:
        size = data.draw(sizes[mode])
        with pytest.raises(ValueError, match=f"data is {size} bytes"):
            cipher.encrypt(bytes(size))
    if mode in sizes | decrypted:
        size = data.draw((sizes | decrypted)[mode])
        with pytest.raises(ValueError, match=f"data is {size} bytes"):
            cipher.decrypt(bytes(size))
    iv = data.draw(st.integers(0, 40).filter(lambda size: size != 16))
    if not mode.startswith("ecb"):
        with pytest.raises(ValueError, match=f"iv is {iv} bytes"):
            aesfit.Cipher(random.Random(0).randbytes(32), mode, bytes(iv))

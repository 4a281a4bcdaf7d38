# SPDX-License-Identifier: MIT
"""Anything may be given to the binding: it answers or raises a documented exception.

A crash of the interpreter would end the whole run, so passing is the proof.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aesfit

DOCUMENTED = (ValueError, TypeError, RuntimeError)
NAMES = [core.name for core in aesfit.cores()]

sizes = st.sampled_from([0, 1, 7, 8, 12, 13, 15, 16, 17, 24, 31, 32, 33, 40, 64, 100, 9000])
buffers = st.one_of(
    st.binary(max_size=80),
    sizes.map(bytes),
    sizes.map(lambda n: bytes(i & 255 for i in range(n))),
    sizes.map(bytearray),
    sizes.map(lambda n: memoryview(bytes(n))),
    sizes.map(lambda n: memoryview(bytes(2 * n))[::2]),
    sizes.map(lambda n: np.zeros(n, dtype=np.uint8)),
    sizes.map(lambda n: np.zeros((n, 3), dtype=np.float32).T),
)
junk = st.one_of(
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=10),
    st.booleans(),
    st.just(object()),
    st.lists(st.integers(), max_size=2),
    st.sampled_from([*NAMES, *aesfit.MODES, "ecb\0", "\ud800", 16, 1 << 70, -1]),
)
anything = st.one_of(buffers, junk)
cores = st.one_of(st.none(), st.sampled_from(NAMES), junk)


def tried(call: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - that is the point
    """Return what the call gives, None where it refuses with a documented exception."""
    try:
        return call(*arguments)
    except DOCUMENTED:
        return None


@given(anything, cores, anything)
def test_blocks(key: Any, core: Any, data: Any) -> None:  # noqa: ANN401
    aes = tried(aesfit.AES, key, core)
    if aes is not None:
        tried(aes.encrypt_block, data)
        tried(aes.decrypt_block, data)
    tried(aesfit.AES.study, key, data, core)


@given(anything, st.one_of(st.sampled_from(aesfit.MODES), junk), anything, cores, st.data())
@settings(max_examples=300)
def test_ciphers(key: Any, mode: Any, iv: Any, core: Any, data: st.DataObject) -> None:  # noqa: ANN401
    cipher = tried(aesfit.Cipher, key, mode, iv, core, True)
    if cipher is None:
        return
    use(cipher, data)


@pytest.mark.parametrize("mode", aesfit.MODES)
@given(data=st.data())
@settings(max_examples=30)
def test_every_mode(mode: str, data: st.DataObject) -> None:
    key = bytes(range(32))
    iv = None if mode.startswith("ecb") else bytes(16)
    use(aesfit.Cipher(key, mode, iv, data.draw(st.sampled_from(NAMES[:1])), True), data)


def use(cipher: aesfit.Cipher, data: st.DataObject) -> None:
    """Call everything a cipher has, in any order, with anything."""
    text, out = data.draw(anything), data.draw(anything)
    sealed = tried(cipher.encrypt, text)
    tried(cipher.decrypt, text)
    if sealed is not None:
        assert cipher.decrypt(sealed) == memoryview(text).tobytes()
    tried(cipher.encrypt_into, text, out)
    tried(cipher.decrypt_into, out, out)
    for stream in (cipher.encryptor(), cipher.decryptor()):
        for _ in range(data.draw(st.integers(0, 4))):
            step = data.draw(st.sampled_from(["update", "update_into", "finalize"]))
            arguments = [data.draw(anything) for _ in range(data.draw(st.integers(0, 2)))]
            tried(getattr(stream, step), *arguments)


@pytest.mark.parametrize("kind", [aesfit.AESGCM, aesfit.AESCCM])
@given(key=anything, tag=st.one_of(st.just(16), anything), core=cores, data=st.data())
def test_aeads(kind: Any, key: Any, tag: Any, core: Any, data: st.DataObject) -> None:  # noqa: ANN401
    box = tried(kind, key, tag, core)
    if box is None:
        return
    nonce, text, more, out = (data.draw(anything) for _ in range(4))
    sealed = tried(box.encrypt, nonce, text, more)
    if sealed is not None:
        assert box.decrypt(nonce, sealed, more) == memoryview(text).tobytes()
    tried(box.decrypt, nonce, text, more)
    tried(box.encrypt_into, nonce, text, more, out)
    tried(box.decrypt_into, nonce, out, more, out)


@given(anything, anything, anything, anything, cores)
@settings(max_examples=300)
def test_functions(key: Any, data: Any, more: Any, extra: Any, core: Any) -> None:  # noqa: ANN401
    tried(aesfit.cmac, key, data, core, more)
    tried(aesfit.cmac_verify, key, data, more, core, extra)
    tried(aesfit.cbc_mac, key, data, core)
    for padded in (False, True, more):
        tried(aesfit.key_wrap, key, data, padded, core)
        tried(aesfit.key_unwrap, key, data, padded, core)
    tried(aesfit.ccmp_encapsulate, key, data, more, extra, 0, core)
    tried(aesfit.ccmp_decapsulate, key, data, core)


@given(st.binary(min_size=2, max_size=120), st.integers(0, (1 << 48) - 1))
def test_ccmp_frames(mpdu: bytes, pn: int) -> None:
    """Frames off the air: any frame control, any length."""
    key = bytes(16)
    tried(aesfit.ccmp_decapsulate, key, mpdu)
    for size in (24, 26, 28, 30, 32, 36):
        tried(aesfit.ccmp_encapsulate, key, mpdu[:size], mpdu[size:], pn)


@given(st.lists(anything, max_size=8))
def test_any_number_of_arguments(arguments: list[Any]) -> None:
    for name in aesfit.__all__:
        if name not in ("MODES", "__version__", "self_test", "Core", "Table", "Ghash"):
            tried(getattr(aesfit, name), *arguments)

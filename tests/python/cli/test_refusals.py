# SPDX-License-Identifier: MIT
"""Wrong arguments: the exception, and that its sentence names the wrong and the right size."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stopped_call import INPUT_BYTES, stopped

import aesfit

KEY, IV = bytes(range(16)), bytes(16)
ECB = aesfit.Cipher(KEY, "ecb")
CBC = aesfit.Cipher(KEY, "cbc", IV)
PADDED = aesfit.Cipher(KEY, "cbc-pkcs7", IV)
CS3 = aesfit.Cipher(KEY, "cbc-cs3", IV)
XTS = aesfit.Cipher(bytes(range(32)), "xts", IV)
GCM = aesfit.AESGCM(KEY)
CCM = aesfit.AESCCM(KEY)


def overlapping() -> object:
    view = memoryview(bytearray(64))
    return CBC.encrypt_into(view[:32], view[16:])


def overlapping_tag() -> object:
    view = memoryview(bytearray(64))
    return GCM.encrypt_into(bytes(12), bytes(16), view[16:20], view)


def overlapping_stream() -> object:
    buffer = bytearray(64)
    return CBC.encryptor().update_into(buffer, buffer)


def released() -> object:
    view = memoryview(bytearray(16))
    view.release()
    return ECB.encrypt(view)


def read_only_array() -> object:
    array = np.zeros(16, dtype=np.uint8)
    array.flags.writeable = False
    return ECB.encrypt_into(bytes(16), array)


VALUE_ERRORS: list[tuple[Callable[[], object], str]] = [
    (lambda: aesfit.AES(bytes(15)), "key is 15 bytes; AES takes 16, 24 or 32"),
    (lambda: aesfit.AESGCM(bytes(33)), "key is 33 bytes; AES takes 16, 24 or 32"),
    (lambda: aesfit.AESCCM(b""), "key is 0 bytes; AES takes 16, 24 or 32"),
    (lambda: aesfit.cmac(bytes(1), b""), "key is 1 bytes; AES takes 16, 24 or 32"),
    (lambda: aesfit.Cipher(KEY, "xts", IV), "key is 16 bytes; xts takes 32 or 64"),
    (lambda: aesfit.Cipher(bytes(32), "xts", IV), "halves"),
    (lambda: aesfit.Cipher(KEY, "cbcc", IV), "no mode 'cbcc'; the nearest is 'cbc'"),
    (lambda: aesfit.Cipher(KEY, "\0\ud800", IV), "mode is not valid text"),
    (lambda: aesfit.Cipher(KEY, "ecb\0tail"), "mode is not valid text"),
    (lambda: aesfit.ccmp_encapsulate(KEY, b"", b"", 0), "header is 0 bytes; its frame control"),
    (lambda: aesfit.Cipher(KEY, "cbc"), "cbc needs an iv of 16 bytes"),
    (lambda: aesfit.Cipher(KEY, "ctr", bytes(12)), "iv is 12 bytes; ctr takes 16"),
    (lambda: aesfit.Cipher(KEY, "ecb", IV), "ecb takes no iv"),
    (lambda: aesfit.AES(KEY).encrypt_block(bytes(17)), "data is 17 bytes; a block is 16"),
    (lambda: aesfit.AES.study(KEY, 11), "rounds is 11; it takes 1 to 10"),
    (lambda: aesfit.AES.study(KEY, 0), "rounds is 0; it takes 1 to 10"),
    (lambda: aesfit.AES.study(KEY, 2, "fixslice"), "fixslice cannot leave rounds out"),
    (lambda: ECB.encrypt(bytes(17)), "data is 17 bytes; ecb takes a multiple of 16"),
    (lambda: CBC.decrypt(bytes(15)), "data is 15 bytes; cbc takes a multiple of 16"),
    (lambda: PADDED.decrypt(b""), "data is 0 bytes; cbc-pkcs7 decrypts 16"),
    (lambda: PADDED.decrypt(bytes(16)), "padding"),
    (lambda: CS3.encrypt(bytes(15)), "data is 15 bytes; cbc-cs3 takes 16 or more"),
    (lambda: XTS.encrypt(bytes(15)), "data is 15 bytes; xts takes 16 to 16777216"),
    (lambda: XTS.encrypt(bytes((1 << 24) + 1)), "data is 16777217 bytes; xts takes"),
    (lambda: XTS.encryptor().update(bytes((1 << 24) + 2)), "data is 16777218 bytes; xts takes"),
    (lambda: ECB.encrypt_into(bytes(32), bytearray(31)), "out is 31 bytes; the result needs 32"),
    (lambda: PADDED.encrypt_into(bytes(16), bytearray(31)), "the result needs 32"),
    (overlapping, "the output overlaps data"),
    (overlapping_tag, "the output overlaps associated_data"),
    (overlapping_stream, "the output overlaps data"),
    (released, "data must be one C-contiguous buffer"),
    (read_only_array, "out must be one C-contiguous writable buffer"),
    (lambda: ECB.encrypt_into(bytes(16), bytes(16)), "writable"),
    (lambda: ECB.encrypt(memoryview(bytes(64))[::2]), "data must be one C-contiguous buffer"),
    (lambda: ECB.encrypt(np.zeros((8, 8), np.uint8).T[:, 1:]), "C-contiguous"),
    (lambda: CBC.encryptor().update_into(bytes(16), bytearray(15)), "buffer is 15 bytes"),
    (lambda: aesfit.AESGCM(KEY, 5), "tag_length is 5; GCM takes 4, 8 or 12 to 16"),
    (lambda: aesfit.AESGCM(KEY, -1), "tag_length is -1; it takes 4 to 16"),
    (lambda: aesfit.AESGCM(KEY, 10**30), "tag_length is 10{30}; it takes 4 to 16"),
    (lambda: aesfit.AESCCM(KEY, 5), "tag_length is 5; CCM takes 4, 6, 8"),
    (lambda: aesfit.AESGCM(KEY, ghash="clmull"), "no GHASH multiplier 'clmull'"),
    (lambda: GCM.encrypt(b"", b""), "nonce is 0 bytes; GCM takes 8 to 128, best 12"),
    (lambda: aesfit.AESGCM.generate_key(160), "bit_length is 160; AES takes 128, 192 or 256"),
    (lambda: CCM.encrypt(bytes(6), b""), "nonce is 6 bytes; CCM takes 7 to 13"),
    (lambda: CCM.encrypt(bytes(13), bytes(65536)), "data is 65536 bytes; .* at most 65535"),
    (lambda: GCM.encrypt_into(bytes(12), bytes(4), None, bytearray(19)), "buf is 19 bytes; .* 20"),
    (lambda: aesfit.cmac(KEY, b"", tag_length=3), "tag_length is 3; it takes 4 to 16"),
    (lambda: aesfit.cmac_verify(KEY, b"", b"", tag_length=3), "tag_length is 3; it takes 4 to 16"),
    (lambda: aesfit.cbc_mac(KEY, b""), "data is 0 bytes; CBC-MAC takes 16"),
    (lambda: aesfit.key_wrap(KEY, bytes(15)), "data is 15 bytes; KW wraps a multiple of 8"),
    (lambda: aesfit.key_wrap(KEY, b"", padded=True), "data is 0 bytes; KWP wraps 1 to"),
    (lambda: aesfit.key_unwrap(KEY, bytes(16)), "data is 16 bytes; KW unwraps .* from 24"),
    (lambda: aesfit.key_unwrap(KEY, bytes(8), True), "data is 8 bytes; KWP unwraps .* from 16"),
    (lambda: aesfit.ccmp_encapsulate(bytes(24), bytes(24), b"", 0), "CCMP takes 16"),
    (lambda: aesfit.ccmp_encapsulate(KEY, b"\x08", b"", 0), "its frame control alone takes 2"),
    (lambda: aesfit.ccmp_encapsulate(KEY, bytes(25), b"", 0), "25 bytes; .* says 24"),
    (lambda: aesfit.ccmp_encapsulate(KEY, bytes(24), b"", 1 << 48), "pn is 281474976710656"),
    (lambda: aesfit.ccmp_encapsulate(KEY, bytes(24), b"", 0, 4), "key_id is 4; it takes 0 to 3"),
    (lambda: aesfit.ccmp_decapsulate(KEY, bytes(39)), "mpdu is 39 bytes; .* takes 40 or more"),
]


@pytest.mark.parametrize(("call", "sentence"), VALUE_ERRORS, ids=[s for _, s in VALUE_ERRORS])
def test_value_errors(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value)


TYPE_ERRORS: list[tuple[Callable[[Any], object], str]] = [
    (lambda x: aesfit.AES(x), "key must be bytes or another buffer, not 'str'"),
    (lambda x: aesfit.Cipher(KEY, "cbc", x), "iv must be bytes or another buffer, not 'str'"),
    (lambda x: ECB.encrypt(x), "data must be bytes or another buffer, not 'str'"),
    (lambda x: ECB.encrypt_into(bytes(16), x), "out must be bytes or another buffer"),
    (lambda x: GCM.encrypt(x, b""), "nonce must be"),
    (lambda x: GCM.encrypt(IV, b"", x), "associated_data must be"),
    (lambda x: aesfit.AESGCM(KEY, x), "tag_length must be an int, not 'str'"),
    (lambda x: aesfit.key_wrap(KEY, bytes(16), x), "padded must be True or False, not 'str'"),
]


@pytest.mark.parametrize(("call", "sentence"), TYPE_ERRORS, ids=[s for _, s in TYPE_ERRORS])
def test_type_errors(call: Callable[[Any], object], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence) as caught:
        call("text")
    assert "\n" not in str(caught.value)


NONE_ERRORS: list[tuple[Callable[[Any], object], str]] = [
    (lambda x: aesfit.AES(x), "key must be bytes or another buffer, not 'NoneType'"),
    (lambda x: aesfit.Cipher(KEY, x), "mode must be a str, not 'NoneType'"),
    (lambda x: ECB.encrypt(x), "data must be bytes or another buffer"),
    (lambda x: ECB.encryptor().update(x), "data must be bytes or another buffer"),
    (lambda x: GCM.encrypt(IV, x, x), "data must be bytes or another buffer"),
    (lambda x: CCM.decrypt(x, bytes(16), x), "nonce must be bytes or another buffer"),
    (lambda x: aesfit.AESGCM(KEY, x), "tag_length must be an int, not 'NoneType'"),
    (lambda x: aesfit.cmac(KEY, x), "data must be bytes or another buffer"),
    (lambda x: aesfit.key_wrap(KEY, bytes(16), x), "padded must be True or False"),
    (lambda x: aesfit.ccmp_encapsulate(KEY, bytes(24), b"", x), "pn must be an int"),
]


@pytest.mark.parametrize(("call", "sentence"), NONE_ERRORS, ids=[s for _, s in NONE_ERRORS])
def test_none_is_refused_like_any_wrong_type(call: Callable[[Any], object], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence) as caught:
        call(None)
    assert "\n" not in str(caught.value)


def test_core_must_be_a_name() -> None:
    with pytest.raises(TypeError, match="core must be a str, not 'int'"):
        aesfit.AES(KEY, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda core: aesfit.AES(KEY, core),
        lambda core: aesfit.Cipher(KEY, "ecb", None, core),
        lambda core: aesfit.AESGCM(KEY, 16, core),
        lambda core: aesfit.AESCCM(KEY, 16, core),
        lambda core: aesfit.cmac(KEY, b"", core),
        lambda core: aesfit.cbc_mac(KEY, bytes(16), core),
        lambda core: aesfit.key_wrap(KEY, bytes(16), core=core),
        lambda core: aesfit.ccmp_encapsulate(KEY, bytes(24), b"", 0, core=core),
    ],
)
def test_unknown_core_names_the_nearest(make: Callable[[str], object]) -> None:
    with pytest.raises(aesfit.UnknownCore, match="no core 'fixslise'; the nearest is 'fixslice'"):
        make("fixslise")
    with pytest.raises(aesfit.UnknownCore):
        make("")


def test_unavailable_core_is_refused() -> None:
    for core in aesfit.cores():
        if not core.available:
            with pytest.raises(aesfit.UnavailableCore):
                aesfit.AES(KEY, core.name)


@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr", "cbc-pkcs7"])
def test_stream_after_its_end(mode: str) -> None:
    stream = aesfit.Cipher(KEY, mode, None if mode == "ecb" else IV).encryptor()
    stream.update(bytes(16))
    stream.finalize()
    for call in (stream.finalize, lambda: stream.update(b"")):
        with pytest.raises(RuntimeError, match="the stream is finished"):
            call()


def test_stream_of_a_wrong_length() -> None:
    for mode, size, sentence in (
        ("cbc", 17, "data is 17 bytes; cbc takes a multiple of 16"),
        ("cbc-cs3", 15, "data is 15 bytes; cbc-cs3 takes 16 or more"),
    ):
        stream = aesfit.Cipher(KEY, mode, IV).encryptor()
        stream.update(bytes(size))
        with pytest.raises(ValueError, match=sentence):
            stream.finalize()
        with pytest.raises(RuntimeError):
            stream.finalize()


@pytest.mark.filterwarnings("ignore:nanobind:RuntimeWarning")  # it also warns, rightly
def test_half_made_objects() -> None:
    for kind in (aesfit.AES, aesfit.Cipher, aesfit.AESGCM, aesfit.AESCCM, aesfit.CipherStream):
        raw: Any = kind.__new__(kind)
        for name in ("encrypt", "encrypt_block", "update", "finalize", "encryptor"):
            if hasattr(kind, name):
                with pytest.raises(TypeError):
                    getattr(raw, name)(bytes(16))
    made = aesfit.AES(KEY)
    with pytest.raises(TypeError):
        made.__init__(bytes(32))  # type: ignore[misc]
    assert made.key_bits == 128


def test_bytearray_cannot_be_resized_under_a_call(tmp_path: Path) -> None:
    """A call that lets other threads run holds on to its buffer until it is done."""
    data, results = bytearray(INPUT_BYTES), list[bytes]()
    cipher = aesfit.Cipher(KEY, "ctr", IV, reuse_iv=True)
    with stopped(tmp_path, data, lambda: results.append(cipher.encrypt(data))) as locked:
        assert not locked
        with pytest.raises(BufferError):
            data.append(0)
    data.append(0)
    assert results == [cipher.encrypt(bytes(INPUT_BYTES))]

# SPDX-License-Identifier: MIT
"""The Python API: arguments, results, and the agreement of its forms with one another."""

import hashlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from messages import AT_LEAST_A_BLOCK, WHOLE_BLOCKS
from stopped_call import INPUT_BYTES, stopped

import aesfit

KEY = bytes(range(16))
IV = bytes(range(100, 116))


def text(size: int) -> bytes:
    """Bytes that do not repeat."""
    return hashlib.shake_128(b"text").digest(size)


def cipher(mode: str, core: str | None = None) -> aesfit.Cipher:
    key = text(32) if mode == "xts" else KEY
    return aesfit.Cipher(key, mode, None if mode.startswith("ecb") else IV, core)


def lengths(mode: str) -> list[int]:
    if mode in WHOLE_BLOCKS:
        return [0, 16, 160, 16384]
    if mode in AT_LEAST_A_BLOCK:
        return [16, 17, 31, 32, 33, 160, 16385]
    return [0, 1, 15, 16, 17, 160, 16385]


def test_exported_names_are_the_public_ones() -> None:
    assert sorted(aesfit.__all__) == sorted(set(aesfit.__all__))
    for name in aesfit.__all__:
        assert hasattr(aesfit, name), name


def test_fips_197_block() -> None:
    """FIPS 197, appendix C.1."""
    aes = aesfit.AES(KEY)
    plain = bytes.fromhex("00112233445566778899aabbccddeeff")
    assert aes.encrypt_block(plain).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    assert aes.decrypt_block(aes.encrypt_block(plain)) == plain
    assert (aes.core, aes.key_bits, aes.rounds) == (aesfit.default_core(), 128, 10)


def test_default_core_is_constant_time() -> None:
    chosen = next(core for core in aesfit.cores() if core.name == aesfit.default_core())
    assert chosen.constant_time
    assert chosen.available


def test_study_rounds_are_not_aes() -> None:
    reduced = aesfit.AES.study(KEY, 3)
    block = text(16)
    assert reduced.rounds == 3
    assert reduced.decrypt_block(reduced.encrypt_block(block)) == block
    assert reduced.encrypt_block(block) != aesfit.AES(KEY).encrypt_block(block)
    full = aesfit.AES.study(KEY, 10)
    assert full.encrypt_block(block) == aesfit.AES(KEY).encrypt_block(block)
    assert "not AES" in repr(reduced)
    assert "not AES" not in repr(full)


@pytest.mark.parametrize("mode", aesfit.MODES)
def test_round_trip_and_streams(mode: str) -> None:
    for size in lengths(mode):
        data = text(size)
        one = cipher(mode).encrypt(data)
        assert cipher(mode).decrypt(one) == data
        for cuts in (1, 7, 16, 33, size or 1):
            pieces = [data[i : i + cuts] for i in range(0, size, cuts)]
            stream = cipher(mode).encryptor()
            assert b"".join(map(stream.update, pieces)) + stream.finalize() == one
            stream = cipher(mode).decryptor()
            coded = [one[i : i + cuts] for i in range(0, len(one), cuts)]
            assert b"".join(map(stream.update, coded)) + stream.finalize() == data


@pytest.mark.parametrize("mode", aesfit.MODES)
def test_in_place_and_apart(mode: str) -> None:
    for size in lengths(mode):
        data = text(size)
        one = cipher(mode).encrypt(data)
        buffer = bytearray(data) + bytearray(16)
        view = memoryview(buffer)
        assert cipher(mode).encrypt_into(view[:size], view) == len(one)
        assert buffer[: len(one)] == one
        assert cipher(mode).decrypt_into(view[: len(one)], view) == size
        assert buffer[:size] == data
        apart = bytearray(len(one))
        assert cipher(mode).encrypt_into(data, apart) == len(one)
        assert apart == one


@pytest.mark.parametrize("make", [aesfit.AESGCM, aesfit.AESCCM])
@pytest.mark.parametrize("size", [0, 1, 16, 100, 20000])
def test_aead_forms_agree(make: Callable[[bytes], Any], size: int) -> None:
    box, nonce, data = make(KEY), bytes(12), text(size)
    sealed = box.encrypt(nonce, data, b"header")
    assert box.decrypt(nonce, sealed, b"header") == data
    assert (
        box.encrypt(nonce, data) == box.encrypt(nonce, data, None) == box.encrypt(nonce, data, b"")
    )
    buffer = bytearray(data) + bytearray(16)
    view = memoryview(buffer)
    assert box.encrypt_into(nonce, view[:size], b"header", view) == size + 16
    assert buffer == sealed
    assert box.decrypt_into(nonce, buffer, b"header", buffer) == size
    assert buffer[:size] == data


def test_every_ghash_multiplier_gives_the_same() -> None:
    expected = aesfit.AESGCM(KEY).encrypt(IV, text(1000), text(99))
    tried = [ghash.name for ghash in aesfit.ghashes() if ghash.available]
    assert tried
    for name in tried:
        assert aesfit.AESGCM(KEY, ghash=name).encrypt(IV, text(1000), text(99)) == expected


@pytest.mark.parametrize("make", [aesfit.AESGCM, aesfit.AESGCMSIV, aesfit.AESCCM])
def test_forgery_gives_no_plaintext(make: Callable[[bytes], Any]) -> None:
    box, nonce = make(KEY), bytes(12)
    sealed = bytearray(box.encrypt(nonce, text(20000), b"header"))
    for at in (0, 19999, len(sealed) - 1):
        forged = bytearray(sealed)
        forged[at] ^= 1
        with pytest.raises(aesfit.AuthenticationError):
            box.decrypt(nonce, forged, b"header")
        out = bytearray(b"\xaa" * 20000)
        with pytest.raises(aesfit.AuthenticationError):
            box.decrypt_into(nonce, forged, b"header", out)
        assert not set(out) - {0, 0xAA}
    with pytest.raises(aesfit.AuthenticationError):
        box.decrypt(nonce, sealed, b"other")
    with pytest.raises(aesfit.AuthenticationError):
        box.decrypt(nonce, sealed[:15], b"header")


@pytest.mark.parametrize(
    "form",
    [
        bytes,
        bytearray,
        memoryview,
        lambda data: np.frombuffer(data, dtype=np.uint8),
        lambda data: np.frombuffer(data, dtype=np.uint8).reshape(2, -1),
        lambda data: memoryview(b"x" + data)[1:],
    ],
)
def test_every_kind_of_buffer(form: Callable[[bytes], Any]) -> None:
    data = text(64)
    assert cipher("ctr").encrypt(form(data)) == cipher("ctr").encrypt(data)
    assert aesfit.Cipher(form(KEY), "cbc", form(IV)).encrypt(form(data)) == cipher("cbc").encrypt(
        data
    )
    box = aesfit.AESGCM(form(KEY))
    sealed = box.encrypt(form(IV), form(data), form(data))
    assert box.decrypt(form(IV), sealed, form(data)) == data
    assert aesfit.cmac(form(KEY), form(data)) == aesfit.cmac(KEY, data)
    stream = cipher("cfb").encryptor()
    assert stream.update(form(data)) + stream.finalize() == cipher("cfb").encrypt(data)


def test_data_may_be_of_any_items() -> None:
    """Keys, nonces and tags are single bytes; what is encrypted may be anything contiguous."""
    data = text(64)
    for items in ("<u4", "<f8"):
        wide = np.frombuffer(data, dtype=items).reshape(2, -1)
        assert cipher("ctr").encrypt(wide) == cipher("ctr").encrypt(data)
        assert aesfit.cmac(KEY, wide) == aesfit.cmac(KEY, data)


def test_numpy_output() -> None:
    data, out = text(64), np.zeros(8, dtype=np.uint64)
    assert cipher("ctr").encrypt_into(data, out) == 64
    assert out.tobytes() == cipher("ctr").encrypt(data)


def test_update_into() -> None:
    data, out = text(100), bytearray(132)
    stream = cipher("cbc-pkcs7").encryptor()
    written = stream.update_into(data, out)
    assert bytes(out[:written]) + stream.finalize() == cipher("cbc-pkcs7").encrypt(data)


def test_inputs_are_not_kept() -> None:
    """No reference and no export stays behind after a call."""
    data = bytearray(text(64))
    before = sys.getrefcount(data)
    cipher("ctr").encrypt(data)
    aesfit.AESGCM(KEY).encrypt(IV, data, data)
    stream = cipher("cbc").encryptor()
    stream.update(data)
    assert sys.getrefcount(data) == before
    data.append(0)  # BufferError while exported


def test_no_reference_leaks() -> None:
    data, odd = bytearray(text(64)), bytearray(15)
    counts = sys.getrefcount(data), sys.getrefcount(odd), sys.getrefcount(None)
    for _ in range(1000):
        with pytest.raises(ValueError, match="multiple"):
            cipher("cbc").encrypt(odd)
        with pytest.raises(aesfit.AuthenticationError):
            aesfit.AESGCM(KEY).decrypt(IV, data)
    assert sys.getrefcount(data) == counts[0]
    assert sys.getrefcount(odd) == counts[1]
    assert abs(sys.getrefcount(None) - counts[2]) < 500


def test_stream_outlives_its_cipher() -> None:
    stream = cipher("ctr").encryptor()
    assert stream.update(text(100)) + stream.finalize() == cipher("ctr").encrypt(text(100))


def test_threads_share_a_cipher() -> None:
    """Long one-shot calls run at once and do not disturb one another."""
    shared, data = aesfit.Cipher(KEY, "ctr", IV, reuse_iv=True), text(1 << 20)
    expected = shared.encrypt(data)
    wrong: list[int] = []

    def work(number: int) -> None:
        if shared.encrypt(data) != expected:
            wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_long_call(tmp_path: Path) -> None:
    """The interpreter is given up: another thread works on in the middle of one call."""
    data, results = bytearray(INPUT_BYTES), list[bytes]()
    with stopped(tmp_path, data, lambda: results.append(cipher("ctr").encrypt(data))) as locked:
        assert not locked
        assert not results
    assert results == [cipher("ctr").encrypt(bytes(INPUT_BYTES))]


def test_stream_refuses_a_second_thread(tmp_path: Path) -> None:
    """Only one of two threads is inside a stream; the other gets RuntimeError, never a crash."""
    stream, data = cipher("ctr").encryptor(), bytearray(INPUT_BYTES)
    results: list[bytes] = []
    with stopped(tmp_path, data, lambda: results.append(stream.update(data))):
        for call in (stream.finalize, lambda: stream.update(b"more")):
            with pytest.raises(RuntimeError, match="another thread is inside this stream"):
                call()
    assert results == [cipher("ctr").encrypt(bytes(INPUT_BYTES))]
    assert stream.update(b"more") == cipher("ctr").encrypt(bytes(INPUT_BYTES) + b"more")[-4:]


def test_cmac_of_rfc_4493() -> None:
    """RFC 4493, section 4, examples 1 and 2."""
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    data = bytes.fromhex("6bc1bee22e409f96e93d7e117393172a")
    assert aesfit.cmac(key, b"").hex() == "bb1d6929e95937287fa37d129b756746"
    assert aesfit.cmac(key, data).hex() == "070a16b46b4d4144f79bdd9dd04a287c"
    assert aesfit.cmac(key, data, tag_length=8).hex() == "070a16b46b4d4144"
    aesfit.cmac_verify(key, data, aesfit.cmac(key, data))
    with pytest.raises(aesfit.AuthenticationError):
        aesfit.cmac_verify(key, data, bytes(16))


def test_cbc_mac_is_the_last_cbc_block() -> None:
    data = text(160)
    assert aesfit.cbc_mac(KEY, data) == aesfit.Cipher(KEY, "cbc", bytes(16)).encrypt(data)[-16:]


def test_key_wrap_of_rfc_3394() -> None:
    """RFC 3394, section 4.1."""
    key, data = KEY, bytes.fromhex("00112233445566778899aabbccddeeff")
    wrapped = aesfit.key_wrap(key, data)
    assert wrapped.hex() == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"
    assert aesfit.key_unwrap(key, wrapped) == data
    with pytest.raises(aesfit.AuthenticationError):
        aesfit.key_unwrap(key, wrapped[:-1] + b"x")
    for size in range(1, 40):
        padded = aesfit.key_wrap(key, text(size), padded=True)
        assert len(padded) == (size + 7) // 8 * 8 + 8
        assert aesfit.key_unwrap(key, padded, padded=True) == text(size)


@pytest.mark.parametrize(
    ("control", "size"),
    [("0840", 24), ("0843", 30), ("8840", 26), ("8843", 32), ("88c3", 36), ("d000", 24)],
)
def test_ccmp_round_trip(control: str, size: int) -> None:
    header = bytes.fromhex(control) + text(size - 2)
    mpdu = aesfit.ccmp_encapsulate(KEY, header, text(100), pn=0xB5039776E70C, key_id=2)
    assert len(mpdu) == size + 100 + 16
    assert mpdu[size : size + 8].hex() == "0ce700a0769703b5"
    got_header, data, pn = aesfit.ccmp_decapsulate(KEY, mpdu)
    assert (data, pn) == (text(100), 0xB5039776E70C)
    assert got_header[1] == header[1] & ~0x40
    assert got_header[2:] == header[2:]
    with pytest.raises(aesfit.AuthenticationError):
        aesfit.ccmp_decapsulate(KEY, mpdu[:-1] + bytes([mpdu[-1] ^ 1]))


def test_core_facts_are_consistent() -> None:
    names = [core.name for core in aesfit.cores()]
    assert len(set(names)) == len(names)
    for core in aesfit.cores():
        assert core.table_bytes == sum(t.bytes for t in core.tables if t.direction == "encrypt")
        assert core.table_bytes_decrypt == sum(
            t.bytes for t in core.tables if t.direction == "decrypt"
        )
        assert set(core.round_key_bytes) == {"128", "192", "256"}
        if core.constant_time:
            assert core.table_bytes == core.table_bytes_decrypt == 0


def test_code_bytes_are_measured() -> None:
    """Every core has code, and not implausibly little: an AES round alone takes 100 bytes."""
    for core in aesfit.cores():
        assert core.code_bytes is None or core.code_bytes > 300
    if sys.platform == "linux":
        assert all(core.code_bytes is not None for core in aesfit.cores())


def test_typed() -> None:
    assert (Path(aesfit.__file__).parent / "py.typed").is_file()


def test_self_test_passes() -> None:
    aesfit.self_test()

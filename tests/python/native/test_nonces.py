# SPDX-License-Identifier: MIT
"""Nonces from Python: counted, random, saved and restored."""

import pytest

import aesfit


def test_a_counter_does_not_wrap() -> None:
    nonces = aesfit.Nonces(b"device 0017", 12)
    seen = [nonces.next() for _ in range(256)]
    assert seen == [b"device 0017" + bytes([at]) for at in range(256)]
    assert nonces.left == 0
    with pytest.raises(RuntimeError, match="take a new key"):
        nonces.next()


def test_a_restart_goes_on_behind_what_was_saved() -> None:
    nonces = aesfit.Nonces(b"0017")
    saved = nonces.save(3)
    seen = [nonces.next() for _ in range(3)]
    with pytest.raises(RuntimeError, match=r"save\(\)"):
        nonces.next()
    again = aesfit.Nonces.restore(saved)
    with pytest.raises(RuntimeError, match=r"save\(\)"):
        again.next()
    again.save(10)
    assert again.next() not in seen
    assert again.left == nonces.left - 1


def test_random_nonces_have_a_bound() -> None:
    nonces = aesfit.Nonces.random()
    assert nonces.left == 2**32
    assert len({nonces.next() for _ in range(100)}) == 100
    last = aesfit.Nonces.restore(nonces.save(2**32))
    assert last.left == 0
    with pytest.raises(RuntimeError, match="take a new key"):
        last.next()


@pytest.mark.parametrize(
    ("fixed", "size", "told"),
    [
        (b"", 12, "fixed is 0 bytes; beside a counter of 1 to 8 a nonce of 12 takes 4 to 11"),
        (bytes(12), 12, "fixed is 12 bytes"),
        (b"", 6, "size"),
    ],
)
def test_what_is_refused(fixed: bytes, size: int, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        aesfit.Nonces(fixed, size)


@pytest.mark.parametrize("saved", [b"", bytes(28), b"\xff" * 28, b"Z\x0c\x08" + bytes(25)])
def test_spoilt_memory_is_refused(saved: bytes) -> None:
    with pytest.raises(ValueError, match="saved is not what"):
        aesfit.Nonces.restore(saved)


def test_they_seal() -> None:
    nonces, aead = aesfit.Nonces(b"0017"), aesfit.AESGCM(bytes(16))
    nonce = nonces.next()
    assert aead.decrypt(nonce, aead.encrypt(nonce, b"hello", None), None) == b"hello"

# SPDX-License-Identifier: MIT
"""The key schedule forwards and backwards."""

import hashlib

from aesfit import _native
from aesfit.leaking.schedule import cipher_key, inverse_sbox, round_keys, sbox

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
"""FIPS 197, appendix A.1."""
LAST = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")
"""FIPS 197, appendix A.1: w40 to w43."""


def test_the_s_box_is_that_of_the_standard() -> None:
    assert [sbox()[value] for value in (0x00, 0x53, 0xFF)] == [0x63, 0xED, 0x16]
    assert sorted(sbox()) == list(range(256))
    assert (inverse_sbox()[sbox()] == range(256)).all()


def test_round_keys_are_those_of_the_standard_and_lead_back() -> None:
    assert round_keys(KEY)[10] == LAST
    assert cipher_key(LAST) == KEY


def test_a_wrong_last_round_key_encrypts_otherwise() -> None:
    wrong = bytes([LAST[0] ^ 1]) + LAST[1:]
    right, other = (_native.AES(cipher_key(one)).encrypt_block(bytes(16)) for one in (LAST, wrong))
    assert right == _native.AES(KEY).encrypt_block(bytes(16)) != other
    for number in range(20):
        key = hashlib.sha256(bytes([number])).digest()[:16]
        assert cipher_key(round_keys(key)[10]) == key

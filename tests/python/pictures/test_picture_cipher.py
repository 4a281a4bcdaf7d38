# SPDX-License-Identifier: MIT
"""Samples encrypted: every mode and length, reduced rounds, and the rule for what remains."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from aesfit import AES, AESGCM, AuthenticationError, Cipher
from aesfit.pictures.cipher import IV_BYTES, MODES, Settings, decrypt, encrypt, encrypt_pixels
from aesfit.pictures.picture_file import Picture

RNG = random.Random(4)
KEYS = {bits: RNG.randbytes(bits // 8) for bits in (128, 192, 256)}
LENGTHS = (1, 2, 15, 16, 17, 31, 32, 48, 255)


@dataclass(frozen=True)
class Composed(Settings):
    """All rounds, by the modes that are written for reduced ones."""

    @property
    def reduced(self) -> bool:
        return True


def iv_for(mode: str) -> bytes:
    return RNG.randbytes(IV_BYTES[mode])


@pytest.mark.parametrize("bits", KEYS)
@pytest.mark.parametrize("mode", MODES)
def test_composed_modes_equal_the_library(mode: str, bits: int) -> None:
    """So that reduced rounds differ from AES in the rounds alone."""
    key, iv = KEYS[bits], iv_for(mode)
    for length in LENGTHS:
        data = RNG.randbytes(length)
        full, composed = Settings(mode, key, iv), Composed(mode, key, iv, bits // 32 + 6)
        sealed = encrypt(data, full, b"associated")
        assert encrypt(data, composed, b"associated") == sealed
        assert decrypt(sealed[0], composed, b"associated", sealed[1]) == data


@pytest.mark.parametrize("mode", ["ctr", "cfb", "ofb"])
def test_stream_modes_are_the_standard_ones(mode: str) -> None:
    data, iv = RNG.randbytes(45), iv_for(mode)
    expected = Cipher(KEYS[128], mode, iv).encrypt(data)
    assert encrypt(data, Settings(mode, KEYS[128], iv))[0] == expected


def test_counters_wrap() -> None:
    iv, data = b"\xff" * 16, RNG.randbytes(40)
    expected = Cipher(KEYS[128], "ctr", iv).encrypt(data)
    assert encrypt(data, Composed("ctr", KEYS[128], iv, 10))[0] == expected


def test_gcm_is_the_standard_one() -> None:
    data, iv = RNG.randbytes(45), iv_for("gcm")
    expected = AESGCM(KEYS[128]).encrypt(iv, data, b"ad")
    assert b"".join(encrypt(data, Settings("gcm", KEYS[128], iv), b"ad")) == expected


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_the_remainder_is_enciphered_as_cfb_does(mode: str) -> None:
    data, iv = RNG.randbytes(32 + 5), iv_for(mode)
    out = encrypt(data, Settings(mode, KEYS[128], iv))[0]
    assert out[:32] == Cipher(KEYS[128], mode, iv or None).encrypt(data[:32])
    stream = AES(KEYS[128]).encrypt_block(out[16:32])
    assert out[32:] == bytes(a ^ b for a, b in zip(data[32:], stream, strict=False))


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_less_than_a_block_follows_the_iv(mode: str) -> None:
    data, iv = RNG.randbytes(3), iv_for(mode)
    stream = AES(KEYS[128]).encrypt_block(iv or bytes(16))
    expected = bytes(a ^ b for a, b in zip(data, stream, strict=False))
    assert encrypt(data, Settings(mode, KEYS[128], iv))[0] == expected


@pytest.mark.parametrize("rounds", [1, 4, 9])
@pytest.mark.parametrize("mode", MODES)
def test_reduced_rounds_come_back_and_are_not_aes(mode: str, rounds: int) -> None:
    data, iv = RNG.randbytes(85), iv_for(mode)
    how = Settings(mode, KEYS[128], iv, rounds)
    out, tag = encrypt(data, how)
    assert decrypt(out, how, b"", tag) == data
    assert out != encrypt(data, Settings(mode, KEYS[128], iv))[0]


def test_reduced_ecb_is_the_study_cipher() -> None:
    data = RNG.randbytes(16)
    expected = AES.study(KEYS[192], 3).encrypt_block(data)
    assert encrypt(data, Settings("ecb", KEYS[192], rounds=3))[0] == expected


@pytest.mark.parametrize("rounds", [None, 4])
def test_gcm_refuses_what_was_changed(rounds: int | None) -> None:
    how = Settings("gcm", KEYS[256], iv_for("gcm"), rounds)
    out, tag = encrypt(b"some samples of a picture", how, b"ad")
    for data, associated, other in (
        (bytes([out[0] ^ 1]) + out[1:], b"ad", tag),
        (out, b"AD", tag),
        (out, b"ad", bytes([tag[0] ^ 1]) + tag[1:]),
        (out, b"ad", tag[:-1]),
    ):
        with pytest.raises((AuthenticationError, ValueError)):
            decrypt(data, how, associated, other)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"mode": "ctz"}, "there is no mode of pictures 'ctz'; the nearest is 'ctr'"),
        ({"key": bytes(15)}, "the key is 15 bytes; AES takes 16, 24 or 32"),
        ({"iv": bytes(12)}, "the IV is 12 bytes; cbc takes 16"),
        ({"mode": "ecb"}, "the IV is 16 bytes; ecb takes none"),
        ({"rounds": 0}, "0 rounds are not possible; a key of 128 bits takes 1 to 10"),
        ({"rounds": 11}, "11 rounds are not possible; a key of 128 bits takes 1 to 10"),
    ],
)
def test_settings_that_cannot_be(changed: dict[str, object], sentence: str) -> None:
    given = {"mode": "cbc", "key": KEYS[128], "iv": bytes(16), **changed}
    with pytest.raises(ValueError, match="^" + sentence.replace("'", ".") + "$"):
        Settings(**given)  # type: ignore[arg-type]


def test_the_key_is_not_shown() -> None:
    assert KEYS[128].hex() not in repr(Settings("ecb", KEYS[128]))
    assert repr(KEYS[128]) not in repr(Settings("ecb", KEYS[128]))


def test_16_bit_samples_are_big_endian() -> None:
    pixels = np.array([[0x0102, 0x0304]], np.uint16)[..., None]
    picture = Picture(pixels, "I;16", "two")
    assert picture.data == b"\1\2\3\4"
    how = Settings("ofb", KEYS[128], bytes(16))
    encrypted = encrypt_pixels(picture, how)
    assert encrypted.mode == "I;16"
    assert encrypted.data == encrypt(b"\1\2\3\4", how)[0]


def test_ecb_at_any_number_of_rounds_keeps_equal_blocks_equal() -> None:
    data = np.random.default_rng(1).integers(0, 3, 64, np.uint8).repeat(16).tobytes()
    classes = [data.index(data[at : at + 16]) for at in range(0, len(data), 16)]
    for rounds in range(1, 11):
        out = encrypt(data, Settings("ecb", KEYS[128], rounds=rounds))[0]
        assert [out.index(out[at : at + 16]) for at in range(0, len(out), 16)] == classes

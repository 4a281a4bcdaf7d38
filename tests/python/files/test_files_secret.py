# SPDX-License-Identifier: MIT
"""Where keys come from: key files, HKDF, scrypt; nothing of them is printed."""

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from aesfit.files import FormatError, KeyBytes, Keyring, Passphrase, Scrypt, key_in_file
from aesfit.files.secret import MAX_KEY_FILE_BYTES, MAX_RING_WORK, hkdf_expand, hkdf_extract


def test_hkdf_of_rfc_5869() -> None:
    """Appendix A, test cases 1 and 3."""
    material = bytes([0x0B]) * 22
    master = hkdf_extract(bytes(range(13)), material)
    assert master.hex() == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
    assert hkdf_expand(master, bytes(range(0xF0, 0xFA)), 42).hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    assert hkdf_expand(hkdf_extract(b"", material), b"", 42).hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    )


@given(st.binary(max_size=40), st.binary(min_size=1, max_size=90), st.binary(max_size=90))
def test_hkdf_beside_pyca(salt: bytes, key: bytes, info: bytes) -> None:
    for size in (1, 32, 71, 200):
        ours = hkdf_expand(hkdf_extract(salt, key), info, size)
        assert ours == HKDF(SHA256(), size, salt, info).derive(key)


def test_scrypt_of_rfc_7914() -> None:
    """Section 12; of 64 bytes the first 32 are the same (PBKDF2 ends scrypt)."""
    assert Scrypt(10, 8, 16).derive(b"password", b"NaCl").hex() == (
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
    )


def test_default_cost_is_owasp_s() -> None:
    assert (1 << Scrypt().log_n, Scrypt().r, Scrypt().p) == (1 << 17, 8, 1)
    assert Scrypt().memory == 128 << 20


@pytest.mark.parametrize(
    ("cost", "match"),
    [
        ((0, 8, 1), "log2 N of 1 to 63"),
        ((15, 0, 1), "r and p of 1 to 255"),
        ((15, 8, 256), "r and p of 1 to 255"),
        ((16, 1, 1), r"N below 2\^16 where r is 1"),
        ((19, 8, 1), "512 MiB of memory"),
        ((10, 255, 255), "units of work"),
    ],
)
def test_costs_out_of_bounds(cost: tuple[int, int, int], match: str) -> None:
    with pytest.raises(FormatError, match=match):
        Scrypt(*cost)


@pytest.mark.parametrize("cost", [(1, 1, 1), (15, 1, 2), (2, 255, 1), (4, 1, 255), (18, 8, 1)])
def test_costs_within_bounds_are_taken(cost: tuple[int, int, int]) -> None:
    assert len(Scrypt(*cost).derive(b"x", bytes(16))) == 32


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (bytes(range(16)), bytes(range(16))),
        (bytes(range(128, 160)), bytes(range(128, 160))),
        (b"00112233445566778899aabbccddeeff", bytes.fromhex("00112233445566778899aabbccddeeff")),
        (b"\n " + b"0F" * 24 + b"\r\n", bytes([15]) * 24),
        (b"a5" * 32 + b"\n", bytes([0xA5]) * 32),
    ],
)
def test_key_files(content: bytes, key: bytes) -> None:
    assert key_in_file(content).value == key
    assert key_in_file(content, aes=True).value == key


@pytest.mark.parametrize("content", [b"0" * 30 + b"xx\n", b"g" * 32 + b"\n", bytes(100)])
def test_other_key_files_are_taken_as_they_are(content: bytes) -> None:
    assert key_in_file(content).value == content
    with pytest.raises(ValueError, match=f"has {len(content)} bytes; a key is 16, 24 or 32 bytes"):
        key_in_file(content, aes=True)


def test_longer_keys_in_text() -> None:
    assert key_in_file(b"ab" * 20).value == b"\xab" * 20
    with pytest.raises(ValueError, match=r"has 40 hexadecimal digits; .* text 32, 48 or 64 digits"):
        key_in_file(b"ab" * 20, aes=True)


@pytest.mark.parametrize(
    ("content", "has"),
    [
        (b"", "0 bytes"),
        (b"0123456789abcdx", "15 bytes"),
        (b"\n\n", "2 bytes"),
        (b"0123456789abcdef", "16 hexadecimal digits"),
        (b"0" * 30 + b"\n\n", "30 hexadecimal digits"),
        (b"0" * 33, "33 hexadecimal digits"),
    ],
)
@pytest.mark.parametrize("aes", [False, True])
def test_short_and_mistyped_keys_are_refused(content: bytes, has: str, aes: bool) -> None:
    """Digits are never taken as raw bytes, though some of these are 16 or 32 bytes."""
    with pytest.raises(ValueError, match=f"has {has}; a key is 16"):
        key_in_file(content, aes=aes)


def test_endless_key_files_are_refused() -> None:
    assert key_in_file(bytes(MAX_KEY_FILE_BYTES))
    with pytest.raises(ValueError, match="longer than 65536 bytes"):
        key_in_file(bytes(MAX_KEY_FILE_BYTES + 1))


def test_secrets_too_short() -> None:
    with pytest.raises(ValueError, match="passphrase is empty"):
        Passphrase(b"")
    with pytest.raises(ValueError, match="the key is 15 bytes; it must be 16 or more"):
        KeyBytes(bytes(15))


def test_secrets_are_not_printed() -> None:
    for secret in (Passphrase(b"hush hush"), KeyBytes(b"hush hush hush hush")):
        assert "hush" not in repr(secret)
        assert "hush" not in repr(Keyring(secret))


def test_a_folder_of_dear_headers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each header is within the limits, and all together would take hours."""
    costs: list[int] = []

    def derive(self: Scrypt, passphrase: bytes, salt: bytes) -> bytes:
        costs.append(self.work)
        return bytes(32)

    monkeypatch.setattr(Scrypt, "derive", derive)
    dear = Scrypt(18, 8, 8)
    allowed = MAX_RING_WORK // dear.work
    with Keyring(Passphrase(b"secret")) as ring:
        for number in range(allowed):
            ring.expand(number.to_bytes(16), dear, b"", 32)
        with pytest.raises(FormatError, match="give the others in another call"):
            ring.expand(b"\xff" * 16, dear, b"", 32)
        ring.expand(bytes(16), dear, b"", 32)
    assert sum(costs) <= MAX_RING_WORK

# SPDX-License-Identifier: MIT
"""Raw modes and salted files beside the program openssl, both ways."""

import io
import os
import shutil
import subprocess
from collections.abc import Sequence

import pytest
from every_core import on_every_core

from aesfit.files import (
    RAW_MODES,
    FormatError,
    Passphrase,
    RawMode,
    RawOptions,
    SaltedOptions,
    decrypt_raw,
    decrypt_salted,
    encrypt_raw,
    encrypt_salted,
)
from aesfit.files.raw import CHUNK_BYTES, PADDED

SIZES = (0, 1, 15, 16, 17, 4096, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 17, 3 * CHUNK_BYTES)
IV = bytes.fromhex("fffffffffffffffffffffffffffffffe")
"""Its counter overflows in the third block."""
WORDS = Passphrase(b"correct horse battery staple")


def openssl(arguments: Sequence[str], data: bytes) -> bytes:
    """Output of `openssl enc`; the program belongs to the set-up of the tests."""
    program = shutil.which("openssl")
    assert program, "openssl is missing; install it with: make setup"
    run = subprocess.run([program, "enc", *arguments], input=data, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout


def spelt(options: RawOptions) -> list[str]:
    """The same options for openssl."""
    bits = 8 * len(options.key)
    arguments = [f"-aes-{bits}-{options.mode}", "-K", options.key.hex()]
    if options.iv:
        arguments += ["-iv", options.iv.hex()]
    return arguments if options.pad else [*arguments, "-nopad"]


def encrypted(data: bytes, options: RawOptions) -> bytes:
    sink = io.BytesIO()
    encrypt_raw(io.BytesIO(data), sink, options)
    return sink.getvalue()


def decrypted(data: bytes, options: RawOptions) -> bytes:
    sink = io.BytesIO()
    decrypt_raw(io.BytesIO(data), sink, options)
    return sink.getvalue()


def options_of(mode: RawMode, key_bits: int, pad: bool = True) -> RawOptions:
    return RawOptions(mode, os.urandom(key_bits // 8), None if mode == "ecb" else IV, pad)


@pytest.mark.parametrize("pad", [True, False], ids=["pad", "nopad"])
@pytest.mark.parametrize("key_bits", [128, 192, 256])
@pytest.mark.parametrize("mode", RAW_MODES)
def test_byte_for_byte_as_openssl(mode: RawMode, key_bits: int, pad: bool) -> None:
    for size in SIZES:
        if not pad and mode in PADDED and size % 16:
            continue
        options, plain = options_of(mode, key_bits, pad), os.urandom(size)
        cipher = encrypted(plain, options)
        assert cipher == openssl(spelt(options), plain), size
        assert decrypted(cipher, options) == plain, size
    assert openssl(["-d", *spelt(options)], cipher) == plain  # the same bytes as of its own


@pytest.mark.parametrize("mode", RAW_MODES)
@on_every_core
def test_every_core(core: str, mode: RawMode) -> None:
    key, iv, plain = bytes(range(24)), None if mode == "ecb" else IV, os.urandom(50)
    options = RawOptions(mode, key, iv, core=core)
    assert encrypted(plain, options) == encrypted(plain, RawOptions(mode, key, iv))
    assert decrypted(encrypted(plain, options), options) == plain


@pytest.mark.parametrize("mode", PADDED)
def test_wrong_lengths_and_padding(mode: RawMode) -> None:
    padded, plain = options_of(mode, 128), options_of(mode, 128, pad=False)
    with pytest.raises(FormatError, match=f"has 15 bytes; {mode} without padding takes whole"):
        encrypted(bytes(15), plain)
    with pytest.raises(FormatError, match=f"has 17 bytes; {mode} without padding takes whole"):
        decrypted(bytes(17), plain)
    for size in (0, 15, CHUNK_BYTES + 1):
        with pytest.raises(FormatError, match=f"has {size} bytes; {mode} with padding decrypts"):
            decrypted(bytes(size), padded)
    for end in (b"\0", b"\x11", b"\3\3", b"\x01\x02"):
        wrong = encrypted(end.rjust(32, b"x"), RawOptions(mode, padded.key, padded.iv, pad=False))
        with pytest.raises(FormatError, match="the padding is wrong"):
            decrypted(wrong, padded)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (RawOptions("cbc", bytes(15), IV), "key is 15 bytes"),
        (RawOptions("cbc", bytes(16)), "needs an iv of 16 bytes"),
        (RawOptions("ctr", bytes(16), bytes(12)), "iv is 12 bytes; ctr takes 16"),
        (RawOptions("ecb", bytes(16), IV), "takes no iv"),
        (RawOptions("xts", bytes(32), IV), "mode 'xts' is unknown"),  # type: ignore[arg-type]
        (RawOptions("cbc", bytes(16), IV, core="nothing"), "core 'nothing'"),
    ],
)
def test_options_that_cannot_be(options: RawOptions, match: str) -> None:
    for function in (encrypted, decrypted):
        with pytest.raises(ValueError, match=match):
            function(bytes(16), options)


def test_progress_counts_what_was_read() -> None:
    seen, size = list[int](), 2 * CHUNK_BYTES + 5
    options = options_of("cbc", 128)
    encrypt_raw(io.BytesIO(bytes(size)), io.BytesIO(), options, seen.append)
    assert seen == [CHUNK_BYTES, 2 * CHUNK_BYTES, size]
    seen.clear()
    sealed, plain = io.BytesIO(), io.BytesIO()
    encrypt_salted(io.BytesIO(bytes(size)), sealed, WORDS)
    decrypt_salted(io.BytesIO(sealed.getvalue()), plain, WORDS, progress=seen.append)
    assert plain.getvalue() == bytes(size)
    assert seen[-1] == len(sealed.getvalue())


@pytest.mark.few
@pytest.mark.parametrize("iterations", [None, 1, 20_000])
@pytest.mark.parametrize("key_bits", [128, 192, 256])
@pytest.mark.parametrize("mode", RAW_MODES)
def test_salted_files_both_ways(mode: RawMode, key_bits: int, iterations: int | None) -> None:
    """Without -iter the program's own number is the default."""
    options = SaltedOptions(mode, key_bits)
    arguments = [
        f"-aes-{key_bits}-{mode}",
        "-pbkdf2",
        "-salt",
        "-pass",
        f"pass:{WORDS.text.decode()}",
    ]
    if iterations:
        options = SaltedOptions(mode, key_bits, iterations)
        arguments += ["-iter", str(iterations)]
    plain, ours, back = os.urandom(1000), io.BytesIO(), io.BytesIO()
    encrypt_salted(io.BytesIO(plain), ours, WORDS, options)
    assert openssl(["-d", *arguments], ours.getvalue()) == plain
    decrypt_salted(io.BytesIO(openssl(arguments, plain)), back, WORDS, options)
    assert back.getvalue() == plain


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "does not begin with Salted__"),
        (b"Salted", "cut short: 6 bytes, of 16 or more"),
        (b"Salted__1234567", "cut short: 15 bytes"),
        (b"\x89aesfit\n" + bytes(100), "does not begin with Salted__"),
        (b"Salted__12345678", "has 0 bytes; cbc with padding"),
        (b"Salted__12345678" + bytes(15), "has 15 bytes; cbc with padding"),
    ],
)
def test_what_is_no_salted_file(data: bytes, match: str) -> None:
    sink = io.BytesIO()
    with pytest.raises(FormatError, match=match):
        decrypt_salted(io.BytesIO(data), sink, WORDS)
    assert not sink.getvalue()


@pytest.mark.parametrize(("key_bits", "iterations"), [(64, 1), (128, 0), (128, 1 << 31)])
def test_salted_options_that_cannot_be(key_bits: int, iterations: int) -> None:
    with pytest.raises(ValueError, match="are not"):
        SaltedOptions("cbc", key_bits, iterations)

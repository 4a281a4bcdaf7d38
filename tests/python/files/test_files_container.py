# SPDX-License-Identifier: MIT
"""The container: round trips, and every way of changing a file is noticed."""

import hashlib
import io
import os
import threading
import tracemalloc
from pathlib import Path

import pytest
from every_core import on_every_core
from independent_reader import read as independent_read

from aesfit import AuthenticationError
from aesfit.files import (
    FormatError,
    KeyBytes,
    Keyring,
    Options,
    Passphrase,
    Scrypt,
    Secret,
    WrongSecretError,
    container,
    seal,
    unseal,
)
from aesfit.files.header import HEADER_BYTES, Mode, pack

QUICK = Scrypt(4, 1, 1)
KEY = KeyBytes(bytes(range(32)))
PASSPHRASE = Passphrase("Gänsefüßchen".encode())
CHUNK = 16
FULL = CHUNK + 16
MODES: tuple[Mode, ...] = ("gcm", "ccm")


def sealed(
    plain: bytes,
    mode: Mode = "gcm",
    key_bits: int = 128,
    secret: Secret | Keyring = KEY,
    chunk: int = CHUNK,
) -> bytes:
    out = io.BytesIO()
    seal(io.BytesIO(plain), out, secret, Options(mode, key_bits, chunk, QUICK))
    return out.getvalue()


def opened(file: bytes, secret: Secret | Keyring = KEY, core: str | None = None) -> bytes:
    out = io.BytesIO()
    unseal(io.BytesIO(file), out, secret, core)
    return out.getvalue()


def refused(file: bytes, plain: bytes, secret: Secret = KEY) -> Exception:
    """The error; what was written before it are whole chunks of the true file, and not all."""
    out = io.BytesIO()
    with pytest.raises((FormatError, AuthenticationError)) as caught:
        unseal(io.BytesIO(file), out, secret)
    written = out.getvalue()
    assert plain.startswith(written)
    assert len(written) % CHUNK == 0
    assert len(written) < max(1, len(plain))
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 63, 64, 65, 128, 300])
@pytest.mark.parametrize("key_bits", [128, 192, 256])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("secret", [KEY, PASSPHRASE], ids=["key", "passphrase"])
def test_round_trip(secret: Secret, mode: Mode, key_bits: int, size: int) -> None:
    plain = os.urandom(size)
    file = sealed(plain, mode, key_bits, secret, chunk=64)
    assert len(file) == HEADER_BYTES + size + 16 * max(1, -(-size // 64))
    assert opened(file, secret) == plain
    value = secret.text if isinstance(secret, Passphrase) else secret.value
    assert independent_read(file, value, isinstance(secret, Passphrase)) == plain


def test_default_options_round_trip() -> None:
    plain, file, back = os.urandom(300_000), io.BytesIO(), io.BytesIO()
    seal(io.BytesIO(plain), file, PASSPHRASE)
    unseal(io.BytesIO(file.getvalue()), back, PASSPHRASE)
    assert back.getvalue() == plain
    assert independent_read(file.getvalue(), PASSPHRASE.text, True) == plain


@pytest.mark.parametrize("mode", MODES)
@on_every_core
def test_every_core_makes_and_reads_the_same(core: str, mode: Mode) -> None:
    plain, file = os.urandom(50), io.BytesIO()
    seal(io.BytesIO(plain), file, KEY, Options(mode, 256, CHUNK, core=core))
    assert opened(file.getvalue()) == plain
    assert opened(file.getvalue(), core=core) == plain


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [0, 1, 32, 40])
def test_every_flipped_bit_is_noticed(mode: Mode, size: int) -> None:
    plain = os.urandom(size)
    file = sealed(plain, mode)
    for bit in range(8 * len(file)):
        changed = bytearray(file)
        changed[bit // 8] ^= 1 << bit % 8
        refused(bytes(changed), plain)


@pytest.mark.parametrize("secret", [KEY, PASSPHRASE], ids=["key", "passphrase"])
def test_every_flipped_bit_of_a_header_with_its_digest_made_anew_is_noticed(secret: Secret) -> None:
    """What an attacker would do; nothing at all is written."""
    plain = os.urandom(40)
    file = sealed(plain, secret=secret)
    for bit in range(8 * (HEADER_BYTES - 8)):
        front = bytearray(file[: HEADER_BYTES - 8])
        front[bit // 8] ^= 1 << bit % 8
        digest = hashlib.sha256(front).digest()[:8]
        error = refused(bytes(front) + digest + file[HEADER_BYTES:], b"", secret)
        assert isinstance(error, (FormatError, WrongSecretError))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [0, 1, 32, 40])
def test_every_cut_and_every_appended_byte_is_noticed(mode: Mode, size: int) -> None:
    plain = os.urandom(size)
    file = sealed(plain, mode)
    for length in range(len(file)):
        refused(file[:length], plain)
    for byte in range(256):
        refused(file + bytes([byte]), plain)
    for count in range(2, 2 * FULL + 1):
        refused(file + bytes(count), plain)


@pytest.fixture(params=MODES)
def parts(request: pytest.FixtureRequest) -> tuple[bytes, bytes, list[bytes]]:
    """Plaintext, header and chunks of a file of four chunks."""
    plain = os.urandom(4 * CHUNK)
    file = sealed(plain, request.param)
    return plain, file[:HEADER_BYTES], pieces(file)


def pieces(file: bytes) -> list[bytes]:
    return [file[at : at + FULL] for at in range(HEADER_BYTES, len(file), FULL)]


def test_every_other_order_of_chunks_is_noticed(parts: tuple[bytes, bytes, list[bytes]]) -> None:
    """Reordered, repeated, dropped: all sequences of up to five of the four chunks but the one."""
    plain, header, chunks = parts
    orders: list[tuple[int, ...]] = [()]
    for length in range(1, 6):
        orders += [(*o, i) for o in orders if len(o) == length - 1 for i in range(4)]
    assert opened(header + b"".join(chunks)) == plain
    for order in orders:
        if order != (0, 1, 2, 3):
            refused(header + b"".join(chunks[i] for i in order), plain)


def test_chunks_of_another_file_are_noticed(parts: tuple[bytes, bytes, list[bytes]]) -> None:
    """Of the same key, the same length, and even the same salt and plaintext."""
    plain = parts[0]
    with Keyring(KEY) as ring:
        one, other = (sealed(plain, secret=ring) for _ in range(2))
        assert opened(one, ring) == opened(other, ring) == plain
    for i in range(4):
        mixed = pieces(one)
        mixed[i] = pieces(other)[i]
        refused(one[:HEADER_BYTES] + b"".join(mixed), plain)
    refused(other[:HEADER_BYTES] + one[HEADER_BYTES:], plain)


def test_empty_last_chunk_of_a_full_file_is_refused() -> None:
    """One file has one length of container; only who knows the key could write this one."""
    plain, ring = bytes(CHUNK), Keyring(KEY)
    header = container.new_header(ring, Options(chunk_bytes=CHUNK))
    with container._file_keys(header, ring, None) as (commitment, chunks):
        seal_piece = chunks.aead.encrypt
        whole = seal_piece(chunks.nonce(0, True), plain)
        longer = seal_piece(chunks.nonce(0, False), plain) + seal_piece(chunks.nonce(1, True), b"")
        front = pack(header, commitment)
    assert opened(front + whole) == plain
    refused(front + longer, bytes(CHUNK + 1))
    with pytest.raises(ValueError, match="without plaintext"):
        independent_read(front + longer, KEY.value, False)


def test_more_chunks_than_the_counter_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    long = sealed(bytes(4 * CHUNK))
    monkeypatch.setattr(container, "MAX_CHUNKS", 3)
    assert opened(sealed(bytes(3 * CHUNK))) == bytes(3 * CHUNK)
    with pytest.raises(ValueError, match="longer than 48 bytes"):
        sealed(bytes(3 * CHUNK + 1))
    with pytest.raises(AuthenticationError, match="more chunks"):
        opened(long)


@pytest.mark.parametrize(
    ("right", "wrong", "error", "match"),
    [
        (PASSPHRASE, Passphrase(b"x"), WrongSecretError, "the passphrase is wrong"),
        (KEY, KeyBytes(bytes(32)), WrongSecretError, "the key is wrong"),
        (KEY, PASSPHRASE, FormatError, "with a key"),
        (PASSPHRASE, KEY, FormatError, "with a passphrase"),
    ],
)
def test_wrong_secret(right: Secret, wrong: Secret, error: type[Exception], match: str) -> None:
    out = io.BytesIO()
    with pytest.raises(error, match=match):
        unseal(io.BytesIO(sealed(b"abc", secret=right)), out, wrong)
    assert not out.getvalue()


def test_answer_says_where_the_file_is_broken() -> None:
    file = bytearray(sealed(bytes(40)))
    file[HEADER_BYTES + FULL] ^= 1
    assert str(refused(bytes(file), bytes(40))).startswith(
        f"the container was changed at byte {HEADER_BYTES + FULL} or after"
    )
    whole = sealed(bytes(40))
    assert "was changed or cut short at byte 168" in str(refused(whole[:-1], bytes(40)))


class Trickle(io.RawIOBase):
    """A pipe: gives and takes a few bytes at a time."""

    def __init__(self, data: bytes = b"") -> None:
        self.data, self.at, self.turn = bytearray(data), 0, 0

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def step(self) -> int:
        self.turn += 1
        return 1 + self.turn % 7

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = min(self.step(), len(buffer), len(self.data) - self.at)
        buffer[:size] = self.data[self.at : self.at + size]
        self.at += size
        return size

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        size = min(self.step(), len(data))
        self.data += data[:size]
        return size


def test_pipes_with_short_reads_and_writes() -> None:
    plain, file, back, seen = os.urandom(1000), Trickle(), Trickle(), list[int]()
    seal(Trickle(plain), file, KEY, Options(chunk_bytes=64), seen.append)
    assert seen == [*range(64, 1000, 64), 1000]
    seen.clear()
    unseal(Trickle(bytes(file.data)), back, KEY, progress=seen.append)
    assert bytes(back.data) == plain
    assert seen == sorted(seen)
    assert seen[-1] == len(file.data)


def test_a_true_pipe_of_the_system() -> None:
    plain, back = os.urandom(200_000), io.BytesIO()
    far, near = os.pipe()
    with io.FileIO(far) as source, io.FileIO(near, "w") as sink:

        def write() -> None:
            seal(io.BytesIO(plain), sink, KEY, Options(chunk_bytes=4096))
            sink.close()

        writer = threading.Thread(target=write)
        writer.start()
        unseal(source, back, KEY)
        writer.join()
    assert back.getvalue() == plain


@pytest.fixture
def scrypt_runs(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The salts of all runs of scrypt."""
    runs, real = list[bytes](), Scrypt.derive

    def derive(self: Scrypt, passphrase: bytes, salt: bytes) -> bytes:
        runs.append(salt)
        return real(self, passphrase, salt)

    monkeypatch.setattr(Scrypt, "derive", derive)
    return runs


def test_many_files_run_scrypt_once_in_any_number_of_threads(scrypt_runs: list[bytes]) -> None:
    plains, files, backs = [os.urandom(50) for _ in range(16)], [b""] * 16, [b""] * 16

    def one(i: int, ring: Keyring, reads: bool) -> None:
        if reads:
            backs[i] = opened(files[i], ring)
        else:
            files[i] = sealed(plains[i], secret=ring)

    for reads in (False, True):
        with Keyring(PASSPHRASE) as ring:
            threads = [threading.Thread(target=one, args=(i, ring, reads)) for i in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert backs == plains
    assert len(scrypt_runs) == 2
    assert len({file[64:96] for file in files}) == 16  # commitments: every file has its own key


def test_a_ring_forgets_when_wiped(scrypt_runs: list[bytes]) -> None:
    ring = Keyring(PASSPHRASE)
    file = sealed(b"abc", secret=ring)
    kept = [*ring._masters.values()]
    ring.wipe()
    assert kept == [bytearray(32)]
    assert opened(file, ring) == b"abc"
    assert len(scrypt_runs) == 2


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (Options(mode="cbc"), "mode 'cbc'"),  # type: ignore[arg-type]
        (Options(key_bits=64), "64 bits"),
        (Options(chunk_bytes=100), "power of two"),
        (Options(chunk_bytes=8), "power of two"),
        (Options(chunk_bytes=1 << 23), "power of two"),
        (Options(core="nothing"), "core 'nothing'"),
    ],
)
def test_options_that_do_not_exist(options: Options, match: str) -> None:
    out = io.BytesIO()
    with pytest.raises(ValueError, match=match):
        seal(io.BytesIO(b"abc"), out, KEY, options)
    assert not out.getvalue()


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """tracemalloc sees every buffer of Python: two chunks, whatever the file's length."""
    path, out = tmp_path / "a", tmp_path / "b"
    path.write_bytes(bytes(20 << 20))
    for action in (seal, unseal):
        tracemalloc.start()
        with path.open("rb", buffering=0) as source, out.open("wb", buffering=0) as sink:
            action(source, sink, KEY)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        tracemalloc.stop()
        path, out = out, path

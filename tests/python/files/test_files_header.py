# SPDX-License-Identifier: MIT
"""The header of the container under any bytes, and the vectors of docs/file-format.md."""

import hashlib
import io
import re
import runpy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from independent_reader import read as independent_read
from places import ROOT

from aesfit.files import FormatError, KeyBytes, Passphrase, Scrypt, Secret, unseal
from aesfit.files.header import HEADER_BYTES, MAGIC, MODES, Header, pack, unpack
from aesfit.files.secret import MAX_SCRYPT_MEMORY, MAX_SCRYPT_WORK

VECTORS = (ROOT / "tests" / "vectors" / "container.txt").read_text(encoding="utf-8")
SPECIFICATION = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
HEADER = Header("gcm", 256, 1 << 17, Scrypt(), bytes(16), bytes(32))
COMMITMENT = bytes(range(32))


def with_digest(front: bytes) -> bytes:
    return front + hashlib.sha256(front).digest()[:8]


def changed(at: int, value: int, header: Header = HEADER) -> bytes:
    """A header with a changed byte and a correct digest."""
    front = bytearray(pack(header, COMMITMENT)[:-8])
    front[at] = value
    return with_digest(bytes(front))


costs = st.tuples(st.integers(1, 63), st.integers(1, 255), st.integers(1, 255)).filter(
    lambda c: (
        128 * c[1] << c[0] <= MAX_SCRYPT_MEMORY
        and c[1] * c[2] << c[0] <= MAX_SCRYPT_WORK
        and c[0] < 16 * c[1]
    )
)
headers = st.builds(
    Header,
    st.sampled_from(MODES),
    st.sampled_from([128, 192, 256]),
    st.integers(4, 22).map(lambda log: 1 << log),
    st.none() | costs.map(lambda cost: Scrypt(*cost)),
    st.binary(min_size=16, max_size=16),
    st.binary(min_size=32, max_size=32),
)


@given(headers, st.binary(min_size=32, max_size=32))
def test_packed_headers_come_back(header: Header, commitment: bytes) -> None:
    data = pack(header, commitment)
    assert len(data) == HEADER_BYTES
    assert unpack(data) == (header, commitment)


def survives(data: bytes) -> None:
    """Read and written again the same, or refused in one sentence."""
    try:
        answer = pack(*unpack(data))
    except FormatError as error:
        answer = data if re.fullmatch(r".{10,120}", str(error)) else b""
    assert answer == data


@given(st.binary(max_size=2 * HEADER_BYTES))
def test_any_bytes(data: bytes) -> None:
    survives(data[:HEADER_BYTES])


@given(st.binary(max_size=HEADER_BYTES))
def test_any_bytes_after_the_magic(data: bytes) -> None:
    survives((MAGIC + b"\x01" + data)[:HEADER_BYTES])


@given(st.binary(min_size=87, max_size=87))
def test_any_fields_under_a_right_digest(data: bytes) -> None:
    survives(with_digest(MAGIC + b"\x01" + data))


@given(headers, st.lists(st.tuples(st.integers(8, 95), st.integers(0, 255)), max_size=4))
def test_fields_changed_under_a_right_digest(
    header: Header, changes: list[tuple[int, int]]
) -> None:
    front = bytearray(pack(header, COMMITMENT)[:-8])
    for at, value in changes:
        front[at] = value
    survives(with_digest(bytes(front)))


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"", "is empty"),
        (b"Salted__" + bytes(200), "not an aesfit container"),
        (MAGIC[:3], "cut short: 3 bytes"),
        (pack(HEADER, COMMITMENT)[:-1], "cut short: 103 bytes"),
        (changed(8, 2), "version 2; this aesfit reads 1"),
        (changed(9, 3), "unknown mode, 3"),
        (changed(10, 17), "136 bits"),
        (changed(11, 3), "unknown source of keys, 3"),
        (changed(12, 3), r"chunks of 2\^3 bytes"),
        (changed(12, 23), r"chunks of 2\^23 bytes"),
        (changed(13, 0), "log2 N of 1 to 63"),
        (changed(13, 19), "512 MiB of memory here; aesfit allows 256"),
        (changed(15, 255), "units of work"),
        (changed(13, 5, replace(HEADER, scrypt=None)), "has a cost of scrypt, but"),
        (pack(HEADER, COMMITMENT)[:-1] + b"\x00", "header is damaged"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, match: str) -> None:
    sink = io.BytesIO()
    with pytest.raises(FormatError, match=match):
        unseal(io.BytesIO(data), sink, Passphrase(b"x"))
    assert not sink.getvalue()


def records() -> list[dict[str, bytes]]:
    blocks = VECTORS.split("\n\n")[1:]
    pairs = [[line.partition(" ") for line in block.splitlines()] for block in blocks]
    return [{name: bytes.fromhex(value) for name, _, value in block} for block in pairs]


def test_vectors_are_what_the_tool_makes() -> None:
    assert runpy.run_path(str(ROOT / "tools" / "make_container_vectors.py"))["render"]() == VECTORS


@pytest.mark.parametrize("record", records(), ids=lambda record: record["header"][9:13].hex())
def test_vectors_open_in_both_readers(record: dict[str, bytes]) -> None:
    by_passphrase = "passphrase" in record
    value = record["passphrase" if by_passphrase else "key"]
    secret: Secret = Passphrase(value) if by_passphrase else KeyBytes(value)
    file, plain, sink = record["header"] + record["chunks"], record.get("plain", b""), io.BytesIO()
    unseal(io.BytesIO(file), sink, secret)
    assert sink.getvalue() == plain
    assert independent_read(file, value, by_passphrase) == plain


def test_specification_prints_the_first_vector() -> None:
    block = SPECIFICATION.split("The smallest vector", 1)[1].split("```")[1]
    hexadecimal = "".join(
        re.sub(r"\s", "", re.split(r"  +[a-z]", line)[0]) for line in block.splitlines()
    )
    first = records()[0]
    assert hexadecimal == (first["header"] + first["chunks"]).hex()

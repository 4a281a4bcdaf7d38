# SPDX-License-Identifier: MIT
"""Every shape of shapes*.c computes its function; the search finds what is nearest."""

import subprocess
from ctypes import CDLL, c_int, c_ubyte
from pathlib import Path

import pytest

from aesfit.proving.fips197 import sbox
from aesfit_papers.images import program_sizes
from aesfit_papers.instruction_counts.shapes import (
    OPTIMISED,
    PLAIN,
    by_columns,
    by_rows,
    constants,
    source,
)
from aesfit_papers.judging import program
from aesfit_papers.judging.contract import Row

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
LAST_KEY = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")
"""FIPS 197, appendix A.1: the key, and the last of its round keys."""
STARTED = bytes.fromhex("193de3bea0f4e22b9ac68d2ae9f84808")
SUBSTITUTED = bytes.fromhex("d42711aee0bf98f1b8b45de51e415230")
SHIFTED = bytes.fromhex("d4bf5d30e0b452aeb84111f11e2798e5")
MIXED = bytes.fromhex("046681e5e0cb199a48f8d37a2806264c")
"""Appendix B, round 1."""
EVERY = sorted(
    {shape for shapes in (PLAIN, OPTIMISED) for some in shapes.values() for shape in some}
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    folder = tmp_path_factory.mktemp("shapes")
    Path(folder, "shapes.c").write_text(f"{source()}\n{constants()}\n", encoding="utf-8")
    command = ["gcc", "-O1", "-shared", "-fPIC", "-o", "shapes.so", "shapes.c"]
    subprocess.run(command, cwd=folder, check=True)
    return CDLL(str(folder / "shapes.so"))


def state(block: bytes) -> bytearray:
    return bytearray(by_rows(block))


def called(function: object, rows: bytearray, *more: object) -> bytes:
    held = (c_ubyte * len(rows)).from_buffer(rows)
    function(held, *more)  # type: ignore[operator]
    return bytes(rows)


@pytest.mark.parametrize("name", [one for one in EVERY if not one.startswith("keys")])
def test_a_shape_is_its_function(built: CDLL, name: str) -> None:
    function, kind = getattr(built, name), name.partition("_")[0]
    if kind == "add":
        rows = (bytearray(range(16)), bytearray(KEY)) if name == "add_bytes" else (
            state(bytes(range(16))), state(KEY))  # fmt: skip
        key = (c_ubyte * len(rows[1])).from_buffer(rows[1])
        found = called(function, rows[0], key, c_int(4))
        whole = found if name == "add_bytes" else by_columns(found)
        assert whole == bytes(a ^ b for a, b in zip(range(16), KEY, strict=True))
    elif kind == "sub":
        box = (c_ubyte * 256)(*sbox())
        rows_ = bytearray(STARTED) if name == "sub_bytes" else state(STARTED)
        found = called(function, rows_, box, c_int(4))
        assert (found if name == "sub_bytes" else by_columns(found)) == SUBSTITUTED
    elif kind == "shift":
        start, wanted = (SHIFTED, SUBSTITUTED) if "inv" in name else (SUBSTITUTED, SHIFTED)
        directed = (c_int(0), c_int(4)) if name in ("shift_both", "shift_branched") else (c_int(4),)
        assert by_columns(called(function, state(start), *directed)) == wanted
    else:
        start, wanted = (MIXED, SHIFTED) if kind == "inv" else (SHIFTED, MIXED)
        assert by_columns(called(function, state(start), c_int(4))) == wanted


@pytest.mark.parametrize("name", ["shift_both", "shift_branched"])
def test_the_other_direction(built: CDLL, name: str) -> None:
    found = called(getattr(built, name), state(SHIFTED), c_int(1), c_int(4))
    assert by_columns(found) == SUBSTITUTED


@pytest.mark.parametrize("name", ["keys_working", "keys_written", "keys_standard"])
def test_key_expansion(built: CDLL, name: str) -> None:
    if name == "keys_standard":
        words = (c_ubyte * 240)()
        built.keys_standard((c_ubyte * 16)(*KEY), words, c_int(4), c_int(10))
        assert bytes(words[160:176]) == LAST_KEY
    else:
        keys = (c_ubyte * (15 * 32))()
        rows = (c_ubyte * 32).from_buffer(state(KEY))
        getattr(built, name)(rows, c_int(4), c_int(4), c_int(10), keys)
        assert by_columns(bytes(keys[320:352])) == LAST_KEY


def test_the_search_finds_a_program_by_its_sizes() -> None:
    level, shapes = list(program.programs("-Os"))[-1]
    rows: list[Row] = [
        {"flags": flags, "form": form, "function": function, "shape": shape, "published": 100,
         "bytes": 100 if flags == level and shapes[form, function] == shape else 150}
        for flags in program.LEVELS
        for form, (every, _) in program.FORMS.items()
        for function, some in every.items()
        for shape in some
    ]  # fmt: skip
    found = program.ranked(rows)
    assert found[0] == (0.0, (level, shapes))
    assert found[1][0] > 0
    assert program_sizes._sure(found).startswith("Of 8,640 programs 1 agree as well")
    assert program_sizes.claims(rows) == []

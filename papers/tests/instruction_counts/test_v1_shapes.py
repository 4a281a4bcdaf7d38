# SPDX-License-Identifier: MIT
"""Every shape of V1 computes FIPS 197; the search finds what is nearest by cycles."""

import subprocess
from ctypes import CDLL, c_ubyte
from pathlib import Path

import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.instruction_counts import v1_shapes
from aesfit_papers.instruction_counts.v1_shapes import BLOCKS, KEYS, V1Run, source
from aesfit_papers.judging.contract import Row, Words
from aesfit_papers.mobile import program_cycles

KEY = bytes.fromhex("000102030405060708090a0b0c0d0e0f1011121314151617")
LAST = {
    4: "13111d7fe3944a17f307a78b4d2b30c5",
    6: "a4970a331a78dc09c418c271e3a41d5d",
}
"""FIPS 197, appendix C: the last round keys of 128 and of 192 bits."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    folder = tmp_path_factory.mktemp("v1")
    text = source().replace("externally_visible", "used")
    Path(folder, "v1.c").write_text(text, encoding="utf-8")
    command = ["gcc", "-O1", "-shared", "-fPIC", "-o", "v1.so", "v1.c"]
    subprocess.run(command, cwd=folder, check=True)
    return CDLL(str(folder / "v1.so"))


def expanded(built: CDLL, shape: str, words: int) -> bytes:
    """The round keys by columns."""
    rows = (c_ubyte * 256)()
    getattr(built, f"keys_{shape}")(rows, (c_ubyte * 24)(*KEY), words)
    many = 16 * (words + 7)
    return bytes(rows[at - at % 16 + 4 * (at % 4) + at % 16 // 4] for at in range(many))


@pytest.mark.parametrize("shape", KEYS)
def test_round_keys(built: CDLL, shape: str) -> None:
    every = "_all_" in shape or "_counted_" in shape
    for words in (4, 6) if every else (4,):
        keys = expanded(built, shape, words)
        assert keys[: 4 * words] == KEY[: 4 * words]
        assert keys[-16:].hex() == LAST[words]


def test_blocks(built: CDLL) -> None:
    keys = (c_ubyte * 176)()
    built.keys_rows_bytes(keys, (c_ubyte * 16)(*KEY[:16]), 4)
    block = (c_ubyte * 16)(*bytes.fromhex("00112233445566778899aabbccddeeff"))
    assert len(BLOCKS) == 3 * 2**4
    for shape in BLOCKS:
        out = (c_ubyte * 16)()
        getattr(built, f"block_{shape}")(out, block, keys)
        assert bytes(out).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a", shape


def test_a_shape_that_computes_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(v1_shapes, "BLOCKS", ("mask_sum_inlined_loops_bytes",))
    monkeypatch.setattr(v1_shapes, "XTIMES", {"mask": "((x) << 1)"})
    run = V1Run(platform_named("arm7tdmi"))
    assert run.keys("rows_bytes") > 0
    with pytest.raises(WrongOutputError, match="mask_sum_inlined_loops_bytes on arm7tdmi"):
        run.block("mask_sum_inlined_loops_bytes")


def test_the_search_finds_a_program_by_its_cycles() -> None:
    cycles = {"block": (1200, 2400), "key schedule": (1590, 900)}
    rows: list[Row] = [
        {"flags": level, "function": function, "shape": f"shape {at}", "cycles": one * slower,
         "final": 323 if function == "block" else 120}
        for level, slower in (("-Os", 2), ("-O2", 1))
        for function, some in cycles.items() for at, one in enumerate(some)
    ]  # fmt: skip
    found = program_cycles.ranked(rows)
    assert len(found) == 2 * 2 * 2
    distance, program, ratios = found[0]
    assert (distance, program) == (0.0, ("-O2", "shape 0", "shape 0"))
    assert ratios == pytest.approx((1200 / 323, 1590 / 323, 1590 / 120))
    assert found[1][0] > 0
    _, sure, three, follows = program_cycles.render(rows)
    assert isinstance(sure, Words)
    assert sure.text.startswith("Of 8 programs 1 agree as well")
    assert isinstance(three, Words)
    assert three.text.startswith("Of 4 formulations of V1 at levels that optimise")
    assert program_cycles.three_times(rows) == (4, 4, 4)
    assert isinstance(follows, Words)
    assert program_cycles.claims(rows) == []

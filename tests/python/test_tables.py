# SPDX-License-Identifier: MIT
"""The checked-in constant tables are what tools/make_tables.py computes."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "lib" / "src" / "parts" / "tables"


def test_regenerated_headers_equal_the_checked_in_ones() -> None:
    script = runpy.run_path(str(ROOT / "tools" / "make_tables.py"))
    made = {
        name: script["render"](name, comment, arrays)
        for name, (comment, arrays) in script["tables"]().items()
    }
    claimed = {
        path.name: path.read_text(encoding="utf-8")
        for path in TABLES.glob("*.h")
        if "Made by tools/make_tables.py" in path.read_text(encoding="utf-8")
    }
    assert made == claimed


def test_known_entries() -> None:
    """Against FIPS 197 itself: figure 7, and the product of example 4.2.1, 57 times 13 is fe."""
    sbox = _array("sbox.h", "sbox")
    assert [sbox[0x00], sbox[0x53], sbox[0xFF]] == [0x63, 0xED, 0x16]
    inv_sbox = _array("inv_sbox.h", "inv_sbox")
    assert all(inv_sbox[sbox[x]] == x for x in range(256))
    double = _array("mul2.h", "mul2")
    assert 0x57 ^ double[0x57] ^ double[double[double[double[0x57]]]] == 0xFE


def _array(header: str, name: str) -> list[int]:
    text = (TABLES / header).read_text(encoding="utf-8")
    found = re.search(rf"\b{name}\[256\] = {{(.*?)}};", text, re.DOTALL)
    assert found is not None
    return [int(cell, 16) for cell in re.findall(r"0x[0-9a-f]+", found[1])]

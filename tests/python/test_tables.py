# SPDX-License-Identifier: MIT
"""The checked-in constant tables are what tools/make_tables.py computes."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "lib" / "src" / "parts"
SCRIPT = ROOT / "tools" / "make_tables.py"


def test_regenerated_headers_equal_the_checked_in_ones(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    claimed = sorted(
        path.name
        for path in PARTS.glob("*.h")
        if "Made by tools/make_tables.py" in path.read_text(encoding="utf-8")
    )
    assert made == claimed
    for name in made:
        assert (tmp_path / name).read_bytes() == (PARTS / name).read_bytes(), name


def test_known_entries() -> None:
    """Against FIPS 197 itself: figure 7, and the product of example 4.2.1, 57 times 13 is fe."""
    sbox = _array("sbox.h", "sbox")
    assert [sbox[0x00], sbox[0x53], sbox[0xFF]] == [0x63, 0xED, 0x16]
    inv_sbox = _array("inv_sbox.h", "inv_sbox")
    assert all(inv_sbox[sbox[x]] == x for x in range(256))
    double = _array("products.h", "mul2")
    assert 0x57 ^ double[0x57] ^ double[double[double[double[0x57]]]] == 0xFE


def _array(header: str, name: str) -> list[int]:
    text = (PARTS / header).read_text(encoding="utf-8")
    found = re.search(rf"\b{name}\[256\] = {{(.*?)}};", text, re.DOTALL)
    assert found is not None
    return [int(cell, 16) for cell in re.findall(r"0x[0-9a-f]+", found[1])]

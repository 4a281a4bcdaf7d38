# SPDX-License-Identifier: MIT
"""The checked-in constant tables are what tools/make_tables.py computes, and hold what they say."""

import re
import runpy
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

TABLES = ROOT / "lib" / "src" / "parts" / "tables"
_ARRAY = re.compile(r"^static const uint(?:8|32)_t (\w+)\[(\d+)\] =", re.MULTILINE)


def script() -> Mapping[str, Any]:
    """What make_tables.py defines."""
    return runpy.run_path(str(ROOT / "tools" / "make_tables.py"))


def test_regenerated_headers_equal_the_checked_in_ones() -> None:
    claimed = {
        path.name: path.read_text(encoding="utf-8")
        for path in TABLES.glob("*.h")
        if "Made by tools/make_tables.py" in path.read_text(encoding="utf-8")
    }
    assert script()["headers"]() == claimed
    assert {path.name for path in TABLES.iterdir()} - {*claimed} == {"table_entry.h"}


def test_known_entries() -> None:
    """Against FIPS 197 itself: figure 7, and the product of example 4.2.1, 57 times 13 is fe."""
    sbox = tables()["sbox"]
    assert [sbox[0x00], sbox[0x53], sbox[0xFF]] == [0x63, 0xED, 0x16]
    assert all(tables()["inv_sbox"][sbox[x]] == x for x in range(256))
    double = tables()["mul2"]
    assert 0x57 ^ double[0x57] ^ double[double[double[double[0x57]]]] == 0xFE


@pytest.mark.parametrize(
    ("name", "column"),
    [("te", "encryption"), ("td", "decryption"), ("im", "inverse_mix")],
)
def test_tables_of_rows_are_columns_rotated(name: str, column: str) -> None:
    made = script()
    for row in range(4):
        columns = (made[column](x) for x in range(256))
        rotated = [made["word"]([*one[4 - row :], *one[: 4 - row]]) for one in columns]
        assert tables()[f"{name}{row}"] == rotated
        if row == 0 and name != "im":
            assert tables()[name] == rotated


@pytest.mark.parametrize(("name", "bytes_of"), [("te_last", "sbox"), ("td_last", "inv_sbox")])
def test_tables_of_the_last_round_hold_the_s_box(name: str, bytes_of: str) -> None:
    sbox = tables()[bytes_of]
    assert tables()[name] == sbox
    for row in range(4):
        assert tables()[f"{name}{row}"] == [byte << 8 * row for byte in sbox]


@cache
def tables() -> Mapping[str, list[int]]:
    """Every table by name, as the compiler sees it."""
    headers = sorted(path.name for path in TABLES.glob("*.h"))
    text = "".join((TABLES / name).read_text(encoding="utf-8") for name in headers)
    names = [name for name, _ in _ARRAY.findall(text)]
    prints = "".join(
        f'printf("{name}"); for (int i = 0; i < (int)(sizeof {name} / sizeof *{name}); i++) '
        f'printf(" %u", (unsigned){name}[i]); puts("");\n'
        for name in names
    )
    includes = "".join(f'#include "{name}"\n' for name in headers)
    source = f"#include <stdio.h>\n{includes}int main(void) {{\n{prints}}}\n"
    return {
        name: [int(entry) for entry in entries]
        for name, *entries in map(str.split, _run(source).splitlines())
    }


def _run(source: str) -> str:
    """What a C program prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        subprocess.run(
            ["cc", "-x", "c", "-", "-I", TABLES, "-o", program],
            input=source,
            text=True,
            check=True,
        )
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout

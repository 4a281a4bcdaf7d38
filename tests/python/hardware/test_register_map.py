# SPDX-License-Identifier: MIT
"""One source gives the page of the registers, the driver's header and the Verilog header."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from axil import MAP, SOURCE
from places import ROOT

from rtl import MAPS as MAKER
from rtl import TOOLS

TEXT = SOURCE.read_text(encoding="utf-8")
MADE = MAKER.render(TEXT)
PAGE, HEADER, VERILOG = MADE


@pytest.mark.parametrize("name", MADE)
def test_files_are_those_of_the_map(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == MADE[name], (
        "run .venv/bin/python tools/make_register_map.py"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "changed"),
    [
        ("value = 8", "value = 16", {PAGE, HEADER, VERILOG}),
        ("reset = 0x00020100", "reset = 0x00020200", {PAGE, HEADER, VERILOG}),
        ('name = "erase"\nbits = [3, 3]', 'name = "erase"\nbits = [5, 5]', {*MADE}),
        ("bits = [11, 8]", "bits = [12, 9]", {PAGE, HEADER, VERILOG}),
        ('offset = 0x14\naccess = "write"', 'offset = 0x14\naccess = "both"', {*MADE}),
        ("no key is in expansion", "no key is half expanded", {PAGE, HEADER}),
    ],
)
def test_a_changed_map_changes_the_files(right: str, wrong: str, changed: set[str]) -> None:
    assert TEXT.count(right) == 1
    other = MAKER.render(TEXT.replace(right, wrong))
    assert {name for name in MADE if other[name] != MADE[name]} == changed


def test_every_register_and_field_is_in_every_file() -> None:
    page, header = MADE[PAGE], MADE[HEADER]
    for register in MAP.registers:
        name = register.name.upper()
        assert f"| {register.offset:02x} | {name} |" in page
        assert f"#define AES32_AXIL_{name} 0x{register.offset:02x}u\n" in header
        for field in register.fields:
            assert re.search(
                rf"^\| {field.high}( to {field.low})? \| {field.name.upper()} ", page, re.M
            )
            assert f"_{name}_{field.name.upper()} 0x{field.mask:08x}u\n" in header


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("offset = 0x14", "offset = 0x18", "offsets must be 0, 4, 8 and so on, in this order"),
        ("bits = [3, 3]\naccess", "bits = [2, 2]\naccess", "its bits belong to another field too"),
        ("bits = [3, 3]\naccess", "bits = [3, 4]\naccess", "bits must be [highest, lowest]"),
        ('access = "write-1"', 'access = "once"', "access must be one of both, read, write-1"),
        (
            'access = "constant"\nreset = 0x41455333',
            'access = "constant"',
            "has its value as reset",
        ),
        ('name = "data"', 'name = "key"', "two registers have the same name"),
        ('meaning = "changes when a fault is mended"', "", "a field of version needs meaning"),
        ('prefix = "AES32_AXIL"', 'prefix = "A"\nowner = "us"', "the map knows no owner"),
        ("reset = 0\n", "reset =\n", "Invalid value"),
        ("reset = 0\n", "reset = 0x1_0000_0000\n", "control: reset must be a whole number of at"),
        ("reset = 0\n", "reset = true\n", "control: reset must be a whole number of at most 32"),
        ("bits = [3, 3]\naccess", "bits = 3\naccess", "bits must be [highest, lowest]"),
        ("bits = [3, 3]\naccess", "bits = [3]\naccess", "bits must be [highest, lowest]"),
        ("bits = [3, 3]\naccess", 'bits = ["3", 3]\naccess', "bits must be [highest, lowest]"),
        ("offset = 0x14", "offset = 20.0", "data: offset must be a whole number of at most 32"),
        ("address_bits = 8", "address_bits = 4", "address_bits must be 3 to 32, and reach every"),
        ("address_bits = 8", "address_bits = 33", "address_bits must be 3 to 32"),
        ("value = 8", 'value = "8"', "fifo_words: value must be a whole number of at most 32"),
        ("value = 8", "", "fifo_words needs value"),
        ('name = "status"', "name = 4", "a register: name must be text"),
        ("[constants.fifo_words]\n", "[constants]\n", "value must be a table"),
    ],
)
def test_maps_that_make_no_sense(tmp_path: Path, right: str, wrong: str, sentence: str) -> None:
    """One sentence, exit code 2, and nothing is written."""
    assert right in TEXT
    (tmp_path / "rtl").mkdir()
    source = tmp_path / "rtl" / SOURCE.name
    source.write_text(TEXT.replace(right, wrong, 1), encoding="utf-8")
    command = [sys.executable, str(TOOLS / "make_register_map.py"), str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert sentence in said.stderr
    assert said.stderr.count("\n") == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [source]

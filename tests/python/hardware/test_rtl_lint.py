# SPDX-License-Identifier: MIT
"""Every Verilog module is free of lint: Verilator with all its warnings."""

import itertools
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made_once import files_sha256, made_once

from aesfit.building.tools import Tool, ToolFailedError, verilator
from aesfit.hardware.simulate import icarus, literal, modules
from aesfit.hardware.synthesis import headers, set_parameters
from aesfit.hardware.tools import RTL, yosys
from rtl import bench

MODULES = sorted(RTL.glob("*.v"))
LANGUAGE = ("--default-language", "1364-2005")
SBOXES = ("table", "logic", "composite")
PARAMETERS: dict[str, Sequence[int | str]] = {
    "CORES": (1, 2, 3, 4),
    "COLUMNS": (1, 4),
    "SBOX": ("column_table", *SBOXES),
    "KEY_EXPANSION": (0, 1),
    "DECRYPT": (0, 1),
    "ADDRESS_BITS": (2, 9),
    "WIDTH": (8, 32),
    "IN_LUTS": (0, 1),
    "BLANK": (0, 1),
    "STATE_IN_LUTS": (0, 1),
    "PAIRED": (0, 1),
    "COUNTER_BITS": (32, 64, 128),
    "ROW_REGISTER": (0, 1),
    "WIDE_PACKET": (0, 1),
    "DOUBLE": (0, 1),
    "SUB": (0, 1),
}
"""Values that are tried: all, where there are only so many."""
FEW: dict[str, Sequence[int | str]] = {
    "CORES": (1, 3),
    "SBOX": ("column_table",),
    "KEY_EXPANSION": (1,),
    "DECRYPT": (1,),
}
"""Where cores stand side by side: what is handed on to aes32 is tried there."""


def _checker() -> Tool:
    """Verilator without the Perl script around it, which takes as long as the check of a module."""
    script = verilator()
    return replace(script, command=(f"{script.command[0]}_bin",))


def lint(path: Path, *settings: str) -> None:
    """ToolFailedError with the complaints, if there are any; that there are none is kept."""
    arguments = ["--lint-only", "-Wall", *LANGUAGE, f"-I{RTL}", *settings]

    def make(target: Path) -> None:
        target.write_text(_checker().run([*arguments, path]), encoding="utf-8")

    read = files_sha256([path, *modules(path), *RTL.glob("*.vh")])
    made_once(".txt", make, "lint", verilator().version, arguments, read, path.name)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.stem))
def test_modules(path: Path) -> None:
    lint(path)


def settings_of(path: Path) -> list[list[str]]:
    """Every combination of its parameters' values; FEW for cores side by side."""
    names = re.findall(
        r"^ +parameter (?:\[.*\] )?(\w+) += ", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    values = PARAMETERS | (FEW if "CORES" in names else {})
    if path.stem == "aes32_column_sbox":
        values["SBOX"] = SBOXES
    every = itertools.product(*(values[name] for name in names))
    return [[f"-G{name}={literal(n)}" for name, n in zip(names, one, strict=True)] for one in every]


CASES = [(path, one) for path in MODULES for one in settings_of(path) if one]


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    ("path", "settings"), CASES, ids=[" ".join([path.stem, *one]) for path, one in CASES]
)
def test_modules_with_every_setting(path: Path, settings: list[str]) -> None:
    lint(path, *settings)


UNKNOWN = "column_table_or_table_or_logic_or_composite"


@pytest.mark.parametrize("value", ["", "tables", "Table", "x" * 40 + "logic"])
def test_an_sbox_that_is_none_is_refused(value: str) -> None:
    """The message names the values; a long string is cut, and must not become one of them."""
    with pytest.raises(ToolFailedError, match=UNKNOWN):
        icarus(bench("aes32_tb", SBOX=value))
    with pytest.raises(ToolFailedError, match=UNKNOWN):
        lint(RTL / "aes32.v", f"-GSBOX={literal(value)}", "-Wno-WIDTHTRUNC")


@pytest.mark.parametrize("bits", [0, 31, 96, 256])
def test_a_width_of_the_counter_that_is_none_is_refused(bits: int) -> None:
    with pytest.raises(ToolFailedError, match="COUNTER_BITS_must_be_32_or_64_or_128"):
        icarus(bench("aes_ctr_tb", COUNTER_BITS=bits))
    with pytest.raises(ToolFailedError, match="COUNTER_BITS_must_be_32_or_64_or_128"):
        lint(RTL / "aes_ctr.v", f"-GCOUNTER_BITS={bits}")


@pytest.mark.slow
def test_yosys_refuses_an_sbox_that_is_none(tmp_path: Path) -> None:
    sources = modules(RTL / "aes32.v")
    for path in (*sources, *headers()):  # Yosys sees no absolute path below /tmp
        shutil.copy(path, tmp_path)
    read = "read_verilog " + " ".join(path.name for path in sources)
    settings = set_parameters("aes32", {"SBOX": "tables"})
    commands = [read, *settings, "hierarchy -check -top aes32"]
    with pytest.raises(ToolFailedError, match=UNKNOWN):
        yosys().run(["-q", "-p", "; ".join(commands)], tmp_path)


def test_an_undeclared_name_is_no_wire() -> None:
    """In every file, and as Verilog has it again after its end."""
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert re.search(r"^`default_nettype none\n\nmodule ", text, re.MULTILINE), path.name
        assert re.search(r"\nendmodule\n+`default_nettype wire\n$", text), path.name


def test_every_module_has_a_prefix() -> None:
    """So that none of a user's design has its name."""
    names = [path.name for path in RTL.glob("*.v*")]
    assert [name for name in names if not name.startswith(("aes", "pcpi_aes", "pcpi_zkn"))] == []


def test_lines_have_100_columns() -> None:
    """As those of C and Python."""
    lines = [(path.name, line) for path in MODULES for line in path.read_text("utf-8").split("\n")]
    assert [(name, line) for name, line in lines if len(line) > 100] == []


def test_waivers_are_few_and_justified() -> None:
    """A waiver stands under a comment that says why."""
    for path in RTL.glob("*.v"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in itertools.pairwise(lines):
            if "verilator lint_off" in line:
                assert above.strip().startswith("//"), f"{path.name}: {line}"

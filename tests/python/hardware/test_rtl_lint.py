# SPDX-License-Identifier: MIT
"""Every Verilog module is free of lint: Verilator with all its warnings."""

import itertools
import re
from pathlib import Path

import pytest

from aesfit.building.tools import verilator
from aesfit.hardware.tools import RTL

MODULES = sorted(RTL.glob("*.v"))
LANGUAGE = ("--default-language", "1364-2005")
PARAMETERS = {
    "CORES": (1, 2, 3, 4),
    "COLUMN": range(4),
    "SBOX": range(3),
    "KEY_EXPANSION": (0, 1),
    "DECRYPT": (0, 1),
    "ADDRESS_BITS": (2, 9),
    "WIDTH": (8, 32),
    "IN_LUTS": (0, 1),
    "BLANK": (0, 1),
    "STATE_IN_LUTS": (0, 1),
    "PAIRED": (0, 1),
}
"""Values that are tried: all, where there are only so many."""
FEW = {"CORES": (1, 3), "COLUMN": (0,), "KEY_EXPANSION": (1,), "DECRYPT": (1,)}
"""Where cores stand side by side: what is handed on to aes32 is tried there."""


def lint(path: Path, *settings: str) -> None:
    """ToolFailedError with the complaints, if there are any."""
    verilator().run(["--lint-only", "-Wall", *LANGUAGE, f"-I{RTL}", *settings, path])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.stem))
def test_modules(path: Path) -> None:
    lint(path)


def settings_of(path: Path) -> list[list[str]]:
    """Every combination of its parameters' values; FEW for cores side by side."""
    names = re.findall(r"^ +parameter (\w+) = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    values = PARAMETERS | (FEW if "CORES" in names else {})
    every = itertools.product(*(values[name] for name in names))
    return [[f"-G{name}={n}" for name, n in zip(names, one, strict=True)] for one in every]


CASES = [(path, one) for path in MODULES for one in settings_of(path) if one]


@pytest.mark.parametrize(
    ("path", "settings"), CASES, ids=[" ".join([path.stem, *one]) for path, one in CASES]
)
def test_modules_with_every_setting(path: Path, settings: list[str]) -> None:
    lint(path, *settings)


def test_waivers_are_few_and_justified() -> None:
    """A waiver stands under a comment that says why."""
    for path in RTL.glob("*.v"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in itertools.pairwise(lines):
            if "verilator lint_off" in line:
                assert above.strip().startswith("//"), f"{path.name}: {line}"

# SPDX-License-Identifier: MIT
"""Every Verilog module is free of lint: Verilator with all its warnings."""

import itertools
from pathlib import Path

import pytest

from aesfit.hardware.tools import RTL, verilator

LANGUAGE = ("--default-language", "1364-2005")
SETTINGS = [
    [f"-GCOLUMN={column}", f"-GKEY_EXPANSION={expansion}", f"-GDECRYPT={decrypt}"]
    for column, expansion, decrypt in itertools.product(range(4), (0, 1), (0, 1))
]


def lint(path: Path, *settings: str) -> None:
    """ToolFailedError with the complaints, if there are any."""
    verilator().run(["--lint-only", "-Wall", *LANGUAGE, f"-I{RTL}", *settings, path])


@pytest.mark.parametrize("path", sorted(RTL.glob("*.v")), ids=lambda path: str(path.stem))
def test_modules(path: Path) -> None:
    lint(path)


@pytest.mark.parametrize("settings", SETTINGS, ids=" ".join)
def test_aes32_with_every_setting(settings: list[str]) -> None:
    lint(RTL / "aes32.v", *settings)


def test_waivers_are_few_and_justified() -> None:
    """A waiver stands under a comment that says why."""
    for path in RTL.glob("*.v"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for above, line in itertools.pairwise(lines):
            if "verilator lint_off" in line:
                assert above.strip().startswith("//"), f"{path.name}: {line}"

# SPDX-License-Identifier: MIT
"""Without the optional packages: what works works, the rest says how to get them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

OPTIONAL = ("capstone", "elftools", "matplotlib", "unicorn")
WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({OPTIONAL}))  # None: such an import fails
from aesfit.cli import main
main()
"""
INSTALL = "pip install 'aesfit[rig]'\n"


def bare(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["cores"], ["platforms"], ["count", "--help"], ["fit", "--help"]],
    ids=" ".join,
)
def test_what_needs_no_extra_works(arguments: list[str]) -> None:
    done = bare(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


def test_platforms_say_what_is_missing() -> None:
    for one in json.loads(bare("platforms", "--json").stdout):
        assert not one["available"]
        if one["rig"] != "published":
            assert one["why_not"].endswith(INSTALL.strip())


@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", "--platform", "cortex-m3"],
        ["measure", "--platform", "x86-64"],
        ["fit", "--platform", "rv32i"],
        ["fit", "--platform", "x86-64"],
        ["fit", "--platform", "x86-64", "--plot", "a.png"],
        ["fit", "--platform", "x86-64", "--html", "a.html"],
        ["count", "--platform", "cortex-m3", "--elf", "a.o", "--function", "f"],
    ],
    ids=" ".join,
)
def test_the_rest_names_the_command_that_helps(arguments: list[str], tmp_path: Path) -> None:
    done = bare(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("aesfit: ")
    assert done.stderr.endswith(INSTALL)
    assert done.stderr.count("\n") == 1

# SPDX-License-Identifier: MIT
"""The modules of examples/litex without LiteX: ports, and what is said where it is missing.

Its system runs in LiteX's simulator with test_examples.py and --slow.
"""

import re
import subprocess
import sys

import pytest
from places import ROOT

from aesfit.hardware.tools import RTL

EXAMPLE = ROOT / "examples" / "litex"
_PORT = re.compile(r"^ +(input|output) +(?:wire|reg) +(?:\[.*?\] )? *(\w+),?$", re.MULTILINE)
_TIED = re.compile(r"^ +([io])_(\w+)=", re.MULTILINE)


def ports(top: str) -> set[tuple[str, str]]:
    """Direction, i or o, and name."""
    header = (RTL / f"{top}.v").read_text(encoding="utf-8").split(");\n")[0]
    return {(way[0], name) for way, name in _PORT.findall(header)}


@pytest.mark.parametrize("top", ["aes32_axil", "aes_ccm_axis"])
def test_every_port_is_connected(top: str) -> None:
    text = (EXAMPLE / "aesfit_litex.py").read_text(encoding="utf-8")
    instance = text.split(f'"{top}",')[1].split("\n        )")[0]
    assert len(ports(top)) > 15
    assert set(_TIED.findall(instance)) == ports(top)


def test_what_is_missing_is_named() -> None:
    """Without any package that is installed."""
    said = subprocess.run(
        [sys.executable, "-I", "-S", EXAMPLE / "simulate.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    wanted = "the Python package litex is missing; install it with: pip install -r requirements.txt"
    assert said.stderr == f"simulate.py: {wanted}\n"

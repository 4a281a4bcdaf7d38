# SPDX-License-Identifier: MIT
"""The timing diagrams of rtl/README.md show what happens in a simulation."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from aesfit.hardware.tools import RTL
from rtl import TOOLS, script

MAKER = script("make_timing_diagrams")
README = (RTL / "README.md").read_text(encoding="utf-8")


DIAGRAMS = {one.name: one for one in MAKER.DIAGRAMS}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_diagram_is_what_happens(name: str) -> None:
    drawn = MAKER.draw(DIAGRAMS[name])
    assert f"{MAKER.MARK.format(name)}{drawn}```\n" in README, (
        f"run .venv/bin/python tools/make_timing_diagrams.py\n{drawn}"
    )


def test_every_diagram_is_drawn() -> None:
    """None is typed by hand."""
    marked = re.findall(r"<!-- diagram: (.+) -->\n```\n", README)
    assert sorted(marked) == sorted(DIAGRAMS)
    assert README.count("```\ncycle ") == len(marked)


@pytest.mark.parametrize("script_name", ["make_timing_diagrams", "bench_vectors"])
def test_a_place_that_is_not_there(tmp_path: Path, script_name: str) -> None:
    """One sentence names it."""
    missing = tmp_path / "missing"
    command = [sys.executable, str(TOOLS / f"{script_name}.py"), str(missing)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith(str(missing))
    assert said.stderr.endswith(": No such file or directory\n")
    assert said.stderr.count("\n") == 1

# SPDX-License-Identifier: MIT
"""The timing diagrams of rtl/README.md show what happens in a simulation."""

import re

import pytest

from aesfit.hardware.tools import RTL
from rtl import script

script("make_register_map")  # which the other imports
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

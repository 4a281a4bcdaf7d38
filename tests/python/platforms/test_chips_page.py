# SPDX-License-Identifier: MIT
"""The page on the chips is what its tool writes."""

import runpy
from typing import Any

import pytest
from places import ROOT

PAGE = ROOT / "docs" / "chips.md"


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    """What make_chips_page.py defines."""
    return runpy.run_path(str(ROOT / "tools" / "make_chips_page.py"))


def test_the_page_is_as_the_tool_writes_it(maker: dict[str, Any]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert maker["renewed"](page) == page, "run tools/make_chips_page.py"


def test_a_page_without_its_place_is_refused(maker: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"chips\.md has no place for the chips"):
        maker["renewed"]("# Chips\n")

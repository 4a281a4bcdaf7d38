# SPDX-License-Identifier: MIT
"""CITATION.cff agrees with the project."""

import re

from places import ROOT

import aesfit

CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def value(key: str) -> str:
    """Of a key at the top."""
    found = re.search(rf"^{key}: (.+)$", CITATION, re.MULTILINE)
    assert found, key
    return found[1]


def test_it_has_what_the_format_asks_for() -> None:
    assert value("cff-version") == "1.2.0"
    assert value("message")
    assert value("title")


def test_its_version_is_the_project_s() -> None:
    assert value("version") == aesfit.__version__


def test_its_authors_and_licence_are_those_of_the_licence() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith(f"{value('license')} License")
    named = re.search(r"^Copyright \(c\) \d+ (.+)$", licence, re.MULTILINE)
    assert named
    assert re.findall(r"^  - name: (.+)$", CITATION, re.MULTILINE) == [named[1]]

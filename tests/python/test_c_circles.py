# SPDX-License-Identifier: MIT
"""No two C files of a folder need each other, directly or through others."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from places import ROOT

FOLDERS = sorted(
    {
        path.parent
        for top in ("aesfit", "bench", "drivers", "lib/src")
        for path in (ROOT / top).rglob("*.c")
    }
)
_UNSAID = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_OWN = r"^(?!static\b|typedef\b|extern\b|_)\w"
_DEFINED = re.compile(_OWN + r"[\w \t*]*?(\w+)\([^;{}]*\)\s*\{", re.M)
_OBJECT = re.compile(_OWN + r"[\w ]*? \*?(\w+)(?:\[\w*\])? = \{", re.M)


def needs(folder: Path) -> dict[str, set[str]]:
    """By file, the other files of the folder that define what it names."""
    texts = {path.name: _UNSAID.sub(" ", path.read_text("utf-8")) for path in folder.glob("*.c")}
    owner = {
        name: file
        for file, text in texts.items()
        for name in (*_DEFINED.findall(text), *_OBJECT.findall(text))
        if name != "main"
    }
    return {
        file: {owner[word] for word in re.findall(r"\w+", text) if word in owner} - {file}
        for file, text in texts.items()
    }


def reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """All that a file needs, and what these need."""
    seen, left = set[str](), [start]
    while left:
        new = graph[left.pop()] - seen
        seen |= new
        left += new
    return seen


def circle(folder: Path) -> set[str]:
    """The files that need themselves through others."""
    graph = needs(folder)
    return {file for file in graph if file in reached(graph, file)}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_two_files_need_each_other(folder: Path) -> None:
    assert circle(folder) == set()


def test_a_circle_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int one(void)\n{\n    return three[0];\n}\n")
    (tmp_path / "two.c").write_text("int two(int a,\n        int b)\n{\n    return one();\n}\n")
    (tmp_path / "three.c").write_text("const int three[] = {1};\n")
    assert circle(tmp_path) == set()
    (tmp_path / "three.c").write_text("/* two */\nconst int three[] = {1};\n")
    assert circle(tmp_path) == set()
    (tmp_path / "three.c").write_text(
        "const int three[] = {1};\nint f(void) { return two(1, 2); }\n"
    )
    assert circle(tmp_path) == {"one.c", "two.c", "three.c"}

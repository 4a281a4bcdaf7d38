# SPDX-License-Identifier: MIT
"""The kinds of processor that the library and drop-ins are compiled for: tests/targets.txt."""

import shutil
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

LIST = ROOT / "tests" / "targets.txt"
Command = tuple[str, ...]


@cache
def commands(path: Path = LIST) -> dict[str, dict[str, Command]]:
    """By processor, by compiler ("gcc" or "clang"): the compiler, and what it is told."""
    found = defaultdict[str, dict[str, Command]](dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, words = line.partition(": ")
        command = tuple(words.split())
        found[name]["clang" if command[0] == "clang" else "gcc"] = command
    return dict(found)


def every() -> list[tuple[str, str]]:
    """Each kind of processor with each of its compilers."""
    return [(name, compiler) for name, found in commands().items() for compiler in found]


def installed(command: Command) -> list[str]:
    """The command; its compiler has to be there, so that a test covers the same everywhere."""
    if shutil.which(command[0]) is None:
        pytest.fail(f"{command[0]} is missing: tools/setup.sh test installs it")
    return list(command)

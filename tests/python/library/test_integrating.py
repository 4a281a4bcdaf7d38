# SPDX-License-Identifier: MIT
"""docs/integrating.md: its first example, with the library and with a drop-in, and its command.

What the guide says of each package is tried by the tests of that package.
"""

import re
import shlex
from pathlib import Path

from click.testing import CliRunner
from firmware_packages import GUIDE, LIB, run, snippet
from made_once import drop_in

from aesfit.cli import app
from aesfit.emitting.choice import DropInChoice

STRICT = ["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "example.c"]


def example() -> str:
    found = re.search(r"^```c\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_example_with_the_library(tmp_path: Path) -> None:
    (tmp_path / "example.c").write_text(example())
    run(*STRICT, f"-I{LIB / 'include'}", cwd=tmp_path)


def test_example_with_a_drop_in(tmp_path: Path) -> None:
    """Moving to a drop-in only changes include and prefix."""
    words = shlex.split(snippet("The drop-in", "sh"))
    core, mode = (words[words.index(option) + 1] for option in ("--core", "--mode"))
    for name, text in drop_in(DropInChoice(core=core, modes=(mode,))).items():
        (tmp_path / name).write_text(text)
    moved = example().replace("<aesfit.h>", '"fitaes.h"').replace("aesfit", "fitaes")
    (tmp_path / "example.c").write_text(moved.replace("AESFIT", "FITAES"))
    run(*STRICT, "fitaes.c", cwd=tmp_path)


def test_command_of_the_drop_in_has_such_options() -> None:
    command, verb, *words = shlex.split(snippet("The drop-in", "sh"))
    shown = CliRunner().invoke(app, [verb, "--help"]).output
    assert command == "aesfit"
    assert [word for word in words if word.startswith("-") and word not in shown] == []

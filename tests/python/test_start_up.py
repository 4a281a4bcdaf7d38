# SPDX-License-Identifier: MIT
"""What is imported when: a command waits for no module that it does not use."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from verb_help import summaries

from aesfit import cli

VERBS = (*cli.VERBS.verbs, *cli.VERBS.seconds)
MODULES = {verb: f"aesfit.cli.{verb.replace(' ', '_')}" for verb in VERBS}
RUN = """
import sys
from aesfit.cli import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported(code: str, *arguments: str) -> set[str]:
    """Modules that a new process has imported after that."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_the_package_is_light() -> None:
    found = imported("import aesfit, sys; print(*sys.modules, file=sys.stderr)")
    heavy = {"numpy", "click", "rich", "sqlite3", "subprocess", "multiprocessing", "asyncio"}
    assert not found & heavy
    own = {name for name in found if name.startswith("aesfit.")}
    assert own == set()


def test_the_list_of_verbs_imports_none() -> None:
    found = imported(RUN, "--help")
    assert "click" in found
    assert not found & {"numpy", "pydantic", "rich", "sqlite3", *MODULES.values()}


@pytest.mark.few(one_in=9)
@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb_imports_that_verb_alone(verb: str) -> None:
    assert imported(RUN, *verb.split(), "--help") & set(MODULES.values()) == {MODULES[verb]}


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_has_the_first_line_of_each_help(verb: str) -> None:
    group: Any = cli.VERBS.verb(verb)
    assert summaries(cli.VERBS)[verb] == group.help.splitlines()[0]


def test_plain_options_need_neither_validation_nor_drawing(tmp_path: Path) -> None:
    told = ("fit", "--platform", "arm7", "--mode", "ccm", "--bytes", "64", "--core", "compact")
    code = f"import os; os.environ['AESFIT_CACHE'] = {str(tmp_path)!r}\n{RUN}"
    done = subprocess.run(
        [sys.executable, "-c", code, *told], capture_output=True, text=True, check=False
    )
    assert "there is no platform 'arm7'" in done.stderr  # said once all options are read
    modules = done.stderr.splitlines()[-1].split()
    assert "aesfit.cli.fit" in modules
    assert not {"pydantic", "rich"} & set(modules)


def test_stored_rows_need_neither_emulator_nor_numpy() -> None:
    """The key of a row is made without them; what is not stored imports them then."""
    modules = "aesfit.cli.fit, aesfit.rigs.emulator.rig"
    found = imported(f"import sys, {modules}; print(*sys.modules, file=sys.stderr)")
    assert "aesfit.rigs.emulator.rig" in found
    unused = {"numpy", "elftools", "capstone", "unicorn", "rich.progress", "concurrent.futures"}
    assert not found & unused

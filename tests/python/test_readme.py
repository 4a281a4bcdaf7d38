# SPDX-License-Identifier: MIT
"""The README and the pages that it leads to tell the truth: examples run, tables are made."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT
from witness import tool

import aesfit
from aesfit.catalog import modes
from aesfit.choosing.usual import usual_answer
from aesfit.cli import app
from aesfit.platforms.find import platform_named

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_c_example(slow: bool, tmp_path: Path) -> None:
    """Compiled against the installed library, as a user would by pkg-config.

    In short runs the library holds what the example uses.
    """
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    configure: list[str | Path] = ["cmake", "-S", ROOT, "-B", build, "-DAESFIT_BUILD_TESTS=OFF"]
    configure += [] if slow else ["-DAESFIT_CORES=fixslice", "-DAESFIT_MODES=gcm"]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", build], check=True, capture_output=True)
    install: list[str | Path] = ["cmake", "--install", build, "--prefix", prefix]
    subprocess.run(install, check=True, capture_output=True)
    example = re.findall(r"```c\n(.*?)```", README, re.DOTALL)[0]
    (source := tmp_path / "example.c").write_text(example)
    folder = next(prefix.rglob("aesfit.pc")).parent
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "aesfit"],
        env=os.environ | {"PKG_CONFIG_PATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    subprocess.run(["cc", source, *flags, "-o", tmp_path / "example"], check=True)
    subprocess.run([tmp_path / "example"], check=True, capture_output=True)


def test_table_of_cores() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "cores.md").read_text(encoding="utf-8").splitlines()
        if re.match(r"\| `\w+` \|", line)
    ]
    listed = {row[0].strip("`"): row[1:] for row in rows}
    told = {
        core.name: [
            core.summary,
            f"{core.table_bytes} / {core.table_bytes_decrypt}",
            str(core.lanes),
            "on the fly" if core.on_the_fly_keys else "unrolled",
            "yes" if core.constant_time else "",
            "yes" if core.study else "",
        ]
        for core in aesfit.cores()
    }
    assert listed == told, "run tools/list_cores.py"


def test_short_and_with_the_numbers_of_cores_and_modes() -> None:
    """A newcomer reads it in a minute."""
    assert len(README.splitlines()) < 120
    assert f"{len(aesfit.cores())} cores behind" in README
    assert f" {len(modes())} modes from" in README


def test_winners_on_chips_are_those_of_fit(slow: bool) -> None:
    """In short runs on one chip, and among those that the table names."""
    winners = tool("make_winners")
    for chip in winners.CHIPS if slow else winners.CHIPS[2:3]:
        title = platform_named(chip).title
        shown = next(line for line in README.splitlines(True) if line.startswith(f"| {title} |"))
        named = None if slow else re.findall(r"`(\w+)`", shown)
        assert winners.line(chip, named) == shown, "run tools/make_winners.py"


def test_the_verdict_is_that_of_the_second_command(
    slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In short runs only if the atlas has it, for to measure all cores takes minutes."""
    if not slow and usual_answer("stm32f407", "ccm", 1504) is None:
        pytest.skip("the atlas has no current lines of ccm on stm32f407: make atlas")
    command, shown = re.findall(
        r"^\$ \.venv/bin/aesfit (fit .*?) +#.*?^```\n(Take .*?)^```$",
        README,
        re.MULTILINE | re.DOTALL,
    )[0]
    assert command == "fit --platform stm32f407 --mode ccm --bytes 1504"
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(app, command.split())
    assert done.exit_code == 0, done.output
    assert f"\n\n{shown}\n" in done.stdout, "put the verdict into README.md"


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = [
    (page.name, line.replace("\\\n", " "))
    for page in PAGES
    for line in re.findall(
        r"^\$ (?:\.venv/bin/)?aesfit ((?:.*\\\n)*.*)$",
        page.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
]


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_commands_have_the_options_that_pages_show(page: str, command: str) -> None:
    """Options are read before --help is obeyed, so that a wrong one is an error."""
    words = shlex.split(command, comments=True)
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0, f"{page}: aesfit {command}\n{done.output}"


def test_pages_show_commands() -> None:
    assert {page for page, _ in COMMANDS} >= {"README.md", "measuring.md"}

# SPDX-License-Identifier: MIT
"""`aesfit emit` as a user sees it: the printed commands work in any folder."""

import io
import json
import os
import platform
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.cli.console import Console


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def emit(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["emit", "--core", "compact", *arguments])


def refused(*arguments: str) -> str:
    result = emit(*arguments)
    assert result.exit_code == 2, result.output
    assert not list(Path().rglob("*.[ch]"))
    return " ".join(result.output.split())


@pytest.mark.parametrize("folder", ["fitaes", "our sources", "src/../aes"])
def test_the_next_command_compiles_from_here(folder: str) -> None:
    Path("src").mkdir()
    told = emit("--mode", "ctr", "-o", folder).output
    command = re.search(r"^next: (.*)$", told, re.MULTILINE)
    assert command
    subprocess.run(command[1], shell=True, check=True)
    assert Path("fitaes.o").exists()


def test_the_next_command_is_one_line_on_any_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    narrow = Console(shown, 40)
    monkeypatch.setattr("aesfit.cli.emit.console", lambda: narrow)
    assert emit("--mode", "ctr").exit_code == 0
    assert re.search(r"next: cc .* -c fitaes/fitaes\.c", shown.getvalue())
    assert max(map(len, shown.getvalue().split("next: ")[0].splitlines())) <= 40


def test_the_command_in_json_compiles_from_here() -> None:
    told = json.loads(emit("--mode", "ctr", "--json").output)
    subprocess.run(told["compile"], shell=True, check=True)
    assert Path("fitaes.o").exists()


def test_modes_may_come_one_by_one() -> None:
    told = json.loads(emit("--mode", "ctr", "--mode", "ccm,CTR", "--json").output)
    assert told["modes"] == ["ctr", "ccm"]
    assert "--mode ctr,ccm\n" in Path("fitaes/fitaes.c").read_text(encoding="utf-8")


@pytest.mark.parametrize("prefix", ["try"])
def test_a_prefix_that_the_source_uses_is_refused_as_any_other(prefix: str) -> None:
    assert "a name that the source has already" in refused("--mode", "ctr", "--prefix", prefix)


def test_bytes_of_a_message_that_is_not_measured_are_refused() -> None:
    assert "give --platform too" in refused("--mode", "ctr", "--bytes", "64")


def test_no_key_size_is_refused() -> None:
    assert "name at least one: 128, 192, 256" in refused("--mode", "ctr", "--key-bits", "")


@pytest.mark.parametrize(
    ("where", "core"),
    [
        ((), "fixslice"),
        (("--platform", "stm32f103"), "fixslice_4k_armv7m"),
        (("--platform", "rv32im-e31"), "fixslice_rv32"),
    ],
)
def test_without_a_core_it_is_that_of_the_library(where: tuple[str, ...], core: str) -> None:
    asked = ["emit", "--mode", "ctr", "--no-proof", *where]
    result = CliRunner().invoke(app, [*asked, "-o", "default", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["core"] == core
    assert emit("--mode", "ctr", "--no-proof", "--core", core, *where).exit_code == 0
    written = [Path(folder, "fitaes.c").read_text("utf-8") for folder in ("default", "fitaes")]
    assert written[0] == written[1]
    assert f"--core {core} " in written[0]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="times an x86")
def test_fit_on_this_computer_gives_the_same_bytes() -> None:
    texts = []
    for folder in ("one", "two"):
        asked = ("--mode", "ctr", "--bytes", "64", "--core", "compact", "--fresh")
        result = CliRunner().invoke(app, ["fit", *asked, "--emit", folder])
        assert result.exit_code == 0, result.output
        texts.append(Path(folder, "fitaes.c").read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "Take compact." in texts[0]
    assert "time-stamp cycles" not in texts[0]


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no file system in memory")
def test_a_folder_that_is_there_may_be_on_another_file_system() -> None:
    with TemporaryDirectory(dir="/dev/shm") as there:
        Path("link").symlink_to(there)
        result = emit("--mode", "ctr", "-o", "link", "--force")
        assert result.exit_code == 0, result
        assert {path.name for path in Path(there).iterdir()} == {"fitaes.c", "fitaes.h"}


def test_the_head_says_how_tables_get_into_ram() -> None:
    told = emit("--mode", "ctr", "--platform", "rv32im-e31").output
    top = Path("fitaes/fitaes.c").read_text(encoding="utf-8")
    found = re.search(r"\*fitaes\.o\((.*)\)\n", top)
    held = re.search(r"tables (\d+) bytes\.$", top, re.MULTILINE)
    assert found
    assert held
    assert f"fitaes_key 180 bytes, tables {held[1]} bytes" in told
    line = re.search(r"^next: (.*)$", told, re.MULTILINE)
    assert line
    subprocess.run(line[1], shell=True, check=True)
    sizes = subprocess.run(
        ["riscv64-unknown-elf-size", "-A", "fitaes.o"], capture_output=True, text=True, check=True
    ).stdout
    sections = dict(row.split()[:2] for row in sizes.splitlines() if row.startswith(".rodata."))
    assert sum(int(sections[name]) for name in found[1].split()) == int(held[1])

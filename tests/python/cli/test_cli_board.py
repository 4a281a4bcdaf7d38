# SPDX-License-Identifier: MIT
"""`aesfit board`, and verbs that take `board:NAME`, on boards replaced by QEMU."""

import json
import math
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from places import ROOT
from qemu_board import qemu_board
from stores import own_rows

from aesfit.cli import app
from aesfit.jobs.job import Placement
from aesfit.measuring import board_check
from aesfit.measuring.board_check import EVIDENCE, kept_tables, told_of
from aesfit.measuring.board_secrets import LIMIT, compared
from aesfit.platforms.find import platform_named
from aesfit.rigs.board.session import close_all
from aesfit.sweep.table import read

MCYCLE = ("--platform", "fe310", "--counter", "mcycle")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


@pytest.fixture
def silent_board() -> Iterator[None]:
    """A board in which nothing counts cycles."""
    with qemu_board("netduino2") as address:
        add(address, "--platform", "stm32f103")
        yield
        close_all()


@pytest.fixture
def counting_board() -> Iterator[None]:
    """A board whose mcycle counts instructions, and counts them alike in every run."""
    with qemu_board("sifive_e", "-icount", "shift=0") as address:
        add(address, *MCYCLE)
        yield
        close_all()


@pytest.fixture
def jobs_checked(monkeypatch: pytest.MonkeyPatch, slow: bool) -> int:
    """How many jobs `board check` runs: its own 20 if slow, else a block and messages of a core."""
    if slow:
        return 20
    monkeypatch.setattr(board_check, "_CORES", ("transposed",))
    monkeypatch.setattr(board_check, "_MESSAGE_CORES", ("transposed",))
    return 5


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def add(address: str, *words: str) -> None:
    patient = ("--leave", "halted", "--timeout", "100000")
    done = run("board", "add", "qemu", "--gdb", address, *words, *patient)
    assert done.exit_code == 0, done.output


def test_a_board_is_added_listed_and_removed() -> None:
    add("localhost:3333", "--platform", "stm32f407", "--ram", "0x20000000:16K", "--clock", "16MHz")
    (listed,) = json.loads(run("board", "list", "--json").stdout)
    assert listed == {
        "name": "qemu",
        "gdb": "localhost:3333",
        "platform": "stm32f407",
        "ram_start": 0x2000_0000,
        "ram_bytes": 16384,
        "counter": None,
        "clock_hz": 16_000_000,
        "timeout_seconds": 100_000,
        "left": "halted",
        "write_flash": False,
        "monitor": [],
    }
    assert "board:qemu  stm32f407  localhost:3333" in run("board", "list").stdout
    assert run("board", "remove", "qemu").exit_code == 0
    assert "no boards" in run("board", "list").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["add", "x", "--gdb", "3333", "--platform", "stm32f407"], "write HOST:PORT"),
        (["add", "x", "--gdb", "a:1", "--platform", "stm32f40"], "nearest"),
        (["add", "x", "--gdb", "a:1", "--platform", "x86-64"], "name a microcontroller"),
        (["add", "x", "--gdb", "a:1", "--platform", "fe310", "--ram", "16K"], "write START:SIZE"),
        (["add", "x", "--gdb", "a:1", "--platform", "fe310", "--clock", "soon"], "clock"),
        (["check", "x"], "there is no board 'x'"),
        (["remove", "x"], "there is no board 'x'"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], sentence: str) -> None:
    done = run("board", *words)
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_fit_tells_no_cycles_that_it_did_not_measure(silent_board: None) -> None:
    words = ("fit", "--platform", "board:qemu", "--mode", "ctr", "--bytes", "16")
    done = run(*words, "--core", "transposed", "--core", "fixslice", "--encrypt-only", "--json")
    answer = json.loads(done.stdout)
    assert done.exit_code == 1
    assert answer["ranking"] == []
    assert [one["core"] for one in answer["dropped"]] == ["transposed", "fixslice"]
    for one in answer["dropped"]:
        assert "outputs are right for 4 secrets, and no cycles were measured" in one["reason"]


def test_wait_states_are_the_boards_own(silent_board: None) -> None:
    done = run("measure", "--platform", "board:qemu", "--core", "compact", "--flash-wait", "2")
    assert done.exit_code == 2
    assert "waits as its firmware set it" in " ".join(done.stderr.split())


def test_check_runs_twenty_jobs() -> None:
    assert len(board_check._jobs(platform_named("fe310"), Placement())) == 20


def test_check_says_that_nothing_counts(silent_board: None, jobs_checked: int) -> None:
    done = run("board", "check", "qemu")
    assert done.exit_code == 0
    assert "counter: none: QEMU emulates it" in done.stdout
    assert f"{jobs_checked} jobs: its outputs are right" in done.stdout
    assert "flash: its registers cannot be read" in done.stdout


def test_fit_answers_with_what_the_board_counts(counting_board: None) -> None:
    words = ("fit", "--platform", "board:qemu", "--mode", "ctr", "--bytes", "16", "--core")
    done = run(*words, "transposed,ttable1", "--json")
    answer = json.loads(done.stdout)
    assert {one["core"] for one in answer["ranking"]} == {"ttable1", "transposed"}
    assert answer["ranking"][0]["cycles"] < answer["ranking"][1]["cycles"]
    assert "counted on the board by its own counter" in run(*words, "transposed,ttable1").stdout


def test_count_calls_a_function_of_ones_own(counting_board: None, tmp_path: Path) -> None:
    source, elf = tmp_path / "f.c", tmp_path / "f.o"
    source.write_text("unsigned f(unsigned *a) { a[1] = 7; return a[0] + 1; }")
    compiler = platform_named("fe310").compiler
    command = [compiler.command, *compiler.target, "-O2", "-c", str(source), "-o", str(elf)]
    subprocess.run(command, check=True)
    words = ("count", "--platform", "board:qemu", "--elf", str(elf), "--function", "f")
    argument = ("--arg", "inout:0500000000000000")
    found = json.loads(run(*words, *argument, "--json").stdout)
    assert found["outputs"] == ["0500000007000000"]
    assert found["instructions"] is None
    assert "which gave 0x6" in found["provenance"]["window"]
    model = ("count", "--platform", "fe310", *words[3:], *argument, "--json")
    assert found["cycles"] == json.loads(run(*model).stdout)["instructions"] - 1
    refused = run(*words, *argument, "--flash-wait", "1")
    assert refused.exit_code == 2


def test_a_sweep_takes_a_board(counting_board: None, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    spec = tmp_path / "spec.toml"
    spec.write_text(
        '[[sweep]]\nmethod = "measured"\nplatforms = ["board:qemu"]\ncores = ["transposed"]\n'
        'key_bits = [128]\nops = ["encrypt-block"]\n'
    )
    done = run("sweep", str(spec), "-o", str(tmp_path / "out.parquet"))
    assert done.exit_code == 0, done.output
    (row,) = read(tmp_path / "out.parquet").to_pylist()
    assert row["platform"] == "board:qemu"
    assert row["cycles"] > 0


def test_the_head_of_a_drop_in_names_the_board(counting_board: None, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    words = ("--core", "ttable1", "--mode", "ctr", "--encrypt-only", "--bytes", "16")
    done = run("emit", "--platform", "board:qemu", *words, "-o", str(folder), "--no-self-test")
    assert done.exit_code == 0, done.output
    assert "the board qemu" in (folder / "fitaes.c").read_text()


def test_secrets_are_compared(counting_board: None) -> None:
    words = ("board", "secrets", "qemu", "--core", "transposed", "--secrets", "8")
    assert "cycles equal over 8 secrets" in run(*words).stdout
    assert json.loads(run(*words, "--json").stdout)["t"] == 0


def test_means_that_differ_are_seen() -> None:
    noisy = [100, 101, 102] * 20
    assert abs(compared(noisy, noisy).t) < LIMIT
    assert abs(compared(noisy, [one + 1 for one in noisy]).t) > LIMIT
    assert compared([5, 5], [6, 6]).t == -math.inf
    assert compared([5, 5], [6, 6]).as_json()["t"] is None
    assert "depends on the secrets" in compared([5, 5], [6, 6]).sentence


# --- tables of owners


def test_a_table_can_be_kept_and_is_shown(
    counting_board: None, jobs_checked: int, tmp_path: Path
) -> None:
    kept = tmp_path / "fe310.json"
    done = run("board", "check", "qemu", "-o", str(kept))
    assert done.exit_code == 0, done.output
    (table,) = kept_tables(tmp_path)
    assert len(table["jobs"]) == jobs_checked
    for kept_before in kept_tables():
        assert list(kept_before) == list(table)
        assert list(kept_before["jobs"][0]) == list(table["jobs"][0])
    assert table["emulated"]
    assert "QEMU replaces the board" in done.stdout
    assert told_of(["fe310"], tmp_path) == ["fe310: qemu is QEMU, an example of the format alone"]
    measured = [one for one in table["jobs"] if one["board"] is not None]
    assert measured
    for one in measured:
        assert one["apart"] == one["board"] / one["model"] - 1
    kept.write_text(json.dumps({**table, "emulated": False, "board": "mine"}))
    (told,) = told_of(["fe310"], tmp_path)
    assert f"{len(measured)} jobs are at most {100 * table['largest']:.1f} % apart" in told
    assert told_of(["stm32f407"], tmp_path) == []


def test_the_tables_of_the_project_are_shown() -> None:
    tables = kept_tables()
    assert tables
    assert EVIDENCE.is_dir()
    shown = json.loads(run("platforms", "--json").stdout)
    by_name = {one["name"]: one for one in shown}
    for table in tables:
        assert any(table["board"] in told for told in by_name[table["platform"]]["boards"])


def test_what_the_page_says_can_be_given() -> None:
    """Its lines that add a board, and its table of servers."""
    page = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ *\$ aesfit (board add .*)$", page, re.MULTILINE)
    assert lines
    for line in lines:
        assert run(*line.split()).exit_code == 0, line
    help_text = run("board", "add", "--help").stdout
    options = set(re.findall(r"`?(--[a-z-]+)", page)) & {"--write-flash", "--ram", "--leave"}
    assert len(options) == 3
    for option in (*options, "--timeout", "--clock", "--counter", "--gdb"):
        assert option in help_text

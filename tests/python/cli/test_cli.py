# SPDX-License-Identifier: MIT
"""The command line: its output, JSON and exit codes, and never a traceback."""

import json
import re
import subprocess
import sys
from io import StringIO
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

import aesfit
from aesfit.cli import app
from aesfit.cli.common import print_table
from aesfit.cli.console import Console

CORE_KEYS = [
    "name",
    "summary",
    "source",
    "lanes",
    "tables",
    "table_bytes",
    "table_bytes_decrypt",
    "round_key_bytes",
    "constant_time",
    "on_the_fly_keys",
    "needs",
    "available",
]
TABLE_KEYS = ["name", "bytes", "reads_middle_round", "reads_last_round", "direction"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "aesfit", *arguments], capture_output=True, text=True, check=False
    )


def test_version() -> None:
    done = command("--version")
    assert (done.returncode, done.stdout) == (0, f"aesfit {aesfit.__version__}\n")


def test_cores_lists_every_core() -> None:
    result = run("cores")
    assert result.exit_code == 0
    for core in aesfit.cores():
        assert re.search(rf"^{core.name} ", result.stdout, re.MULTILINE)


def test_cores_json_has_the_stable_keys() -> None:
    listed: list[dict[str, Any]] = json.loads(run("cores", "--json").stdout)
    assert [entry["name"] for entry in listed] == [core.name for core in aesfit.cores()]
    for entry in listed:
        assert list(entry) == CORE_KEYS
        for table in entry["tables"]:
            assert list(table) == TABLE_KEYS
            assert table["direction"] in ("encrypt", "decrypt", "key-schedule")
        assert set(entry["round_key_bytes"]) == {"128", "192", "256"}
        for sizes in entry["round_key_bytes"].values():
            assert set(sizes) == {"encrypt", "decrypt", "both"}


def test_selftest() -> None:
    result = run("cores", "selftest")
    assert result.exit_code == 0
    for core in aesfit.cores():
        assert core.name in result.stdout


def test_selftest_fails_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise aesfit.SelfTestError("a known answer failed")

    monkeypatch.setattr("aesfit._native.self_test", broken)
    result = run("cores", "selftest")
    assert result.exit_code == 1
    assert "a known answer failed" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fitt"], "fitt"),
        (["cores", "extra"], "extra"),
    ],
)
def test_usage_errors(arguments: list[str], sentence: str) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_closed_pipe_is_no_traceback() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m aesfit cores --json | head -c 1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


def test_closed_standard_output_is_no_traceback() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m aesfit cores >&-"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "aesfit: standard output is closed\n")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_table_fits_the_terminal(width: int) -> None:
    """Columns are left out, not cut, where the terminal is narrow."""
    out = Console(StringIO(), width)
    rows = [(core.name, core.summary) for core in aesfit.cores()]
    print_table(out, [("core", "<"), ("what it is", "<")], rows, expendable=["what it is"])
    lines = cast(StringIO, out.file).getvalue().splitlines()
    assert len(lines) == 1 + len(rows)
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith(name) for line, (name, _) in zip(lines[1:], rows, strict=True))
    assert ("what it is" in lines[0]) == (width == 200)

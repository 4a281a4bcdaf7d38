# SPDX-License-Identifier: MIT
"""The command line: what it prints, its JSON, its exit codes, and no traceback whatever comes."""

import json
import re
import subprocess
import sys
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import aesfit
from aesfit.cli import app
from aesfit.cli.common import print_table
from aesfit.rigs.host import MODES

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


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.bin"
    path.write_bytes(bytes(i * 7 & 255 for i in range(5000)))
    return path


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
    result = run("selftest")
    assert result.exit_code == 0
    for core in aesfit.cores():
        assert core.name in result.stdout


def test_selftest_fails_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise aesfit.SelfTestError("a known answer failed")

    monkeypatch.setattr("aesfit._native.self_test", broken)
    result = run("selftest")
    assert result.exit_code == 1
    assert "a known answer failed" in result.stderr


def test_fit_ranks_every_available_core(sample: Path) -> None:
    result = run("fit", "--file", str(sample), "--json")
    assert result.exit_code == 0, result.stderr
    fit = json.loads(result.stdout)
    ranked = fit["candidates"]
    assert {c["core"] for c in ranked} == {c.name for c in aesfit.cores() if c.available}
    assert [c["rank"] for c in ranked] == list(range(1, len(ranked) + 1))
    assert ranked == sorted(ranked, key=lambda c: c["per_byte_min"])
    assert all(0 < c["per_byte_min"] <= c["per_byte_median"] for c in ranked)
    assert fit["winner"] in {c["core"] for c in ranked if c["constant_time"]}
    assert fit["provenance"]["data_bytes"] == 5000
    assert fit["provenance"]["mode"] == "ccm"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", ["16", "1504", "100000"])
def test_fit_in_every_mode(mode: str, size: str, sample: Path) -> None:
    names = [core.name for core in aesfit.cores() if core.available][:2]
    options = [word for name in names for word in ("--core", name)]
    result = run("fit", "--mode", mode, "--bytes", size, "--file", str(sample), *options)
    assert result.exit_code == 0, result.stderr
    assert all(name in result.stdout for name in names)


def test_fit_output_is_what_the_api_gives(sample: Path) -> None:
    """The measured work is real: its output is hashed, and the API gives the same bytes."""
    result = run("fit", "--mode", "ctr", "--bytes", "5000", "--file", str(sample), "--json")
    expected = aesfit.Cipher(bytes(range(16)), "ctr", bytes(16)).encrypt(sample.read_bytes())
    assert json.loads(result.stdout)["output_sha256"] == sha256(expected).hexdigest()


def test_fit_says_a_winner_in_words(sample: Path) -> None:
    result = run("fit", "--file", str(sample), "--core", "fixslice", "--core", "bytewise")
    assert "Take fixslice: " in result.stdout
    assert "constant-time" in result.stdout
    only = run("fit", "--file", str(sample), "--core", "bytewise")
    assert "No core measured is constant-time" in only.stdout


def test_fit_without_a_file_encrypts_a_real_one() -> None:
    result = run("fit", "--core", "fixslice", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["file"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fit", "--mode", "ccmm"], "there is no mode 'ccmm'; the nearest is 'ccm'"),
        (["fit", "--core", "fixslise"], "there is no core 'fixslise'; the nearest is 'fixslice'"),
        (["fit", "--key-bits", "100"], "key bits are 100; ccm takes 128, 192, 256"),
        (["fit", "--mode", "xts", "--key-bits", "192"], "key bits are 192; xts takes 128, 256"),
        (["fit", "--bytes", "0"], "messages are 0 bytes; they take 1 to 4294967296"),
        (["fit", "--mode", "cbc", "--bytes", "100"], "cbc takes a multiple of 16"),
        (["fit", "--mode", "xts", "--bytes", "15"], "xts takes 16 or more"),
        (["fit", "--bytes", "many"], "valid integer"),
        (["fit", "--bytes", "9" * 40], "they take 1 to 4294967296"),
        (["fit", "--file", "/nonexistent"], "does not exist"),
        (["fit", "--file", "/dev/null"], "the file is 0 bytes, too few for ccm"),
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


def test_json_mode_is_quiet_on_standard_error(sample: Path) -> None:
    done = command("fit", "--file", str(sample), "--core", "fixslice", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    json.loads(done.stdout)


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
    out = Console(width=width, file=StringIO())
    rows = [(core.name, core.summary) for core in aesfit.cores()]
    print_table(out, [("core", "<"), ("what it is", "<")], rows, expendable=["what it is"])
    lines = cast(StringIO, out.file).getvalue().splitlines()
    assert len(lines) == 1 + len(rows)
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith(name) for line, (name, _) in zip(lines[1:], rows, strict=True))
    assert ("what it is" in lines[0]) == (width == 200)

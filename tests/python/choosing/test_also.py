# SPDX-License-Identifier: MIT
"""`aesfit fit --also`: a user's own function among the cores."""

import csv
import json
import shutil
from pathlib import Path

import fakes
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

import aesfit
from aesfit.cli import app

SOURCE = Path(__file__).parents[1] / "counting" / "foreign_aes.c"
TITLE = "my_aes.o:foreign_aes128"
pytestmark = pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="no compiler for Arm")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    import subprocess

    out = tmp_path / "my_aes.o"
    flags = ["-mcpu=cortex-m3", "-mthumb", "-O2", "-g", "-ffreestanding", "-c"]
    subprocess.run(["arm-none-eabi-gcc", *flags, str(SOURCE), "-o", str(out)], check=True)
    return out


def fit(mine: Path | str, *options: str, platform: str = "cortex-m3") -> Result:
    words = ["fit", "--platform", platform, "--bytes", "16", "--core", "compact"]
    return CliRunner().invoke(app, [*words, *options, "--also", str(mine)])


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_it_stands_in_the_table_the_csv_and_the_json(mine: Path) -> None:
    asked = (f"{mine}:foreign_aes128", "--mode", "ecb", "--encrypt-only")
    shown = fit(*asked)
    assert shown.exit_code == 0, shown.output
    assert f"2  {TITLE}" in shown.stdout
    assert "foreign_aes128(key, in, out) for each block" in " ".join(shown.stdout.split())
    rows = list(csv.DictReader(fit(*asked, "--csv").stdout.splitlines()))
    answer = json.loads(fit(*asked, "--json").stdout)
    own = next(one for one in answer["ranking"] if one["core"] == TITLE)
    written = next(one for one in rows if one["core"] == TITLE)
    for name in ("cycles", "flash_bytes", "stack_bytes", "timing"):
        assert str(own[name]) == written[name]
    assert answer["also"] == [
        {
            "core": TITLE,
            "files": [str(mine)],
            "call": "foreign_aes128(key, in, out) for each block",
            "context_bytes": 0,
        }
    ]
    same = aesfit.fit(
        "cortex-m3", mode="ecb", payload_bytes=16, encrypt_only=True, cores="compact",
        also=f"{mine}:foreign_aes128",
    )  # fmt: skip
    assert next(one.row.cycles for one in same.choice.ranking if one.name == TITLE) == own["cycles"]


def test_it_can_win_and_its_cycles_are_listed_beside_its_lines(mine: Path) -> None:
    asked = (
        "--mode",
        "ctr",
        "--objective",
        "flash",
        "--timing",
        "any",
        "--why",
        "--annotate",
        "--json",
    )
    done = fit(f"{mine}:foreign_aes128", *asked)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["winner"]["core"] == TITLE
    assert answer["why"]["cycles"] == answer["winner"]["cycles"]
    assert any((one["file"] or "").endswith("foreign_aes.c") for one in answer["annotated"])


def test_constant_time_drops_it_without_a_command_that_does_not_exist(mine: Path) -> None:
    done = fit(f"{mine}:foreign_aes128", "--mode", "ctr", "--timing", "proved", "--json")
    answer = json.loads(done.stdout)
    reason = next(one["reason"] for one in answer["dropped"] if one["core"] == TITLE)
    assert "independent of the key here alone" in reason
    assert "aesfit prove" not in reason


def test_a_wrong_function_ends_with_one_sentence(mine: Path) -> None:
    done = fit(f"{mine}:foreign_aes128:in,key,out", "--mode", "ctr")
    assert isinstance(done.exception, RuntimeError)
    assert "does not compute AES-128" in str(done.exception)
    assert not done.stdout


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--mode", "cbc"), "add --encrypt-only, or take one of ctr"),
        (("--mode", "ctr", "--tables", "ram"), "leave --calls-per-burst"),
        (("--mode", "ctr", "--emit", "out"), "--emit would need a core of the library"),
        (("--mode", "ctr", "--clock", "sweep"), "--clock sweep would need"),
    ],
)
def test_questions_that_it_cannot_answer_are_refused(
    mine: Path, options: tuple[str, ...], complaint: str
) -> None:
    done = fit(f"{mine}:foreign_aes128", *options)
    assert done.exit_code == 2, done.output
    assert complaint in told(done)


def test_bursts_are_refused_where_there_is_a_cache(mine: Path) -> None:
    asked = ("--mode", "ccm", "--calls-per-burst", "4")
    done = fit(f"{mine}:foreign_aes128", *asked, platform="arm920t")
    assert done.exit_code == 2
    assert "--also" in told(done)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("none.o:f", "there is no file none.o"),
        (f"{SOURCE}:foreign_aes128", "is not an ELF file"),
        ("my_aes.o", "is not FILE"),
    ],
)
def test_wrong_files_are_refused(text: str, complaint: str) -> None:
    done = fit(text, "--mode", "ctr")
    assert done.exit_code == 2
    assert complaint in told(done)


def test_a_platform_that_is_not_emulated_is_refused(mine: Path, tmp_path: Path) -> None:
    done = fit(f"{mine}:foreign_aes128", "--mode", "ctr", platform=fakes.pretend(tmp_path))
    assert done.exit_code == 2
    assert "on emulated platforms alone" in told(done)

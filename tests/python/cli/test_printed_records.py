# SPDX-License-Identifier: MIT
"""What is printed for programs: the head of JSON, and tables as CSV under the same keys."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import fakes
import pytest
from stores import own_rows
from typer.testing import CliRunner

import aesfit
from aesfit.cli import app
from aesfit.cli.records import csv_of

HEAD = ["schema", "version", "question", "limits"]


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    return fakes.pretend(tmp_path)


def printed(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def table(*words: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(printed(*words, "--csv"))))


def test_the_answer_begins_with_its_schema_version_question_and_limits(pretend: str) -> None:
    told: dict[str, Any] = json.loads(
        printed("fit", "--platform", pretend, "--mode", "gcm", "--bytes", "1K", "--max-ram", "2K",
                "--key-changes", "3", "--clock", "8MHz", "--core", "compact", "--json")
    )  # fmt: skip
    assert list(told)[:4] == HEAD
    assert told["schema"] == "aesfit.fit/1"
    assert told["version"] == aesfit.__version__
    asked = {name: told["question"][name] for name in ("mode", "bytes", "messages_per_key")}
    assert asked == {"mode": "gcm", "bytes": 1024, "messages_per_key": 3}
    assert told["question"]["clock_hz"] == 8e6
    assert told["limits"] == {
        "max_flash_bytes": None, "max_ram_bytes": 2048, "constant_time": None
    }  # fmt: skip
    assert told["verdict"][0].startswith("Take compact")


def test_a_ranking_as_csv_has_the_keys_of_json(pretend: str) -> None:
    ask = ("fit", "--platform", pretend, "--max-flash", "4K")
    told = json.loads(printed(*ask, "--json"))
    rows = table(*ask)
    ranked = [row for row in rows if row["rank"]]
    assert [row["core"] for row in ranked] == [one["core"] for one in told["ranking"]]
    assert {row["core"] for row in rows if row["dropped"]} == {d["core"] for d in told["dropped"]}
    own = told["ranking"][0].keys() - {"provenance"}
    assert own <= rows[0].keys()
    assert float(ranked[0]["cycles"]) == told["winner"]["cycles"]
    assert {row["pareto"] for row in rows} == {"true", "false"}


def test_tables_of_verbs_as_csv(pretend: str) -> None:
    assert [row["name"] for row in table("cores")] == [one.name for one in aesfit.cores()]
    assert "cortex-m3" in {row["name"] for row in table("platforms")}
    measured = table("measure", "--platform", pretend, "--core", "compact")
    assert {row["core"] for row in measured} == {"compact"}
    curve = table("predict", "--platform", "lx-st200", "--calls-per-burst", "1:4")
    assert {row["calls"] for row in curve} == {"1", "2", "3", "4"}


def test_one_form_at_a_time() -> None:
    result = CliRunner().invoke(app, ["cores", "--json", "--csv"])
    assert result.exit_code == 2
    assert "one form at a time" in result.stderr


def test_cells() -> None:
    rows: list[dict[str, object]] = [
        {"a": None, "b": True, "c": [1, 2]},
        {"a": 1.5, "b": False, "c": "x,y", "d": "more"},
    ]
    assert csv_of(rows) == 'a,b,c,d\n,true,"[1, 2]",\n1.5,false,"x,y",more\n'
    assert csv_of([], ["a", "b"]) == "a,b\n"

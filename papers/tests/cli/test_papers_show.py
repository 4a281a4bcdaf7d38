# SPDX-License-Identifier: MIT
"""`aesfit papers show`: a claim with its code, rows, steps and map."""

import json
from collections.abc import Iterator
from pathlib import Path

import experiment_folder
import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app

KEYS = [
    *("name", "paper", "sentence", "verdict", "group", "stands", "code", "provenance"),
    *("places", "where", "turned", "cause", "why", "rows"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with experiment_folder.used(tmp_path, monkeypatch):
        experiment_folder.write(tmp_path, "cache_made_up")
        run("run", "cache_made_up")
        yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["papers", *words])


def test_all_that_a_verdict_rests_on_is_printed(folder: Path) -> None:
    told = " ".join(run("show", "cache_made_up:1").stdout.split())
    for part in (
        "cache_made_up:1, Bertoni and others, ISCAS 2003",
        "As fast. verdict: holds on all but b",
        "Ours: made up.",
        "gcc <12>",
        "a: 1; at most 1 with a band of 2 %, +0.0 % (line 8): holds",
        "b: 1.1; at most 1 with a band of 2 %, +10.0 % (line 8): missed",
        "where it holds holds on all but b turned: stops holding with b instead of a",
        "cause compiler or processor b is > a.",
        "rows made_up.csv",
    ):
        assert part in told
    assert "a: 2 / 1 = 2; above 1 with a band of 2 % (line 7): holds" in " ".join(
        run("show", "cache_made_up:2").stdout.split()
    )


def test_json_has_the_stable_keys(folder: Path) -> None:
    told = json.loads(run("show", "cache_made_up:1", "--json").stdout)
    assert list(told)[4:] == KEYS
    assert told["places"][1] == {
        "place": "b",
        "a": 1.1,
        "b": 1.0,
        "judged": True,
        "steps": "1.1; at most 1 with a band of 2 %, +10.0 % (line 8): missed",
    }
    every = json.loads(run("show", "cache_made_up", "--json").stdout)
    assert [one["name"] for one in every] == ["cache_made_up:1", "cache_made_up:2"]


def test_an_experiment_lists_its_claims(folder: Path) -> None:
    assert run("show", "cache_made_up").stdout.splitlines() == [
        "cache_made_up:1: As fast. holds on all but b",
        "cache_made_up:2: Faster. holds",
    ]


@pytest.mark.parametrize(
    ("name", "told"),
    [("cache_made_up:3", "has claims 1 to 2"), ("cache_made", "cache_made_up")],
)
def test_what_there_is_not_is_refused(folder: Path, name: str, told: str) -> None:
    done = run("show", name)
    assert done.exit_code == 2
    assert told in done.stderr

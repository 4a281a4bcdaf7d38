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
    *("places", "where", "turned", "cause", "why", "rows", "by_clang", "path", "columns"),
    "judged_rows",
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
        "rows that it is judged on",
        "cache/results/made_up.csv core,cycles,published line 4: a,10,10 line 5: b,11,10",
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


def test_rows_are_lines_of_the_file(folder: Path) -> None:
    told = json.loads(run("show", "cache_made_up:1", "--json").stdout)
    lines = (folder / "cache" / "results" / "made_up.csv").read_text("utf-8").splitlines()
    assert told["columns"] in lines
    for one in told["judged_rows"]:
        assert lines[one["line"] - 1] == one["text"]
    assert json.loads(run("show", "cache_made_up:2", "--json").stdout)["rows"] == "made_up.csv"


def test_rows_beyond_forty_are_counted() -> None:
    told = run("show", "platforms_table_1_caches:3").stdout
    lines = json.loads(run("show", "platforms_table_1_caches:3", "--json").stdout)["judged_rows"]
    assert told.count("\n  line ") == 40
    assert told.rstrip().endswith(f"and {len(lines) - 40} more")


def test_places_by_clang_are_shown_and_marked(folder: Path) -> None:
    done = folder / "cache" / "results" / "made_up.csv"
    other = folder / "cache" / "results_clang" / "made_up.csv"
    other.parent.mkdir()
    other.write_text(done.read_text("utf-8").replace("b,11", "b,9"), encoding="utf-8")
    told = run("show", "cache_made_up:1")
    assert (
        "b: 0.9; at most 1 with a band of 2 %, -10.0 % (line 8): holds (clang, shown)"
        in " ".join(told.stdout.split())
    )
    by_clang = json.loads(run("show", "cache_made_up:1", "--json").stdout)["by_clang"]
    assert [(one["place"], one["judged"]) for one in by_clang] == [("a", False), ("b", False)]


def test_the_sentence_that_a_claim_answers_is_the_first(folder: Path) -> None:
    said = [("one", "All is slow."), ("two", "The last one is the faster.")]
    (folder / "claims.toml").write_text(
        "".join(
            f'[[claim]]\nid = "{name}"\npaper = "cache"\nplace = "section 1"\nsays = "{says}"\n'
            'experiments = ["cache_made_up"]\n'
            for name, says in said
        ),
        encoding="utf-8",
    )
    told = json.loads(run("show", "cache_made_up:2", "--json").stdout)
    assert told["sentence"] == "Faster."
    assert told["stands"] == ["section 1: The last one is the faster.", "section 1: All is slow."]


def test_an_experiment_without_claims_is_shown(folder: Path) -> None:
    path = folder / "cache" / "made_up.py"
    text = path.read_text("utf-8").replace("    found =", "    return []\n    found =")
    path.write_text(text, encoding="utf-8")
    experiment_folder.forget()
    told = " ".join(run("show", "cache_made_up").stdout.split())
    for part in (
        "cache_made_up, Bertoni and others, ISCAS 2003: Nothing & more",
        "Ours: made up.",
        "It has no claims: nothing is judged",
        "It is a < b.",
        "Cycles",
        "figure: Bars",
    ):
        assert part in told  # fmt: skip
    assert json.loads(run("show", "cache_made_up", "--json").stdout) == []
    assert "has no claims" in run("show", "cache_made_up:1").stderr
    (folder / "cache" / "results" / "made_up.csv").unlink()
    assert "aesfit papers run cache_made_up" in run("show", "cache_made_up").stdout


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

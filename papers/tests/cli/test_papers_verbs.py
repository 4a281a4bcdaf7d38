# SPDX-License-Identifier: MIT
import json
from collections.abc import Iterator
from pathlib import Path

import experiment_folder
import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit_papers.judging import catalog


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with experiment_folder.used(tmp_path, monkeypatch):
        yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["papers", *words])


def test_results_are_kept_and_told(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    done = run("run", "cache_made_up")
    assert done.exit_code == 0
    assert (folder / "cache" / "results" / "made_up.csv").read_text() == (
        "# gcc <12>\n# aesfit 0\ncore,cycles,published\na,10,10\nb,11,10\n"
    )
    for told in (
        "core  block: ours  published  ratio",
        "b              11         10   1.10",
        "holds on all but b: As fast.",
        "at most 1",
        "a: 1 (holds, +0 %)",
        "b: 1.1 (missed, +10 %)",
        "cause: compiler or processor",
        "b is > a.",
        "above 1, held by its sign, with a band of 2 %",
        "a: 2 against 1 (holds)",
        "gcc <12>",
    ):
        assert told in done.stdout


def test_json_has_the_stable_keys(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    told = json.loads(run("run", "cache_made_up", "--json").stdout)
    head = ["schema", "version", "question", "limits"]
    own = ["name", "paper", "number", "title", "rows", "claims", "provenance"]
    assert list(told) == [*head, *own]
    keys = ["sentence", "kind", "published", "form", "found", "verdict", "tally", "group"]
    keys += ["places", "swept", "untestable", "by_construction", "cause", "why"]
    assert list(told["claims"][0]) == keys
    assert told["claims"][0]["places"] == {"a": "holds", "b": "missed"}
    assert told["claims"][1]["found"] == {"a": {"a": 2.0, "b": 1.0}}
    assert json.loads(run("run", "all", "--json").stdout) == [{name: told[name] for name in own}]
    assert json.loads(run("list", "--json").stdout) == [
        {"name": "cache_made_up", "paper": "cache", "number": "Table 9", "title": "Nothing & more"}
    ]


def test_check_keeps_nothing_and_names_the_difference(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    without = run("check", "cache_made_up")
    assert without.exit_code == 1
    assert (
        "cache_made_up has no results yet; measure them: aesfit papers run cache_made_up"
        in without.stderr
    )
    run("run", "cache_made_up")
    assert run("check", "cache_made_up").exit_code == 0
    experiment_folder.write(folder, "cache_made_up", cycles=9)
    changed = run("check", "all")
    assert changed.exit_code == 1
    assert "cache_made_up, row 1: cycles is stored as 10 and is now 9" in changed.stderr
    assert "a,10,10" in (folder / "cache" / "results" / "made_up.csv").read_text()


def test_results_with_other_columns_are_refused(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    run("run", "cache_made_up")
    experiment_folder.write(folder, "cache_made_up", timed=True)
    told = run("check", "cache_made_up")
    assert isinstance(told.exception, ValueError)
    assert "made_up.csv has not the columns core, cycles, published, time" in str(told.exception)


def test_all_leaves_times_of_this_computer_out_and_says_so(folder: Path) -> None:
    experiment_folder.write(folder, "cache_exact")
    experiment_folder.write(folder, "cache_timed", timed=True)
    told = run("run", "all")
    assert told.exit_code == 0
    assert "cache_exact: 2 rows; 1 holds, 1 in part" in told.stdout
    assert "left out, as they hold times of this computer: cache_timed" in told.stdout
    assert not catalog.results_path("cache_timed").exists()
    assert "left out" not in run("run", "all", "--host").stdout
    assert catalog.results_path("cache_timed").exists()


def test_one_failure_stops_no_other(folder: Path) -> None:
    experiment_folder.write(folder, "cache_a_broken", failure="no tool; apt-get install tool")
    experiment_folder.write(folder, "cache_b_sound")
    told = run("run", "all")
    assert told.exit_code == 1
    assert "cache_a_broken: no tool; apt-get install tool" in told.stderr
    assert catalog.results_path("cache_b_sound").exists()
    alone = run("run", "cache_a_broken")
    assert (alone.exit_code, str(alone.exception)) == (1, "no tool; apt-get install tool")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "cache_made_upp"], "the nearest is 'cache_made_up'"),
        (["check", "cache_made_upp"], "the nearest is 'cache_made_up'"),
        (["run", "records"], "`make records` prints the cores in assembly"),
        (["check"], "Missing argument 'NAME|all'"),
        (["list", "cache_made_up"], "unexpected extra argument (cache_made_up)"),
        (["flips", "all"], "unexpected extra argument (all)"),
        (["run", "cache_made_up", "--host"], "a named experiment is measured whole"),
        (["run", "all", "--host", "--clang"], "clang builds only for emulated processors"),
        (["run", "--clang"], "Missing argument 'NAME|all'"),
    ],
)
def test_wrong_use(folder: Path, words: list[str], told: str) -> None:
    experiment_folder.write(folder, "cache_made_up")
    result = run(*words)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", "").split())
    assert not (folder / "cache" / "results").exists()


def test_a_file_that_is_no_experiment_stops_no_other(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    (folder / "cache" / "begun.py").write_text("NUMBER = 'Table 1'\n", encoding="utf-8")
    experiment_folder.forget()
    assert run("run", "cache_made_up").exit_code == 0
    told = str(run("run", "cache_begun").exception)
    assert told == "begun.py is not an experiment: it has no TITLE"


def test_flips_of_stored_results(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    run("run", "cache_made_up")
    told = json.loads(run("flips", "--json").stdout)
    assert list(told)[4:] == ["changed", "compilers"]
    assert [(one["what"], one["claims"], one["flipped"]) for one in told["changed"]] == [
        ("share against ratio", 0, 0),
        ("one place left out", 1, 1),
        ("one compiler level alone", 0, 0),
        ("our code beside the paper's", 0, 0),
        ("clang beside gcc", 0, 0),
    ]
    assert told["changed"][1]["flips"][0] == {
        "experiment": "cache_made_up",
        "sentence": "As fast.",
        "was": "in part",
        "becomes": "holds nowhere",
        "by": "without a",
    }
    printed = run("flips").stdout
    assert "one place left out" in printed
    assert "cache_made_up: As fast. in part becomes holds nowhere without a and 1 more" in printed
    assert "no rows by clang" not in printed
    path = catalog.results_path("cache_made_up")
    path.write_text(f"# rv32i: riscv64-unknown-elf-gcc (1) 12; -O2\n{path.read_text()}")
    told_so = " ".join(run("flips").stdout.split())
    assert "no rows by clang: cache_made_up; make them with: aesfit papers run NAME" in told_so
    assert run("flips", "all").exit_code == 2


def test_rows_by_clang_stay_apart(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    run("run", "cache_made_up")
    refused = run("run", "cache_made_up", "--clang")
    assert refused.exit_code == 2
    assert "no rows of emulated processors by gcc" in " ".join(refused.stderr.split())
    path = catalog.results_path("cache_made_up")
    path.write_text(f"# rv32i: riscv64-unknown-elf-gcc (1) 12; -O2\n{path.read_text()}")
    before = path.read_bytes()
    assert run("check", "cache_made_up", "--clang").exit_code == 1
    assert run("run", "cache_made_up", "--clang").exit_code == 0
    assert run("check", "all", "--clang").exit_code == 0
    assert path.read_bytes() == before
    assert "cache_made_up  yes      yes       Table 9" in run("list").stdout
    clang = catalog.results_path("cache_made_up", "clang")
    clang.write_text(clang.read_text().replace("# aesfit 0", "# aesfit 1"), encoding="utf-8")
    assert "cache_made_up  yes      other sources" in run("list").stdout
    assert "sources" not in run("flips").stdout  # any edit of the library would change its answer

# SPDX-License-Identifier: MIT
"""What is printed for programs: the head of JSON, and tables as CSV under the same keys."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import fakes
import pytest
from click.testing import CliRunner
from stores import own_rows

import aesfit
from aesfit import cli
from aesfit.cli import app
from aesfit.cli.declared import VerbCommand
from aesfit.cli.records import csv_of, head_of_verb

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
    assert told["schema"] == "aesfit.fit/2"
    assert told["version"] == aesfit.__version__
    asked = {name: told["question"][name] for name in ("mode", "bytes", "messages_per_key")}
    assert asked == {"mode": "gcm", "bytes": 1024, "messages_per_key": 3}
    assert told["question"]["clock_hz"] == 8e6
    assert told["limits"] == {
        "max_flash_bytes": None, "max_ram_bytes": 2048, "timing": None
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
    assert "choose one format" in result.stderr


def test_cells() -> None:
    rows: list[dict[str, object]] = [
        {"a": None, "b": True, "c": [1, 2]},
        {"a": 1.5, "b": False, "c": "x,y", "d": "more"},
    ]
    assert csv_of(rows) == 'a,b,c,d\n,true,"[1, 2]",\n1.5,false,"x,y",more\n'
    assert csv_of([], ["a", "b"]) == "a,b\n"


@pytest.mark.parametrize(
    ("schema", "words", "asked"),
    [
        ("store", ("store",), {"prune": None, "clear": False}),
        ("predict", ("predict", "--platform", "lx-st200", "--line", "16"), {"line": 16}),
        ("fit-sweep", ("fit", "--platform", "stm32f103", "--mode", "ctr", "--bytes", "16",
                       "--core", "compact", "--clock", "sweep"), {"mode": "ctr", "bytes": 16}),
    ],
)  # fmt: skip
def test_every_answer_with_keys_begins_with_the_same_head(
    schema: str, words: tuple[str, ...], asked: dict[str, Any], pretend: str
) -> None:
    told: dict[str, Any] = json.loads(printed(*words, "--json"))
    assert list(told)[:4] == HEAD
    assert told["schema"] == f"aesfit.{schema}/{2 if schema == 'fit-sweep' else 1}"
    assert told["version"] == aesfit.__version__
    assert {name: told["question"][name] for name in asked} == asked
    assert "json" not in told["question"]


def test_verbs_of_a_group_are_named_whole(pretend: str) -> None:
    assert json.loads(printed("board", "list", "--json")) == []
    assert _schema_of("board", "check") == "aesfit.board-check/1"


def _schema_of(*verbs: str) -> str:
    """As the verb would print it, without a board to check."""
    context = click.Context(click.Command("aesfit"), info_name="aesfit")
    for verb in verbs:
        context = click.Context(click.Command(verb), context, verb)
    with context.scope():
        return str(head_of_verb()["schema"])


def test_every_verb_that_prints_json_has_a_head() -> None:
    """A verb of another class of commands would print its answer without one."""
    seconds = [cli.VERBS.verb(name) for name in cli.VERBS.seconds]
    found = [*_leaves(app), *seconds]
    printing = [one for one in found if any("--json" in option.opts for option in one.params)]
    assert len(printing) > 15
    assert [one.name for one in printing if not isinstance(one, VerbCommand)] == []


def _leaves(command: object) -> Iterator[Any]:
    named = getattr(command, "list_commands", None)
    if named is None:
        yield command
        return
    for name in named(SimpleNamespace()):
        yield from _leaves(command.get_command(SimpleNamespace(), name))  # type: ignore[attr-defined]


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    ("words", "key", "columns"),
    [
        (("leak", "--platform", "arm920t", "--core", "ttable1", "--keys", "1", "--timings", "512",
          "--condition", "cold"), "collisions", ["platform", "core", "round"]),
        (("predict", "validate", "--platform", "arm920t", "--core", "compact",
          "--geometries", "4K:2:32", "--calls-per-burst", "1,8", "--texts", "2"), "points",
         ["core", "cache_bytes"]),
        (("prove", "--platform", "cortex-m3", "--core", "tiny"), "", ["platform", "core"]),
    ],
)  # fmt: skip
def test_tables_as_csv_hold_what_json_holds(
    words: tuple[str, ...], key: str, columns: list[str], pretend: str
) -> None:
    told: Any = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    rows = list(csv.DictReader(io.StringIO(CliRunner().invoke(app, [*words, "--csv"]).stdout)))
    assert list(rows[0])[: len(columns)] == columns
    listed = told[key] if key else told
    assert len(rows) == len(listed) > 0
    for row, one in zip(rows, listed, strict=True):
        plain = {name: value for name, value in one.items() if isinstance(value, str)}
        assert plain.items() <= row.items()
        assert set(one) <= set(row)

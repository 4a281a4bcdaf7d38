# SPDX-License-Identifier: MIT
"""Help of every verb of `aesfit papers`, and what is said where something is not installed."""

from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from bare import INSTALL, Bare, refused
from click.testing import CliRunner, Result
from verb_help import can_be_typed, faults, options, summaries

from aesfit.cli import app
from aesfit_papers.cli import EXAMPLES, VERBS

NEED_THE_RIG = ("check", "files", "flips", "list", "operations", "run", "show")
ARGUMENTS = {
    "check": ["transposed_table_2"],
    "files": ["--platform", "arm7tdmi"],
    "operations": ["--core", "compact", "--platform", "arm7tdmi"],
    "run": ["all"],
    "show": ["transposed_table_2"],
}


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["papers", *words])


@pytest.mark.parametrize("verb", VERBS.verbs)
def test_options_say_what_they_mean(verb: str) -> None:
    assert faults(options(VERBS, verb)) == []


@pytest.mark.parametrize("verb", VERBS.verbs)
def test_help_has_examples_that_can_be_typed(verb: str) -> None:
    told = run(verb, "-h")
    assert told.exit_code == 0, told.output
    assert f"  aesfit papers {verb}" in told.stdout
    assert all(len(line) <= 80 for line in told.stdout.splitlines())
    assert all(can_be_typed(VERBS, one) for one in EXAMPLES[verb])


def test_the_list_has_the_first_line_of_each_help() -> None:
    shown = " ".join(run("-h").stdout.split())
    for verb, summary in summaries(VERBS).items():
        told: Any = VERBS.verb(verb)
        assert summary == told.help.splitlines()[0]
        assert f"{verb} {summary}" in shown


@pytest.mark.parametrize("verb", VERBS.verbs)
def test_help_needs_no_extra(bare: Bare, verb: str) -> None:
    done = bare("papers", verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"papers {verb} [OPTIONS]" in done.stdout


@pytest.mark.parametrize("verb", NEED_THE_RIG)
def test_the_rest_names_the_command_that_helps(bare: Bare, verb: str, tmp_path: Path) -> None:
    refused(bare("papers", verb, *ARGUMENTS.get(verb, []), cwd=tmp_path), INSTALL)
    assert not list(tmp_path.iterdir())


def test_the_report_names_what_draws_it(bare: Bare, tmp_path: Path) -> None:
    refused(bare("papers", "report", cwd=tmp_path), "pip install 'aesfit[plot,rig]'\n")
    assert not list(tmp_path.iterdir())


def test_a_list_fits_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    listed = run("list")
    assert listed.exit_code == 0
    assert [line for line in listed.stdout.splitlines() if len(line) > 80] == []


def test_without_this_package_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metadata, "entry_points", lambda **_: ())
    for words in (["papers"], ["papers", "list"], ["papers", "run", "--help"]):
        done = CliRunner().invoke(app, words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("aesfit: the papers are a package of their own; ")
        assert done.stderr.endswith("with: pip install ./papers\n")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("experiment", "run"), ("report", "report"), ("bench-file", "files"), ("ops", "operations")],
)
def test_an_old_name_leads_to_the_new_one(old: str, new: str) -> None:
    done = CliRunner().invoke(app, [old, "--help"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"No such command '{old}'. Did you mean 'papers {new}'?" in done.stderr
    assert new in VERBS.verbs

# SPDX-License-Identifier: MIT
"""Output fits the terminal, or 80 columns without one."""

import re
from pathlib import Path

import fakes
import pytest
from click.testing import CliRunner
from stores import own_rows

from aesfit.cli import app
from aesfit.cli.common import folded

CAPTIONS = {"c/B": "c/B: cycles a byte", "stack": "stack: bytes", "front": "front: *"}


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    return fakes.pretend(tmp_path)


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    "limits", [(), ("--max-flash", "4K", "--timing", "proved"), ("--mode", "gcm")]
)
def test_the_answer_fits_80_columns(
    pretend: str, monkeypatch: pytest.MonkeyPatch, limits: tuple[str, ...]
) -> None:
    monkeypatch.delenv("COLUMNS")
    lines = printed("fit", "--platform", pretend, "--rate", "54Mbit/s", *limits).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    take = next(number for number, line in enumerate(lines) if line.startswith("Take "))
    assert lines[take - 1] == ""
    last = lines.index("", take)
    assert len([line for line in lines[take:last] if not line.startswith("  ")]) in range(3, 7)


@pytest.mark.parametrize("columns", ["60", "80", "100", "300"])
def test_the_legend_explains_the_columns_that_are_shown(
    pretend: str, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    told = printed("fit", "--platform", pretend)
    head = next(line for line in told.splitlines() if re.match(r" +core +cycles", line))
    legend = " ".join(told.split())
    for column, caption in CAPTIONS.items():
        assert (column in head.split()) == (caption in legend), column


def test_a_last_column_of_words_is_folded_under_itself(
    pretend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = printed("fit", "--platform", pretend, "--max-flash", "1500").splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("dropped"))
    column = lines[head].index("why")
    folded_lines = [line for line in lines[head + 1 :] if line.startswith(" " * column)]
    assert folded_lines
    assert all(line[column] != " " for line in folded_lines)


def test_folding_cuts_no_word() -> None:
    assert folded("one two  three", 8, "  ") == "one two\n  three"
    assert folded("a-hyphenated-word and", 5) == "a-hyphenated-word\nand"
    assert folded("one\n\ntwo", 20) == "one\n\ntwo"


@pytest.mark.parametrize(
    "words",
    [
        ("cores",),
        ("platforms",),
        ("predict", "--platform", "lx-st200"),
        ("measure", "--platform", "<pretend>", "--mode", "ccm"),
    ],
)
def test_tables_fit_80_columns(
    words: tuple[str, ...], pretend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    asked = [pretend if word == "<pretend>" else word for word in words]
    assert [line for line in printed(*asked).splitlines() if len(line) > 80] == []


def test_a_legend_leaves_out_what_a_narrow_terminal_does_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for columns in ("60", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        told = printed("predict", "--platform", "lx-st200")
        assert ("c: cycles once a burst" in " ".join(told.split())) == (columns == "200")

# SPDX-License-Identifier: MIT
"""`aesfit atlas`: what there is, who wins, and the table of one question."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas
from click.testing import CliRunner, Result

import aesfit.choosing.answer
from aesfit.atlas import lines, origin
from aesfit.building import build
from aesfit.choosing.usual import usual_answer
from aesfit.cli import app
from aesfit.cli import atlas as atlas_verb

CHIP = ("--platform", small_atlas.CHIP)


@pytest.fixture(autouse=True)
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small atlas in the place of the project's, and only its cores."""
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    monkeypatch.setattr(origin, "tools_here", lambda platform: small_atlas.TOOLS)
    monkeypatch.setattr(build, "why_not", lambda platform: None)
    monkeypatch.setattr(
        aesfit.choosing.answer, "ranked_cores", lambda platform: list(small_atlas.CORES)
    )
    return path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["atlas", *words])


def test_it_lists_what_there_is_and_what_is_old(atlas: Path) -> None:
    (one,) = json.loads(run("--json").stdout)["platforms"]
    assert (one["platform"], one["lines"], one["current"], one["old"]) == ("stm32f103", 2, 2, 0)
    assert (one["date"], one["compiler"]) == ("2026-11-23", small_atlas.COMPILER)
    group = small_atlas.group()
    old = {about: replace(line, key="0" * 12) for about, line in list(group.lines.items())[:1]}
    small_atlas.write(atlas, replace(group, lines={**group.lines, **old}))
    (one,) = csv.DictReader(io.StringIO(run("--csv").stdout))
    assert (one["current"], one["old"]) == ("1", "1")
    told = run().stdout
    assert "make atlas" in told
    assert told.splitlines()[1].split()[:4] == ["stm32f103", "2", "1", "1"]


def test_other_tools_make_all_lines_old(monkeypatch: pytest.MonkeyPatch) -> None:
    here = replace(small_atlas.TOOLS, compiler="another 13.1")
    monkeypatch.setattr(origin, "tools_here", lambda platform: here)
    (one,) = json.loads(run("--json").stdout)["platforms"]
    assert (one["current"], one["old"]) == (0, 2)


def test_damaged_lines_are_told_of(atlas: Path) -> None:
    text = atlas.read_text(encoding="utf-8")
    atlas.write_text(text.replace("3000~10", "2000~10"), encoding="utf-8")
    assert "changed or damaged" in run().stdout
    (one,) = json.loads(run("--json").stdout)["platforms"]
    assert "changed or damaged" in one["damaged"]


def test_lines_of_a_platform_that_is_gone_are_told_of(atlas: Path) -> None:
    small_atlas.write(atlas, small_atlas.group(), small_atlas.other_group())
    done = run()
    assert done.exit_code == 0
    assert "there is no platform elsewhere, so its lines are not used" in done.stdout
    gone, here = json.loads(run("--json").stdout)["platforms"]
    assert (gone["platform"], gone["lines"], gone["current"]) == ("elsewhere", 2, 0)
    assert "make atlas removes them" in gone["damaged"]
    assert (here["current"], here["damaged"]) == (2, None)
    assert run("--platform", "elsewhere").exit_code == 2


def test_it_names_the_fastest_of_each_mode_and_payload() -> None:
    winners = json.loads(run(*CHIP, "--json").stdout)["winners"]
    assert [(one["mode"], one["bytes"]) for one in winners] == [
        ("ctr", 16), ("ctr", 64), ("ctr", 1504)
    ]  # fmt: skip
    assert [one["fastest"]["cycles"] for one in winners] == [1000, 3000, 70000]
    assert {one["winner"]["timing"] for one in winners} == {"depends on the key"}
    assert "70,000" in run(*CHIP).stdout
    assert len(run(*CHIP, "--bytes", "64", "--csv").stdout.splitlines()) == 2


def test_it_prints_the_table_of_a_question() -> None:
    asked = (*CHIP, "--mode", "ctr", "--bytes", "64")
    told = json.loads(run(*asked, "--json").stdout)
    assert [row["rank"] for row in told["rows"]] == [1, 2]
    assert told["atlas"]["date"] == "2026-11-23"
    printed = run(*asked).stdout
    assert "from the atlas, measured on 2026-11-23" in printed
    assert printed.splitlines()[1].split()[2] == "3,000"
    assert len(run(*asked, "--csv").stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--mode", "ctr"), "name a platform too"),
        (("--platform", "ibex-small"), "platform of the atlas"),
        ((*CHIP[:1], "stm32f103,rp2040"), "name one platform, not 2"),
        (("--platform", "stm32f1030"), "stm32f103"),
        ((*CHIP, "--mode", "cbc"), "none of block, ctr"),
        ((*CHIP, "--mode", "ctr", "--bytes", "48"), "16, 64 or 1504 bytes, not 48"),
        ((*CHIP, "--mode", "ctr", "--bytes", "1K"), "16, 64 or 1504 bytes, not 1024"),
        ((*CHIP, "--json", "--csv"), "choose one format"),
    ],
)
def test_wrong_questions_are_refused(words: tuple[str, ...], told: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_a_mode_that_is_not_there_says_how_to_measure_it() -> None:
    result = run(*CHIP, "--mode", "gcm")
    assert result.exit_code == 1
    assert str(result.exception) == (
        "the atlas lacks current figures of gcm on stm32f103; measure them with: aesfit fit "
        "--platform stm32f103 --mode gcm --bytes 1504 (in a checkout, make atlas renews the file)"
    )


def test_a_platform_that_is_not_there_says_how_to_measure_it() -> None:
    result = run("--platform", "rp2040")
    assert result.exit_code == 1
    assert "measure them with: aesfit fit --platform rp2040 (in" in str(result.exception)


def test_the_command_that_is_told_is_one_of_fit() -> None:
    result = run(*CHIP, "--mode", "block")
    (command,) = re.findall(r"with: aesfit (.+) \(in a", str(result.exception))
    done = CliRunner().invoke(app, [*command.split(), "--core", "ttable1", "--csv"])
    assert done.exit_code == 0, done.output
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert (row["mode"], row["bytes"]) == ("ecb", "1504")


@pytest.mark.parametrize("words", [(), ("--mode", "ctr")])
def test_an_edited_line_is_the_reason_that_is_told(words: tuple[str, ...], atlas: Path) -> None:
    text = atlas.read_text(encoding="utf-8")
    atlas.write_text(text.replace("3000~10", "2000~10"), encoding="utf-8")
    result = run(*CHIP, *words)
    assert result.exit_code == 1
    assert "changed or damaged" in str(result.exception)
    assert "lacks" not in str(result.exception)


def test_the_winners_fit_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest names of GCM leave no room for flash and RAM, and the last is folded."""
    answer = usual_answer(small_atlas.CHIP, "ctr", 1504)
    assert answer is not None
    best = answer.choice.winner
    assert best is not None
    wide = replace(best, row=replace(best.row, core="fixslice_4k_armv7m"), ghash="shift32")
    choice = replace(answer.choice, ranking=(wide,), fastest=wide)
    monkeypatch.setattr(atlas_verb, "usual_answer", lambda *_: replace(answer, choice=choice))
    monkeypatch.setenv("COLUMNS", "80")
    told = run(*CHIP).stdout
    assert "fixslice_4k_armv7m + shift32  70,000" in told
    assert max(map(len, told.splitlines())) <= 80
    assert [line.strip() for line in told.splitlines() if "fixslice" not in line][1] == "+ shift32"
    monkeypatch.setenv("COLUMNS", "120")
    assert run(*CHIP).stdout.split()[4:6] == ["flash", "RAM"]


def test_fit_says_that_its_figures_are_from_the_atlas() -> None:
    asked = ("fit", *CHIP, "--mode", "ctr", "--bytes", "64", "--core", ",".join(small_atlas.CORES))
    printed = CliRunner().invoke(app, asked)
    assert printed.exit_code == 0, printed.output
    assert f"from the atlas, measured on 2026-11-23 with {small_atlas.COMPILER}" in printed.stdout
    told = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert (told["atlas"]["rows"], told["atlas"]["of"]) == (6, 6)
    assert told["winner"]["cycles"] == 3000

# SPDX-License-Identifier: MIT
"""`make answers`: the stored answers are those of the command line, and a changed one is told."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

sys.path.append(str(ROOT / "tools"))

import answers
import answers_file
import answers_text

EVERY = answers_file.questions(answers.QUESTIONS)
STORED = answers.ANSWERS.read_text(encoding="utf-8")
ROW = {"core": "ttable1", "cycles": 700, "window": "one call " * 9, "ghash": None}
ANSWER = {
    "schema": "aesfit.fit/2",
    "version": "0.1.0",
    "winner": ROW,
    "ranking": [{**ROW, "provenance": {"rig": "emulator 2.1", "compiler": "gcc 12"}}],
    "clock_hz": 72e6,
    "keeps_up": False,
}


def test_answers_are_the_stored_ones(slow: bool) -> None:
    """In short runs without the questions that take many seconds when nothing is stored."""
    command = [sys.executable, "tools/answers.py", *([] if slow else ["--quick"])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nmake answers ARGS=--write"
    assert done.stdout == ""


def test_every_question_has_a_stored_answer() -> None:
    held = answers_file.read(answers.ANSWERS)
    assert [(name, one.command) for name, one in held.items()] == [
        (one.name, one.command) for one in EVERY
    ]
    slow = re.findall(r'^    "(\S+)",$', answers.QUESTIONS.read_text("utf-8"), re.MULTILINE)
    assert {one.name for one in EVERY if one.slow} == set(slow)


def test_stored_answers_are_small_and_of_any_computer() -> None:
    assert len(STORED.splitlines()) < 6000
    assert len(STORED) < 320_000
    assert not re.search(r"/(home|root|tmp)/|\d{4}-\d\d-\d\d", STORED)


def test_no_stored_answer_depends_on_proofs_of_the_user() -> None:
    """A row whose evidence is runs changes when `aesfit prove` runs for its image."""
    assert "timing=independent  evidence=4 runs" not in STORED


class Asking:
    """The tool with questions and answers of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.questions = folder / "questions.toml"
        self.answers = folder / "answers.txt"
        self._patch = monkeypatch
        self.put(fit='version = "aesfit --version"', refused='chip = "aesfit fit --platform none"')

    def put(self, **groups: str) -> None:
        told = "".join(f"[{group}]\n{lines}\n" for group, lines in groups.items())
        self.questions.write_text(told, encoding="utf-8")

    def run(self, *words: str) -> int:
        files = ["--questions", str(self.questions), "--answers", str(self.answers)]
        self._patch.setattr(sys, "argv", ["answers.py", *files, *words])
        return answers.main()

    def spoil(self, old: str, new: str) -> None:
        text = self.answers.read_text(encoding="utf-8")
        assert old in text
        self.answers.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    return Asking(tmp_path, monkeypatch)


def test_stored_then_compared_is_quiet(asking: Asking, capsys: pytest.CaptureFixture[str]) -> None:
    assert asking.run("--write") == 0
    before = asking.answers.read_bytes()
    assert asking.run() == 0
    assert asking.run("--write") == 0
    assert asking.answers.read_bytes() == before
    assert capsys.readouterr() == ("", "")


def test_changed_answer_is_told(asking: Asking, capsys: pytest.CaptureFixture[str]) -> None:
    asking.run("--write")
    asking.spoil("exit code: 2", "exit code: 1")
    assert asking.run() == 1
    shown = ["[refused.chip] aesfit fit --platform none", "-exit code: 1", "+exit code: 2"]
    assert capsys.readouterr().out.splitlines() == shown


def test_changed_sentence_is_told(asking: Asking, capsys: pytest.CaptureFixture[str]) -> None:
    asking.run("--write")
    asking.spoil("there is no platform 'none'", "no platform is called 'none'")
    assert asking.run() == 1
    assert "+stderr: Error: Invalid value for --platform: there is no" in capsys.readouterr().out


def test_question_that_is_new_or_gone_is_told(
    asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    asking.run("--write")
    asking.put(fit='another = "aesfit --version"')
    assert asking.run() == 1
    out = capsys.readouterr().out
    assert "[fit.another] is not stored yet" in out
    assert "[refused.chip] is stored, and asked no longer" in out
    assert asking.run("--write") == 0
    assert asking.run() == 0
    assert "refused.chip" not in asking.answers.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("group", "command", "told"),
    [
        ("fit", "aesfit fit --platform none", "fit.one ended with exit code 2: Usage"),
        ("refused", "aesfit --version", "refused.one ended with exit code 0: it said nothing"),
    ],
)
def test_unexpected_exit_code_is_told_and_not_stored(
    group: str, command: str, told: str, asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    asking.put(**{group: f'one = "{command}"'})
    for words in (["--write"], []):
        assert asking.run(*words) == 1
        assert capsys.readouterr().err.startswith(f"answers: {told}")
    assert not asking.answers.exists()


def test_exception_is_told(
    asking: Asking, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise KeyError("core")

    monkeypatch.setattr(answers, "aesfit", broken)
    assert asking.run("refused", "--write") == 1
    assert (
        capsys.readouterr().err == "answers: refused.chip raised an exception: KeyError: 'core'\n"
    )


def test_some_questions_leave_the_others_alone(
    asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    asking.run("--write")
    asking.spoil("stdout: aesfit", "stdout: another")
    asking.spoil("exit code: 2", "exit code: 1")
    assert asking.run("fit.version") == 1
    assert "refused" not in capsys.readouterr().out
    assert asking.run("refused", "--write") == 0
    assert asking.run("refused") == 0
    assert asking.run() == 1
    assert "[fit.version]" in capsys.readouterr().out


def test_quick_leaves_out_slow_questions(
    asking: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    text = asking.questions.read_text(encoding="utf-8")
    asking.questions.write_text(f'slow = ["refused.chip"]\n{text}', encoding="utf-8")
    assert asking.run("--quick", "--list") == 0
    assert capsys.readouterr().out == "[fit.version] aesfit --version\n"


def test_unknown_name_is_refused(asking: Asking, capsys: pytest.CaptureFixture[str]) -> None:
    assert asking.run("fti") == 2
    told = "answers: there is no question 'fti'; the nearest is 'fit'\n"
    assert capsys.readouterr() == ("", told)


def test_other_compilers_are_named_beside_differences(asking: Asking) -> None:
    question = answers_file.Question("fit.one", "aesfit fit")
    reply = answers.Reply(0, json.dumps(ANSWER), "")
    found = answers.Asked(((question, reply),))
    assert answers.told(found, [question], asking.answers)[-1] == (
        "the stored answers are not of gcc 12"
    )
    answers.write(found, [question], asking.answers)
    assert "# compiler: gcc 12\n" in asking.answers.read_text(encoding="utf-8")
    assert answers.told(found, [question], asking.answers) == []


def lines(answer: dict[str, Any], complaint: str = "") -> tuple[str, ...]:
    return answers_text.lines_of(0, json.dumps(answer), complaint)


def test_a_row_is_a_line_and_a_long_text_another() -> None:
    assert lines(ANSWER) == (
        "exit code: 0",
        "schema: aesfit.fit/2",
        "winner: ttable1",
        "ranking: core=ttable1  cycles=700",
        f"ranking.window: {ROW['window']}",
        "clock_hz: 72000000",
        "keeps_up: false",
    )


def test_a_changed_figure_is_one_changed_line() -> None:
    changed = {**ROW, "cycles": 701}
    told = answers_text.changes(
        lines(ANSWER), lines({**ANSWER, "winner": changed, "ranking": [changed]})
    )
    assert told == ["-ranking: core=ttable1  cycles=700", "+ranking: core=ttable1  cycles=701"]


def test_long_lines_are_shown_around_the_change() -> None:
    before, after = (f"sentence: {'a ' * 90}{n} cycles{' b' * 90}" for n in (700, 70123))
    minus, plus = answers_text.changes([before], [after])
    assert minus == f"-sentence: {'a ' * 20} ... {'a ' * 8}a 700 cycles{' b' * 6}  ..."
    assert "70123 cycles" in plus
    assert len(plus) < 120


def test_a_float_has_six_digits() -> None:
    assert lines({"cycles_per_call": 2550.4925016105926})[1] == "cycles_per_call: 2550.49"


def test_building_what_the_store_lacks_is_no_answer() -> None:
    built = "aesfit: the emulator's tracer is built once, into the cache folder\n"
    assert lines(ANSWER, built) == lines(ANSWER)
    assert lines(ANSWER, "aesfit: another sentence\n")[-1] == "stderr: aesfit: another sentence"


def test_boards_of_the_user_are_not_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AESFIT_CONFIG", str(tmp_path))
    here = Path.cwd()
    with answers.settings():
        assert os.environ["AESFIT_CONFIG"] == str(Path.cwd())
        assert Path.cwd() != here
    assert os.environ["AESFIT_CONFIG"] == str(tmp_path)
    assert Path.cwd() == here

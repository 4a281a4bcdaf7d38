# SPDX-License-Identifier: MIT
"""Help of every verb: names, units, defaults, examples; completion; what exit codes mean."""

import re
from pathlib import Path
from threading import Event

import pytest
from click import Option
from click.testing import CliRunner, Result
from verb_help import can_be_typed, faults, options

from aesfit import cli
from aesfit.cli import app
from aesfit.cli.examples import EXAMPLES
from aesfit.cli.progress import ProgressLines, progress_lines

VERBS = (*cli.VERBS.verbs, *cli.VERBS.seconds)
OWN_EXAMPLES = {"encrypt", "decrypt"}
"""They have theirs with explanations."""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("verb", VERBS)
def test_options_say_what_they_mean(verb: str) -> None:
    assert faults(options(cli.VERBS, verb)) == []


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_examples_that_can_be_typed(verb: str) -> None:
    told = run(*verb.split(), "-h")
    assert told.exit_code == 0, told.output
    assert f"  aesfit {verb}" in told.stdout
    assert verb in EXAMPLES or verb in OWN_EXAMPLES
    assert all(len(line) <= 80 for line in told.stdout.splitlines())


@pytest.mark.parametrize("example", [one for each in EXAMPLES.values() for one in each])
def test_examples_use_options_that_exist(example: str) -> None:
    assert can_be_typed(cli.VERBS, example)


@pytest.mark.parametrize(
    ("option", "fault"),
    [
        (Option(["--size"], default=None, help="Bytes."), "says not what holds without it"),
        (Option(["-o"], default=1, help="Bytes."), "short options have one long name"),
        (Option(["--output"], default=1, help="Bytes."), "short options have one long name"),
        (Option(["--deep"], default=1, metavar="<n>", help="How deep."), "names no unit"),
    ],
)
def test_planted_faults_of_help_are_found(option: Option, fault: str) -> None:
    found = [("verb", option)]
    assert [told.partition(": ")[0] for told in faults(iter(found))] == [fault]


def test_what_is_asked_in_several_verbs_has_one_name_and_one_default() -> None:
    known: dict[str, dict[str, object]] = {}
    for verb in VERBS:
        for name, one in options(cli.VERBS, verb):
            known.setdefault(one.opts[0], {})[name] = one.default
    assert len(known["--calls-per-burst"]) == 3
    assert set(known["--evicted"]) == {"fit", "predict", "predict validate"}
    assert set(known["--key-changes"].values()) == {"never"}
    assert not known.keys() & {"--calls", "--evicted-between-bursts", "--save"}


def test_a_name_alone_shows_the_verbs_that_most_people_need() -> None:
    told = run()
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    shown = [line.split()[0] for line in lines if re.match("  [a-z]", line)]
    assert shown == ["fit", "emit", "prove", "board", "serve"]
    assert lines[-1].startswith("All verbs: aesfit --help.")


def test_the_top_has_at_most_twenty_names_and_names_all_others() -> None:
    told = run("--help").stdout
    shown = re.findall("^  ([a-z-]+)  ", told.partition("Choose:")[2], re.MULTILINE)
    assert set(shown) == {*cli.VERBS.verbs, "papers"}
    assert len(shown) <= 20
    for verb, what in cli.VERBS.seconds.items():
        first, _ = verb.split()
        first_told = " ".join(run(first, "--help").stdout.split())
        assert f"aesfit {verb} {what}" in first_told


@pytest.mark.parametrize("old", ["validate", "front", "selftest"])
def test_an_old_name_leads_to_two_words(old: str) -> None:
    told = run(old, "--help")
    assert (told.exit_code, told.stdout) == (2, "")
    (new,) = (verb for verb in cli.VERBS.seconds if verb.endswith(f" {old}"))
    assert f"No such command '{old}'. Did you mean '{new}'?" in told.stderr


def test_verbs_are_grouped_and_none_is_cut() -> None:
    told = run("-h").stdout
    assert "..." not in told.replace("[ARGS]...", "")
    assert [told.index(f"{heading}:\n") for heading in cli.VERBS.headings] == sorted(
        told.index(f"{heading}:\n") for heading in cli.VERBS.headings
    )
    for verb in ("image", "board"):
        assert "..." not in run(verb, "-h").stdout.replace("[ARGS]...", "")


def test_completion_names_verbs_and_options() -> None:
    assert {"--install-completion", "--show-completion"} <= {o for p in app.params for o in p.opts}
    runner = CliRunner()
    for words, wanted in (("aesfit fi", "fit"), ("aesfit fit --key-c", "--key-changes")):
        asked = {"_AESFIT_COMPLETE": "bash_complete", "COMP_WORDS": words,
                 "COMP_CWORD": str(len(words.split()) - 1)}  # fmt: skip
        done = runner.invoke(app, [], env=asked, prog_name="aesfit")
        assert done.stdout.split() == [f"plain,{wanted}"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_and_put_where_the_shell_looks(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    shown = run("--show-completion").stdout
    assert "_AESFIT_COMPLETE" in shown
    put = run("--install-completion").stdout
    assert Path(put.partition(" written")[0]).read_text(encoding="utf-8") == shown
    monkeypatch.setenv("SHELL", "/bin/sh")
    assert run("--show-completion").exit_code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "front", "none", "--x", "cycles", "--y", "flash"),
        ("image", "encrypt", "none", "-o", "out.png", "--new-key-file", "key"),
        ("image", "analyse", "none"),
        ("image", "sheet", "none", "-o", "out.png"),
        ("cores", "selftest", "--acvp", "none"),
        ("encrypt", "none", "--key", "00" * 16),
        ("decrypt", "none", "none too", "--key", "00" * 16),
        ("sweep", "none", "-o", "out.parquet"),
        ("fit", "--file", "none"),
        ("wlan", "--battery", "none.toml"),
        ("fit", "--platform", "none.toml"),
        ("count", "--platform", "cortex-m3", "--elf", "none", "--function", "f"),
    ],
)
def test_a_missing_file_is_what_the_user_got_wrong(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert "none" in done.stderr


@pytest.mark.parametrize(("named", "code"), [(["--key-file=gone"], 2), (["gone"], 2), ([], 1)])
def test_a_file_that_is_not_there_fails_by_who_named_it(
    named: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent() -> None:
        raise FileNotFoundError(2, "No such file or directory", "gone")

    monkeypatch.setattr(cli, "app", absent)
    monkeypatch.setattr("sys.argv", ["aesfit", "verb", *named])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert capsys.readouterr().err == "aesfit: there is no file 'gone'\n"


def test_progress_off_a_terminal_has_an_estimate_of_what_is_left() -> None:
    now = [0.0]
    lines = ProgressLines("measuring", lambda: now[0])
    now[0] = 70.0
    assert lines.line() == "aesfit: measuring: begun 70 s ago"
    lines.report(30, 40)  # which were stored
    assert lines.line() == "aesfit: measuring: 30 of 40"
    now[0] += 8.0
    lines.report(32, 40)
    assert lines.line() == "aesfit: measuring: 32 of 40, about 32 s left"
    now[0] += 142.0
    assert lines.line() == "aesfit: measuring: 32 of 40, about 10 min left"
    lines.report(40, 40)
    assert lines.line() == "aesfit: measuring: 40 of 40"


def test_progress_off_a_terminal_is_told_between_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, told = Event(), list[str]()

    def tell(line: str) -> None:
        told.append(line)
        heard.set()

    monkeypatch.setattr("aesfit.cli.progress.FIRST_SECONDS", 0.0)
    monkeypatch.setenv("AESFIT_PROGRESS", "always")
    with progress_lines("measuring", tell):
        heard.wait()
    assert told[0].startswith("aesfit: measuring: begun")
    monkeypatch.setenv("AESFIT_PROGRESS", "never")
    told.clear()
    with progress_lines("measuring", tell) as report:
        report(1, 1)
    assert told == []

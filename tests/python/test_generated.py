# SPDX-License-Identifier: MIT
"""`make generated`: what is old of the files that are made from others is listed and renewed."""

import sys
from pathlib import Path

import pytest
from places import ROOT

sys.path.append(str(ROOT / "tools"))

import generated
import generated_sources

REGISTER = """
[first]
files = ["made.h"]
data = ["given.c", "given.csv"]
code = ["tools/make.py"]
without = ["tools/drawn.py"]
command = "python tools/make.py"
takes = "1 s"

[second]
pages = ["page.md"]
data = ["made.h"]
command = "echo page > page.md"
takes = "1 s"

[checked]
files = ["kept"]
check = "cat kept; grep -q new kept"
command = "echo new > kept"
takes = "1 s"

[others]
files = ["theirs"]
data = ["page.md"]
command = "theirs FOLDER"
takes = "1 h"
by_hand = "it needs other people's code"
"""
MAKE = '"""Makes."""\nfrom shared import NAME\nimport drawn\nopen(NAME, "w").write("int made;")\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    for name, text in {
        "tools/generated.toml": REGISTER,
        "tools/make.py": MAKE,
        "tools/shared.py": 'NAME = "made.h"\n',
        "tools/drawn.py": "COLOUR = 1\n",
        "given.c": 'char *a = "//"; // one\n',
        "given.csv": "1\n",
        "made.h": "int made;",
        "page.md": "page\n",
        "kept": "new\n",
        "theirs": "1\n",
    }.items():
        (tmp_path / name).write_text(text)
    names = [item.name for item in generated.Register(tmp_path).items()]
    assert generated.main(["--record", *names, "--root", str(tmp_path)]) == 0
    return tmp_path


def old(root: Path) -> dict[str, str]:
    """Why items are old."""
    generated_sources.forget()
    register = generated.Register(root)
    return {one.name: why for one, why in register.states(register.items()) if why}


def test_what_was_just_made_is_current(root: Path) -> None:
    assert old(root) == {}
    assert generated.main(["--check", "--root", str(root)]) == 0


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("made.h", "int edited;", {"first": "its files", "second": "made.h"}),
        ("given.c", 'char *a = "/"; // one\n', {"first": "given.c"}),
        ("given.csv", "# 1\n", {"first": "given.csv"}),
        ("tools/make.py", MAKE.replace("int", "long"), {"first": "tools/make.py"}),
        ("tools/shared.py", 'NAME = "other.h"\n', {"first": "tools/make.py"}),
        ("page.md", "other\n", {"others": "page.md"}),
    ],
)
def test_an_old_file_is_listed_with_what_changed(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, why: dict[str, str]
) -> None:
    (root / name).write_text(text)
    assert old(root) == {item: f"changed: {label}" for item, label in why.items()}
    assert generated.main(["--check", "--root", str(root)]) == 1
    told = capsys.readouterr().out.splitlines()
    for item, label in why.items():
        assert f"{item}: changed: {label}" in told
    assert {line.split()[0] for line in told if "  old  " in line} == set(why)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("given.c", 'char *a = "//"; /* two\nlines */\n\n'),
        ("tools/make.py", f"# why\n{MAKE}".replace("Makes.", "It makes\n    it.")),
        ("tools/drawn.py", "COLOUR = 2\n"),
    ],
)
def test_what_no_result_depends_on_makes_nothing_old(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    assert old(root) == {}


def test_what_was_never_recorded_or_fails_its_own_check_is_old(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "tools" / "generated.lock").unlink()
    (root / "kept").write_text("one is missing\ntwo too\n")
    never = "no record of when it was made"
    assert old(root) == {
        **dict.fromkeys(("first", "second", "others"), never),
        "checked": "one is missing (and 1 more lines)",
    }
    assert generated.main(["--check", "second", "--root", str(root)]) == 1
    assert "first" not in capsys.readouterr().out


def test_what_is_old_is_renewed_in_order(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "made.h").write_text("int edited;")
    (root / "kept").write_text("old\n")
    assert generated.main(["--root", str(root)]) == 0
    assert (root / "made.h").read_text() == "int made;"
    assert (root / "kept").read_text() == "new\n"
    assert old(root) == {}
    assert "second" not in capfd.readouterr().out  # its source is again what it was


def test_what_is_made_by_hand_or_fails_stays_old(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (root / "theirs").write_text("2\n")
    (root / "tools" / "shared.py").write_text("NAME = 1 / 0\n")
    assert generated.main(["--root", str(root)]) == 1
    told = capfd.readouterr()
    assert "others is old and made by hand (it needs other people's code)" in told.out
    assert "first: its command failed" in told.err
    assert set(old(root)) == {"first", "others"}


@pytest.mark.parametrize("wrong", [("--check", "third"), ("--record",)])
def test_an_unknown_item_and_a_record_of_all_are_refused(
    root: Path, wrong: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as raised:
        generated.main([*wrong, "--root", str(root)])
    assert raised.value.code == 2


@pytest.mark.parametrize("item", generated.Register(ROOT).items(), ids=lambda item: str(item.name))
def test_the_register_names_files_that_there_are(item: generated.Item) -> None:
    code = [one for one in item.code if "/" in one]
    for pattern in (*item.files, *item.pages, *item.data, *code, *item.without):
        assert generated_sources.files(ROOT, [pattern.removeprefix("!")]), pattern
    assert item.takes
    assert item.files or item.pages
    item.digests(ROOT)


@pytest.mark.parametrize(
    "pattern",
    [
        "aesfit/**/*.[ct]sv",
        "bench/*.csv",
        "docs/figures/*",
        "papers/**/*.csv",
        "tests/evidence/*.csv",
    ],
)
def test_every_table_and_figure_is_in_the_register(pattern: str) -> None:
    items = generated.Register(ROOT).items()
    made = {path for one in items for path in generated_sources.files(ROOT, one.files)}
    assert set(ROOT.glob(pattern)) <= made


def test_every_tool_that_makes_files_is_in_the_register() -> None:
    commands = " ".join(one.command for one in generated.Register(ROOT).items())
    for path in (ROOT / "tools").glob("make_*.py"):
        assert path.name in commands, path.name

# SPDX-License-Identifier: MIT
"""The house in order: registers and folders agree, files are headed and not too long."""

import re
from pathlib import Path

import pytest
from places import ROOT

import aesfit

SOURCES = ROOT / "lib" / "src"
NOT_OURS = re.compile(r"\.|build\b|dist$|report$|.*\.egg-info$")
CODE = {".c", ".h", ".py", ".pyi", ".cpp", ".rs", ".sh", ".cmake", ".v"}


def tracked() -> list[Path]:
    """Files of the project: what is not hidden, built or a report (.gitignore says the same)."""
    top = [path for path in ROOT.iterdir() if not NOT_OURS.match(path.name)]
    below = (path for folder in top if folder.is_dir() for path in folder.rglob("*"))
    return [
        path
        for path in (*top, *below)
        if path.is_file()
        and not {"__pycache__", "build"} & set(path.relative_to(ROOT).parts)
        and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
        and path.suffix != ".so"
    ]


def registered(kind: str, macro: str) -> list[str]:
    """Names in a register."""
    text = (SOURCES / kind / f"{kind}.def").read_text(encoding="utf-8")
    return re.findall(rf"^{macro}\((\w+)\)$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("kind", "macro"),
    [("cores", "CORE"), ("modes", "MODE"), ("ghash", "GHASH"), ("bulk", "BULK")],
)
def test_folder_and_register_agree(kind: str, macro: str) -> None:
    names = registered(kind, macro)
    assert len(names) == len(set(names))
    assert sorted(names) == sorted(path.stem for path in (SOURCES / kind).rglob("*.c"))


def test_the_library_takes_its_licence_along() -> None:
    """So that lib/ can be copied away alone."""
    assert (ROOT / "lib" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_library_has_every_registered_core() -> None:
    listed = [core.name for core in aesfit.cores()]
    assert listed == registered("cores", "CORE")


def comment_head(path: Path) -> str:
    """Text of the first comments of a C file, the licence line left out."""
    text = path.read_text(encoding="utf-8").split("#include", 1)[0]
    return "\n".join(text.splitlines()[1:])


@pytest.mark.parametrize("kind", ["cores", "modes", "ghash"])
def test_every_file_explains_itself(kind: str) -> None:
    """In 5 to 25 lines, with its source, its cost and whether it is constant-time."""
    for path in (SOURCES / kind).rglob("*.c"):
        head = comment_head(path).strip()
        assert head.startswith("/*"), path.name
        assert 5 <= len(head.partition("*/")[0].splitlines()) <= 25, path.name
        for label in ("Source:", "Cost", "Constant-time:"):
            assert re.search(rf"^ \* {label}", head, re.MULTILINE), f"{path.name}: {label}"


@pytest.mark.parametrize("mode", registered("modes", "MODE"))
def test_every_mode_is_tested_and_public(mode: str) -> None:
    folder = ROOT / "lib" / "include"
    header = "".join(
        (folder / f"aesfit{part}.h").read_text() for part in ("", "_seal", "_messages")
    )
    functions = set(re.findall(r"^\w[\w ]*\*?(aesfit_\w+)\(", header, re.MULTILINE))
    defined = set(
        re.findall(
            r"^int (aesfit_\w+)\(", (SOURCES / "modes" / f"{mode}.c").read_text(), re.MULTILINE
        )
    )
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "c").glob("*.[ch]"))
    assert defined
    assert defined <= functions
    for function in defined:
        assert function in tests, f"{function} is not called by any C test"


def test_files_are_not_too_long() -> None:
    """400 lines, but for what programs write: tables and assembly."""
    for path in tracked():
        if path.suffix not in CODE or "third_party" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        if "Made by tools/make_tables.py" not in text and "Written by tools/assemble" not in text:
            assert len(text.splitlines()) <= 400, path.name


def test_every_file_names_its_licence() -> None:
    for path in tracked():
        if "third_party" in path.parts:
            continue  # a licence of its own lies beside it
        if path.suffix in CODE or path.name in {"CMakeLists.txt", "Makefile"}:
            lines = path.read_text(encoding="utf-8").splitlines()[:2]
            assert any("SPDX-License-Identifier: MIT" in line for line in lines), path


def test_pins_have_hashes_and_no_addresses() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path.name
        pins = [line for line in text.splitlines() if "==" in line]
        assert pins
        for line in pins:
            following = text.split(line, 1)[1].lstrip("\n ")
            assert following.startswith("--hash=sha256:"), f"{path.name}: {line}"


BY_THE_CLOCK = re.compile(
    r"sleep\(|\bclock_gettime\b|\b(perf_counter|monotonic|process_time)\b|\btime\.time\("
    r"|\btimeout=(?!None\b|0\b)|\b(set_\w*timeout|alarm|setitimer)\((?!0\))"
    r"|\.(wait|join)\([\d.]|\bselect\([^()]*,[^()]*,[^()]*,|\bdeadline=(?!None\b)"
    r"|\bseconds=\d"
)
"""Patterns that make a test depend on a machine's speed: CONTRIBUTING.md has alternatives."""


def waits(text: str) -> list[str]:
    """Lines that look at the clock and do not carry their reason ("# no deadline: ...")."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if BY_THE_CLOCK.search(line) and "# no deadline:" not in line]


@pytest.mark.parametrize(
    "line",
    [
        *("time.sleep(0.1)", "from time import monotonic", "begun = time.perf_counter()"),
        *("run(command, timeout=60)", "tool.run([], seconds=60)", "thread.join(20)"),
        *("event.wait(0.5)", "page.wait(1)"),
        *("select.select([pipe], [], [], 1)", "@settings(deadline=200)", "signal.alarm(5)"),
        *("page.set_default_timeout(15_000)", "now = time.time()"),
    ],
)
def test_a_wait_by_the_clock_would_be_found(line: str) -> None:
    assert waits(f"if True:\n    {line}\n") == [line]
    assert waits(f"{line}  # no deadline: a reason") == []
    assert waits("event.wait(); get(url, timeout=None); page.set_default_timeout(0)") == []


def test_no_test_waits_by_the_clock() -> None:
    """The same in any language."""
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in CODE and path != Path(__file__).resolve():
            assert waits(path.read_text(encoding="utf-8")) == [], path.relative_to(ROOT)


def test_folders_are_at_most_four_deep() -> None:
    for path in tracked():
        assert len(path.relative_to(ROOT).parts) <= 5, path

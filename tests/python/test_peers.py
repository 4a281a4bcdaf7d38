# SPDX-License-Identifier: MIT
"""The page on other libraries follows from its CSV, and the tools refuse what is wrong."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from places import ROOT
from scripts import loaded

from aesfit.rigs.firing import WrongOutputError

ENTRY = """
[[port]]
library = "made-up"
version = "1.0"
source = "nowhere"
configuration = "default"
flags = "-O2"
platform = "cortex-m3"
mode = "block"
objects = ["aes.o"]
"""
PORTS = os.environ.get("AESFIT_PEERS")
"""A file that lists objects of the libraries that the CSV has."""


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[ModuleType, ModuleType]]:
    """The tool that measures, and the one that writes the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        yield tuple(loaded(ROOT / "tools" / f"{name}.py") for name in NAMES)  # type: ignore[misc]


NAMES = ("measure_peers", "make_peers_page")


@pytest.fixture
def measure(tools: tuple[ModuleType, ModuleType]) -> ModuleType:
    return tools[0]


@pytest.fixture
def page(tools: tuple[ModuleType, ModuleType]) -> ModuleType:
    return tools[1]


def listing(folder: Path, text: str = ENTRY) -> Path:
    """A file of ports with an object beside it."""
    (folder / "aes.o").write_bytes(b"no object")
    file = folder / "ports.toml"
    file.write_text(text)
    return file


def test_the_page_follows_from_the_csv(page: ModuleType) -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.renewed(text, page.read()) == text


def test_where_another_library_wins_stands_first(page: ModuleType) -> None:
    rows = page.read()
    contest = next(one for one in page.contests(rows, page.AIMS[0]) if one.ratio >= 1.5)
    faster = replace(contest.theirs, cycles=contest.ours.cycles // 2, library="made-up")
    told = page.verdict([*rows, faster])
    assert "made-up" in told
    assert "made-up" not in page.verdict(rows)
    assert told.count(" wins ") == len(page.AIMS)


def test_only_what_shows_no_secret_is_called_constant_time(page: ModuleType) -> None:
    found = page.contests(page.read(), page.AIMS[1])
    assert found
    kinds = {row.constant_time for one in found for row in (one.ours, one.theirs)}
    assert kinds <= {"always", "sampled"}


def test_a_page_without_a_place_is_refused(page: ModuleType) -> None:
    with pytest.raises(ValueError, match="has no place for its verdict"):
        page.renewed("nothing", page.read())


def test_rows_are_read_as_they_were_written(measure: ModuleType, tmp_path: Path) -> None:
    rows = measure.read()
    measure.write(reversed(rows), tmp_path / "peers.csv")
    assert (tmp_path / "peers.csv").read_bytes() == measure.CSV.read_bytes()
    (tmp_path / "peers.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="has other columns than platform"):
        measure.read(tmp_path / "peers.csv")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lists no [[port]]"),
        ("[[port]", "is no TOML"),
        (ENTRY.replace('version = "1.0"\n', ""), "has no version; add it"),
        (ENTRY.replace('"block"', '"cbc"'), "mode"),
        (ENTRY.replace("aes.o", "gone.o"), "clone and compile made-up"),
        (ENTRY.replace("cortex-m3", "cortex-m33"), "has to name one of cortex-m3"),
        (ENTRY, "is not an ELF file"),
    ],
)
def test_a_listing_that_is_wrong_ends_with_one_sentence(
    measure: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    output = tmp_path / "out.csv"
    assert measure.main([str(listing(tmp_path, text)), "--output", str(output)]) == 2
    assert told in capsys.readouterr().err
    assert not output.exists()


def test_a_missing_listing_says_what_to_clone(
    measure: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure.main([str(tmp_path / "ports.toml")]) == 2
    assert "clone and compile the libraries" in capsys.readouterr().err


def test_a_wrong_output_writes_nothing(
    measure: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def wrong(*_: object) -> None:
        raise WrongOutputError("made-up does not compute what the library does")

    monkeypatch.setattr(measure, "port_row", wrong)
    output = tmp_path / "out.csv"
    assert measure.main([str(listing(tmp_path)), "--output", str(output)]) == 1
    assert "does not compute" in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.usefixtures("only_slow")
@pytest.mark.skipif(PORTS is None, reason="AESFIT_PEERS names no listing of compiled libraries")
def test_libraries_measured_again_are_as_the_csv_says(measure: ModuleType) -> None:
    known = {(row.image_sha256, row.op, row.bytes): row for row in measure.read()}
    entry = measure.listed(Path(str(PORTS)))[0]
    again = measure.peer_rows(entry)
    same = [row for row in again if (row.image_sha256, row.op, row.bytes) in known]
    assert same, "the CSV has other images; measure all again"
    assert [known[row.image_sha256, row.op, row.bytes] for row in same] == same

# SPDX-License-Identifier: MIT
"""The page on other libraries follows from its CSV, and the tools refuse what is wrong."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import ROOT
from scripts import loaded

from aesfit.jobs.secrecy import TIMINGS
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
def measure(tools: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Without the prover, which nothing here needs."""
    monkeypatch.setattr(tools[0], "check_prover", lambda: None)
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


def timing(page: ModuleType) -> list[Any]:
    """Rows of bench/peers_timing.csv."""
    return page.read_timing(page.timing_beside(page.CSV))  # type: ignore[no-any-return]


def test_the_page_follows_from_the_csv(page: ModuleType) -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.renewed(text, page.read(), timing(page)) == text


def test_where_another_library_wins_stands_first(page: ModuleType) -> None:
    rows = page.read()
    contest = next(one for one in page.contests(rows, page.AIMS[0]) if one.ratio >= 1.5)
    faster = replace(contest.theirs, cycles=contest.ours.cycles // 2, library="made-up")
    told = page.verdict([*rows, faster])
    fastest, constant_time, *_ = (told.index(f"- **{aim.title}**") for aim in page.AIMS)
    assert fastest < told.index("made-up") < constant_time
    others = [one.theirs.library for one in page.contests(rows, page.AIMS[0]) if one.ratio < 0.99]
    assert all(told.index("made-up") < told.index(name, fastest) for name in others)
    assert "made-up" not in page.verdict(rows)
    assert told.count(" wins ") == 1 + len(page.AIMS)
    lost = sum(one.lead < 0 for aim in page.AIMS[:4] for one in page.contests(rows, aim))
    assert f"another library wins {lost}.\n" in page.verdict(rows)


@pytest.mark.parametrize(
    ("cycles", "told"),
    [
        (979, "wins 1.\n    - made-up, -Os: one block, encrypt: 0.98 on"),
        (989, "wins 1.\n    - made-up, -Os: one block, encrypt: 0.989 on"),
        (990, "wins 0; 1 are ties (0.99 to 1.01).\n"),
        (1010, "wins 0; 1 are ties (0.99 to 1.01).\n"),
        (1011, "wins 0, aesfit 1, by 1.011 to 1.011 times.\n"),
    ],
)
def test_a_hundredth_of_the_cycles_is_a_tie(page: ModuleType, cycles: int, told: str) -> None:
    theirs = replace(block(page), cycles=cycles, library="made-up", flags="-Os", flash_bytes=2000)
    verdict = page.verdict([block(page), theirs])
    assert f"**Fastest**: of 1 jobs another library {told}" in verdict
    assert "**Least flash**: of 1 jobs another library wins 0, aesfit 1, by 2.00" in verdict


def block(page: ModuleType) -> Any:  # noqa: ANN401 - a PeerRow of the tool
    """Of ours, with -O3: 1,000 cycles and as many bytes of flash."""
    row = next(one for one in page.read() if one.library == page.OURS and one.op == "encrypt-block")
    return replace(row, cycles=1000, flash_bytes=1000, flags="-O3", configuration="default")


def test_factors_between_unequal_flags_are_named(page: ModuleType) -> None:
    ours = block(page)
    small = replace(ours, cycles=5000, library="made-up", flags="-Os")
    place = page.platform_named(ours.platform).title
    told = f"- made-up, measured with `-Os` alone: against `-O3` on {place}.\n"
    assert told in page.gains([ours, small])
    for row in (
        replace(small, cycles=6000, flags="-O3"),
        replace(small, flags="assembly"),
        replace(ours, cycles=900, flags="-Os"),
    ):
        assert "measured with" not in page.gains([ours, small, row])


def test_only_what_shows_no_secret_is_called_constant_time(page: ModuleType) -> None:
    rows, aim = page.read(), page.AIMS[1]
    found = page.contests(rows, aim)
    kinds = {row.timing for one in found for row in (one.ours, one.theirs)}
    assert kinds == {"independent"}
    theirs = found[0].theirs
    for timing, wins in zip(TIMINGS, (True, False, False), strict=True):
        faster = replace(theirs, cycles=found[0].ours.cycles // 2, timing=timing, library="made-up")
        best = {one.theirs.library for one in page.contests([*rows, faster], aim)}
        assert ("made-up" in best) is wins


def test_a_page_without_a_place_is_refused(page: ModuleType) -> None:
    with pytest.raises(ValueError, match="has no place for its verdict"):
        page.renewed("nothing", page.read(), timing(page))


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
        (ENTRY.replace("[[port]]", "[port]"), "begins with [[port]]"),
        ("port = 3", "begins with [[port]]"),
        ("port = [3]", "begins with [[port]]"),
        (ENTRY.replace('["aes.o"]', "[1]"), "objects in a [[port]] of"),
        (ENTRY.replace('["aes.o"]', '"aes.o"'), 'is no list of texts: objects = ["..."]'),
        (ENTRY.replace('"block"', '["x"]'), 'is no text in quotes: mode = "..."'),
        (ENTRY.replace('"made-up"', '"aesfit"'), "aesfit is measured without a [[port]]"),
        (f"{ENTRY}blocks = true", "blocks in a [[port]] of"),
        (f"{ENTRY}blocks = 3", "takes 3 blocks a call"),
        (f"{ENTRY}operations = 1", "operations in a [[port]] of"),
        (f'{ENTRY}operations = ["encrypt-blok"]', "'encrypt-block'"),
        (ENTRY, "is not an ELF file"),
    ],
)
def test_a_listing_that_is_wrong_ends_with_one_sentence(
    measure: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    output = tmp_path / "out.csv"
    assert measure.main([str(listing(tmp_path, text)), "--output", str(output)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("measure_peers: ")
    assert told in error
    assert error.count("\n") == 1
    assert not output.exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cortex-m3,block", "row 1 of {} does not have 18 cells"),
        ("{}" + 18 * ",", "row 1 of {} does not have 18 cells"),
        ("a,block,o,many,l,v,c,f,c,1,2,3,4,5,s,e,i,s", "row 1 of {}: invalid literal for int()"),
    ],
)
def test_rows_that_do_not_fit_end_it_with_one_sentence(
    measure: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    output = tmp_path / "out.csv"
    text = "".join(measure.CSV.read_text().splitlines(keepends=True)[:2]) + f"{line}\n"
    output.write_text(text)
    assert measure.main([str(listing(tmp_path)), "--output", str(output)]) == 2
    assert told.format(output) in capsys.readouterr().err
    assert output.read_text() == text


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
    measured: list[str] = []

    def wrong_on_the_second(one: Any) -> list[object]:  # noqa: ANN401 - a Listed of the tool
        measured.append(one.platform)
        if one.platform == "cortex-m4":
            raise WrongOutputError("made-up does not compute what the library does")
        return [row for row in measure.read() if row.platform == one.platform]

    monkeypatch.setattr(measure, "peer_rows", wrong_on_the_second)
    monkeypatch.setattr(measure, "our_rows", lambda platform: [])
    monkeypatch.setattr(measure, "examined_rows", lambda one: [])
    output = tmp_path / "out.csv"
    file = listing(tmp_path, ENTRY + ENTRY.replace("cortex-m3", "cortex-m4"))
    assert measure.main([str(file), "--output", str(output)]) == 1
    assert "does not compute" in capsys.readouterr().err
    assert measured == ["cortex-m3", "cortex-m4"]
    assert not output.exists()
    assert not measure.timing_beside(output).exists()
    assert measure.main([str(listing(tmp_path)), "--output", str(output)]) == 0
    assert output.exists(), "where all is right"
    assert measure.timing_beside(output).exists(), "examined too"


def again(
    measure: ModuleType, monkeypatch: pytest.MonkeyPatch, output: Path, new: dict[str, Any]
) -> None:
    """A file with the stored rows; of ours, measured again, `new` is otherwise."""
    measure.write(measure.read(), output)
    own = [row for row in measure.read() if row.library == measure.OURS]
    monkeypatch.setattr(
        measure,
        "our_rows",
        lambda platform: [replace(row, **new) for row in own if row.platform == platform],
    )


def test_ours_are_measured_alone_where_counts_agree(
    measure: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.csv"
    again(measure, monkeypatch, output, {"version": "new"})
    assert measure.main(["--output", str(output), "--platform", "cortex-m3"]) == 0
    rows = measure.read(output)
    others = [row for row in measure.read() if row.library != measure.OURS]
    assert [row for row in rows if row.library != measure.OURS] == others
    renewed = {row.platform for row in rows if row.version == "new"}
    assert renewed == {"cortex-m3"}
    assert not measure.timing_beside(output).exists(), "nothing was examined"


@pytest.mark.parametrize(
    ("new", "told"),
    [({"cycles": 1}, " takes 1 cycles now, and not "), ({"image_sha256": "0"}, "no image of ours")],
)
def test_rows_of_others_stay_only_where_counts_agree(
    measure: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    new: dict[str, Any],
    told: str,
) -> None:
    output = tmp_path / "out.csv"
    again(measure, monkeypatch, output, new)
    before = output.read_bytes()
    assert measure.main(["--output", str(output)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert output.read_bytes() == before


def test_a_listing_of_one_library_renews_that_library(
    measure: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out.csv"
    again(measure, monkeypatch, output, {})
    text = ENTRY.replace("made-up", "TinyCrypt")
    (row,) = [row for row in measure.read() if row.library == "TinyCrypt"][:1]
    monkeypatch.setattr(measure, "peer_rows", lambda one: [replace(row, platform="cortex-m3")])
    monkeypatch.setattr(measure, "examined_rows", lambda one: [])
    assert measure.main([str(listing(tmp_path, text)), "--output", str(output)]) == 0

    def counted(rows: list[Any]) -> Counter[str]:
        return Counter(one.library for one in rows if one.platform == "cortex-m3")

    found, stored = counted(measure.read(output)), counted(measure.read())
    assert found == stored - Counter({"TinyCrypt": stored["TinyCrypt"] - 1})


def test_timing_needs_a_listing(measure: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure.main(["--timing"]) == 2
    assert "name the file too" in capsys.readouterr().err


def test_what_is_lost_has_its_reason_and_nothing_else(page: ModuleType) -> None:
    rows, reasons = page.read(), dict(page.read_reasons())
    page.check_reasons(rows, reasons)
    lost, why = next(iter(reasons.items()))
    assert why in page.verdict(rows, reasons)
    with pytest.raises(ValueError, match=f"{lost[1]} is lost, and has no reason"):
        page.check_reasons(rows, {one: told for one, told in reasons.items() if one != lost})
    with pytest.raises(ValueError, match="a job is not lost; remove its reason"):
        page.check_reasons(rows, {**reasons, ("Fastest", "a job"): "Why not."})


def test_a_key_set_up_that_makes_no_round_keys_is_not_compared(page: ModuleType) -> None:
    rows = page.read()
    ours = [one.ours for aim in page.AIMS[:2] for one in page.contests(rows, aim)]
    assert any(row.op.startswith("key-setup") for row in ours)
    quick = min((row for row in rows if row.op.startswith("key-setup")), key=lambda row: row.cycles)
    assert "_otf" in quick.configuration
    assert quick not in ours


def test_builds_that_clear_nothing_meet_others_in_one_comparison(page: ModuleType) -> None:
    rows = page.read()
    for aim in page.AIMS:
        ours = {row for one in page.contests(rows, aim) for row in [one.ours]}
        alike = {row.configuration.endswith(page.UNCLEARED) for row in ours}
        assert alike == {aim is page.AIMS[-1]}


@pytest.mark.slow
@pytest.mark.skipif(PORTS is None, reason="AESFIT_PEERS names no listing of compiled libraries")
def test_libraries_measured_again_are_as_the_csv_says(measure: ModuleType) -> None:
    known = {measure._image(row): row for row in measure.read()}
    for entry in measure.listed(Path(str(PORTS))):
        again = measure.peer_rows(entry)
        same = [row for row in again if measure._image(row) in known]
        assert same, f"the CSV has other images of {entry.port.title}; measure all again"
        assert [known[measure._image(row)] for row in same] == same

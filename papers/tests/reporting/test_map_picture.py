# SPDX-License-Identifier: MIT
"""The map of a paper as a picture: shares of places by level and compiler, and what turns it."""

import re
from collections.abc import Iterator
from pathlib import Path

import experiment_folder
import pytest
from claim_places import named
from click.testing import CliRunner

from aesfit.cli import app
from aesfit_papers.judging.catalog import experiment_named, results_path
from aesfit_papers.judging.contract import Assumed, Claim
from aesfit_papers.judging.maps import MappedClaim, claim_map, every_map
from aesfit_papers.judging.run import Judged
from aesfit_papers.judging.verdict import judge
from aesfit_papers.reporting import more
from aesfit_papers.reporting.map_picture import FAILS, HOLDS, Share, at_level, by_clang, figures

FOUND = {"arm9tdmi, -O0": 2.0, "arm9tdmi, -O2": 2.0, "arm9tdmi, -O3": 0.5, "rv32i, -O2": 0.5,
         "rv32i, -O3": 0.5, "a, our code, -O2": 2.0}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with experiment_folder.used(tmp_path, monkeypatch):
        experiment_folder.write(tmp_path, "images_made_up")
        yield tmp_path


@pytest.fixture
def one(folder: Path) -> MappedClaim:
    """A claim on two processors, with -O0, our code and clang beside."""
    claim = Claim("As <fast>.", "at least", named(FOUND), 1.0)
    return made(claim, Claim("As <fast>.", "at least", named({"rv32i, -O2": 2.0}), 1.0))


def made(claim: Claim, by_other: Claim | None = None) -> MappedClaim:
    """A claim of the made-up experiment with its map."""
    judged = Judged(claim, judge(claim, "images_made_up"))
    drawn = claim_map("images_made_up", judged, by_other)
    return MappedClaim(experiment_named("images_made_up"), 3, judged, drawn)


def test_the_smallest_memory_or_size_has_a_column_of_its_own(folder: Path) -> None:
    waits = {f"{wait} wait states, {level}": 2.0 if wait < 8 else 0.5
             for wait in (0, 4, 8) for level in ("-O2", "-O3")}  # fmt: skip
    memory = made(Claim("Memory.", "at least", named(waits), 1.0))
    calls = made(Claim("Calls.", "at least", named({"1 call": 2.0, "2 calls": 2.0}), 1.0))
    (drawn,) = figures(
        [memory, calls, made(Claim("None.", "at least", named({"a": 2.0}), 1.0))]
    ).values()
    last = [told for left, told in re.findall(r'<text x="(\d+)" y="\d+">(.*?)</text>',
            drawn.image.decode()) if left == "722"]  # fmt: skip
    arrow = "\N{RIGHTWARDS ARROW}"
    assert sorted(last) == sorted(
        ("by memory or size", f"4 {arrow} 8 wait states", "none of 1 tried", "\N{EN DASH}")
    )
    assert "dash: no such place, or no such change, was tried" in drawn.image.decode()


def test_assumed_places_are_drawn_and_marked(folder: Path) -> None:
    waits = named({f"{wait} wait states": 2.0 if wait < 8 else 0.5 for wait in (0, 4, 8)})
    chosen = dict.fromkeys(waits, Assumed("we chose it"))
    one = made(Claim("Memory.", "at least", waits, 1.0, untestable=chosen))
    assert one.one.verdict.group == "not testable here"
    (drawn,) = figures([one]).values()
    assert "2 of 3 assumed" in drawn.image.decode()
    assert "4 \N{RIGHTWARDS ARROW} 8 wait states" in drawn.image.decode()


def test_shares_by_level_and_compiler(one: MappedClaim) -> None:
    levels = [at_level(one, level) for level in ("-O0", "-Os", "-O2", "-O3")]
    assert levels == [Share(1, 1), Share(0, 0), Share(1, 2), Share(0, 2)]  # our code is no place
    assert by_clang(one) == Share(1, 1)


def test_a_line_for_each_claim(one: MappedClaim) -> None:
    (drawn,) = figures([one, one]).values()
    told = drawn.image.decode()
    assert told.count("made_up:3  As &lt;fast&gt;.") == 2
    assert told.count("1 of 4") == 2
    blue, orange = (re.findall(rf'<g style="fill: {colour};.*?</g>', told, re.DOTALL)
                    for colour in (HOLDS, FAILS))  # fmt: skip
    assert "-O2 \N{RIGHTWARDS ARROW} -O3" in orange[0]  # the smallest change stops it
    widths = [[int(wide) for wide in re.findall(r"h(\d+)v", some[0])][1:6]
              for some in (blue, orange)]  # fmt: skip
    assert widths[0][:4] == [12, 22, 11, 22]  # a quarter of 46, -O0, half of -O2, clang
    assert widths[1][:3] == [34, 11, 22]
    assert "prefers-color-scheme: dark" in told


def test_the_report_shows_it_and_writes_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(more, "stored_extras", lambda: [])
    assert CliRunner().invoke(app, ["papers", "run", "images_made_up"]).exit_code == 0
    assert results_path("images_made_up").is_file()
    assert len(every_map()) == 2
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(tmp_path / "report")])
    assert done.exit_code == 0, done.exception
    assert (tmp_path / "report" / "map_images.svg").is_file()
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "Where each claim holds, and what turns it" in page

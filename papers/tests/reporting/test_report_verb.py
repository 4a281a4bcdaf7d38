# SPDX-License-Identifier: MIT
"""`aesfit papers report`: the folder is checked first, the papers come before what is measured."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import experiment_folder
import pytest
from click.testing import CliRunner

from aesfit.atlas import lines as lines_of_atlas
from aesfit.atlas.look_up import AtlasRows
from aesfit.atlas.origin import AtlasOrigin
from aesfit.choosing.request import Request
from aesfit.cli import app
from aesfit.jobs.job import Job, Progress
from aesfit.rigs.rig import RigUnavailableError
from aesfit.wlan import software
from aesfit_papers.judging.contract import Experiment
from aesfit_papers.reporting import more as papers_more
from aesfit_papers.reporting import page as papers


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "experiments").mkdir()
    with experiment_folder.used(tmp_path / "experiments", monkeypatch):
        experiment_folder.write(tmp_path / "experiments", "cache_made_up")
        yield tmp_path


def unwanted(*_: object, **__: object) -> NoReturn:
    raise AssertionError("this was not asked for")


def test_the_folder_is_checked_before_anything_is_rendered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers, "section", unwanted)
    (folder / "file").touch()
    for bad in ("file", "file/below"):
        done = CliRunner().invoke(app, ["papers", "report", "-o", str(folder / bad)])
        assert done.exit_code == 2, done.exception
        assert isinstance(done.exception, SystemExit)


def test_nothing_is_measured_unless_it_is_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fit", "silicon_rows"):
        monkeypatch.setattr(papers_more, name, unwanted)
    monkeypatch.setattr(software, "lines", unwanted)
    monkeypatch.setattr(papers_more, "_silicon", partial_only)
    monkeypatch.setattr(lines_of_atlas, "PATH", folder / "no atlas")
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(folder / "out")])
    assert done.exit_code == 0, done.exception
    page = (folder / "out" / "index.html").read_text(encoding="utf-8")
    assert "Timing models and their errors" in page
    assert page.count("Measure them with: <code>aesfit papers report --measure</code>") == 1
    assert "Not measured yet: The best core of each platform; Cycles against flash" in page
    assert "--measure" in done.stdout


def test_fronts_that_the_atlas_has_are_shown_though_nothing_is_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(request: Request, *, progress: Progress) -> NoReturn:
        progress(1, 1)
        raise RigUnavailableError(f"asked for {request.platform.name} alone")

    def has_one(asked: Sequence[Job]) -> AtlasRows:
        origin = AtlasOrigin("2026-11-23", "a compiler", "", 1, 1)
        return AtlasRows((), origin if asked[0].platform.name == "cortex-m3" else None)

    monkeypatch.setattr(papers_more, "fit", answers)
    monkeypatch.setattr(papers_more, "known", has_one)
    monkeypatch.setattr(papers_more, "_silicon", partial_only)
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(folder / "out")])
    assert done.exit_code == 0, done.exception
    page = (folder / "out" / "index.html").read_text(encoding="utf-8")
    assert "asked for cortex-m3 alone" in page
    assert page.count("asked for") == 1


def test_claims_are_there_before_anything_is_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = folder / "out" / "index.html"
    assert CliRunner().invoke(app, ["papers", "run", "cache_made_up"]).exit_code == 0
    whole = papers.section
    seen: list[str] = []

    def section(experiment: Experiment, *, drawn: bool = True) -> papers.Section:
        if drawn:
            seen.append(page.read_text(encoding="utf-8"))
        return whole(experiment, drawn=drawn)

    monkeypatch.setattr(papers, "section", section)
    monkeypatch.setattr(papers_more, "stored_extras", lambda: [])
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(page.parent)])
    assert done.exit_code == 0, done.exception
    (first,) = seen
    assert "As fast." in first
    assert "still being drawn" in first
    assert "<svg" not in first
    last = page.read_text(encoding="utf-8")
    assert "<svg" in last
    assert "still being drawn" not in last


def partial_only(progress: Progress) -> str:
    progress(0, 180)
    raise AssertionError("this was measured")


def test_the_papers_are_there_before_the_first_measurement(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = folder / "out" / "index.html"

    def measured(progress: Progress) -> list[papers.Extra]:
        assert "cache_made_up" in page.read_text(encoding="utf-8")
        progress(1, 1)
        return [papers.Extra("measured", "Measured", "<p>a front</p>")]

    monkeypatch.setattr(papers_more, "extras", measured)
    monkeypatch.setattr(papers_more, "stored_extras", unwanted)
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(folder / "out"), "--measure"])
    assert done.exit_code == 0, done.exception
    assert "<p>a front</p>" in page.read_text(encoding="utf-8")


def test_what_is_stored_is_shown() -> None:
    papers_more.stored_only(81, 81)
    with pytest.raises(papers_more.NotStoredError):
        papers_more.stored_only(80, 81)

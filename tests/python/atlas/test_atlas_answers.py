# SPDX-License-Identifier: MIT
"""`fit` answers from the atlas where it may, says so, and measures the rest."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas

import aesfit
from aesfit.atlas import lines, origin
from aesfit.atlas.look_up import known
from aesfit.building import build
from aesfit.choosing import answered
from aesfit.choosing.answer import Answer, answer_known, fit
from aesfit.choosing.clock_sweep import clock_sweep
from aesfit.choosing.request import Request
from aesfit.jobs.job import Job
from aesfit.measuring.measure import Refusal, Result


@pytest.fixture
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small atlas in the place of the project's, made by the tools that are here."""
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    monkeypatch.setattr(origin, "tools_here", lambda platform: small_atlas.TOOLS)
    monkeypatch.setattr(build, "why_not", lambda platform: None)
    return path


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """The jobs that were measured; nothing can be, so all are refused."""
    asked: list[Job] = []

    def refuse(jobs: Sequence[Job], **_: object) -> list[Result]:
        asked.extend(jobs)
        return [Refusal(job, "not measured in this test") for job in jobs]

    monkeypatch.setattr(answered, "measure", refuse)
    return asked


def test_the_answer_is_there_without_measuring(atlas: Path, measured: list[Job]) -> None:
    answer = fit(small_atlas.question(1504), small_atlas.CORES)
    assert measured == []
    assert {one.row.cycles for one in answer.choice.ranking} == {70000}
    assert answer.origin is not None
    assert (
        answer.origin.told == f"from the atlas, measured on 2026-11-23 with {small_atlas.COMPILER}"
    )
    assert answer.as_json()["atlas"] == {
        "date": "2026-11-23", "compiler": small_atlas.COMPILER, "missing": None, "rows": 6, "of": 6
    }  # fmt: skip
    assert answer_known(small_atlas.question(1504), small_atlas.CORES) == answer


def test_python_gets_the_same_answer(atlas: Path, measured: list[Job]) -> None:
    answer = aesfit.fit(small_atlas.CHIP, mode="ctr", payload_bytes=64, cores=small_atlas.CORES)
    assert answer == answer_known(small_atlas.question(64), small_atlas.CORES)
    assert measured == []


def test_fresh_measures_all(atlas: Path, measured: list[Job]) -> None:
    answer = fit(small_atlas.question(), small_atlas.CORES, fresh=True)
    assert len(measured) == 6
    assert answer.origin is None
    assert answer.as_json()["atlas"] is None


def test_what_is_missing_is_measured(atlas: Path, measured: list[Job]) -> None:
    small_atlas.write(atlas, small_atlas.group(cores=["ttable1"]))
    answer = fit(small_atlas.question(), small_atlas.CORES)
    assert {job.core for job in measured} == {"fixslice"}
    assert [one.name for one in answer.choice.ranking] == ["ttable1"]
    assert answer.origin is not None
    assert answer.origin.told.startswith("3 of 6 rows from the atlas, measured on ")
    assert answer_known(small_atlas.question(), small_atlas.CORES) is None


@pytest.mark.parametrize("size", [48, 1500])
def test_other_payloads_are_measured(size: int, atlas: Path, measured: list[Job]) -> None:
    fit(small_atlas.question(size), small_atlas.CORES)
    assert len(measured) == 6


@pytest.mark.parametrize("change", [{"key_bits": 192}, {"flags": ("-Os",)}, {"text": bytes(64)}])
def test_other_jobs_are_not_known(change: dict[str, object], atlas: Path) -> None:
    jobs = small_atlas.asked_jobs()
    assert all(known(jobs).rows)
    assert not any(known([replace(job, **change) for job in jobs]).rows)  # type: ignore[arg-type]


def test_a_refusal_stays_one(atlas: Path, measured: list[Job]) -> None:
    group = small_atlas.group()
    refused = {
        asked: replace(line, runs=(("!too large, for that",) * 3, ("",) * 3, ("",) * 3))
        for asked, line in group.lines.items()
        if asked.core == "fixslice"
    }
    small_atlas.write(atlas, replace(group, lines={**group.lines, **refused}))
    answer = fit(small_atlas.question(), small_atlas.CORES)
    assert measured == []
    assert [(one.core, one.reason) for one in answer.choice.dropped] == [
        ("fixslice", "too large, for that")
    ]


def test_an_old_line_is_measured_anew(atlas: Path, measured: list[Job]) -> None:
    group = small_atlas.group()
    old = {a: replace(one, key="0" * 12) for a, one in group.lines.items() if a.core == "ttable1"}
    small_atlas.write(atlas, replace(group, lines={**group.lines, **old}))
    fit(small_atlas.question(), small_atlas.CORES)
    assert {job.core for job in measured} == {"ttable1"}


@pytest.mark.parametrize("tool", ["compiler", "linker"])
def test_another_compiler_or_linker_measures(
    tool: str, atlas: Path, measured: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = replace(small_atlas.TOOLS, **{tool: "another 13.1"})  # type: ignore[arg-type]
    monkeypatch.setattr(origin, "tools_here", lambda platform: here)
    fit(small_atlas.question(), small_atlas.CORES)
    assert len(measured) == 6


def test_another_emulator_measures_and_a_missing_one_does_not(
    atlas: Path, measured: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin, "package_version", lambda name: "none")
    assert all(known(small_atlas.asked_jobs()).rows)
    monkeypatch.setattr(origin, "package_version", lambda name: "0.0")
    assert not any(known(small_atlas.asked_jobs()).rows)


def test_without_a_compiler_the_answer_says_how_to_get_one(
    tmp_path: Path, measured: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    monkeypatch.setattr(shutil, "which", lambda command: None)
    answer = fit(small_atlas.question(), small_atlas.CORES)
    assert measured == []
    assert answer.origin is not None
    assert answer.origin.told.endswith(
        "; not compiled here: stm32f103 needs the compiler arm-none-eabi-gcc; install it with: "
        "sudo apt-get install gcc-arm-none-eabi"
    )


def test_an_edited_atlas_is_told_of_and_not_used(atlas: Path, measured: list[Job]) -> None:
    text = atlas.read_text(encoding="utf-8")
    atlas.write_text(text.replace("3000~10", "2000~10"), encoding="utf-8")
    answer = fit(small_atlas.question(), small_atlas.CORES)
    assert len(measured) == 6
    assert answer.origin is None
    assert [warning for warning in answer.warnings if "make atlas" in warning]


def test_a_sweep_over_clocks_says_what_is_from_the_atlas(atlas: Path, measured: list[Job]) -> None:
    """At the wait states of the highest clock nothing is measured."""
    here = fit(small_atlas.question(), small_atlas.CORES)

    def ask(request: Request) -> Answer:
        return answer_known(request, small_atlas.CORES) or replace(here, origin=None)

    found = clock_sweep(small_atlas.question(), ask)
    assert {point.wait_states for point in found.points} == {0, 1, 2}
    (origin,) = found.origins
    assert (origin.rows, origin.of) == (6, 6)
    assert [one["date"] for one in found.as_json()["atlas"]] == ["2026-11-23"]

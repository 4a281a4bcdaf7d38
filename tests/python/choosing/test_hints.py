# SPDX-License-Identifier: MIT
"""What would make a core fit: measured, named only where it helps, and only where asked for."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakes import pretend
from stores import own_rows

import aesfit
from aesfit.choosing import hints
from aesfit.choosing.answer import Answer
from aesfit.cli import app
from aesfit.jobs.job import Job, Progress, Row
from aesfit.rigs import rig_named
from aesfit.rigs.rig import RigUnavailableError
from aesfit.units import count

PRETEND = "pretend.toml"
CORE = "ttable1"


SAVED = {"message": 300, "-Os": 100}
"""Bytes of code, by operation and by flag."""


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of the test's own, and a made-up platform where two ways save code."""
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    pretend(tmp_path)
    monkeypatch.chdir(tmp_path)
    rig = rig_named("fake")
    real = rig.measure

    def smaller(jobs: Sequence[Job], progress: Progress) -> list[Row]:
        saved = [SAVED.get(job.op, 0) + sum(SAVED.get(one, 0) for one in job.flags or ())
                 for job in jobs]  # fmt: skip
        rows = real(jobs, progress)
        return [replace(row, code_bytes=row.code_bytes - less)
                for row, less in zip(rows, saved, strict=True)]  # fmt: skip

    monkeypatch.setattr(rig, "measure", smaller)


def asked(**question: object) -> Answer:
    return aesfit.fit(PRETEND, mode="ccm", cores=CORE, timing="any", **question)  # type: ignore


def flash_of(answer: Answer) -> int:
    assert answer.choice.winner is not None
    return answer.choice.winner.row.flash_bytes


def test_each_way_that_helps_is_named_with_its_figures() -> None:
    whole = flash_of(asked())
    ways = {
        "--encrypt-only": asked(encrypt_only=True),
        "--flags -Os": asked(flags="-Os"),
    }
    for limit, number in ((whole - 1, 2), (whole - 200, 1), (whole - 301, 0)):
        told = asked(max_flash_bytes=limit, hints=True).hints
        assert len(told) == sum(flash_of(one) <= limit for one in ways.values()) == number
        for way, one in ways.items():
            line = next((line for line in told if way in line), None)
            if flash_of(one) > limit:
                assert line is None
            else:
                assert line is not None
                assert f": {count(flash_of(one))} bytes of flash, " in line


def test_where_nothing_is_dropped_or_nobody_asks_there_is_none() -> None:
    whole = flash_of(asked())
    assert asked(max_flash_bytes=whole, hints=True).hints == ()
    assert asked(hints=True).hints == ()
    assert asked(max_flash_bytes=whole - 1).hints == ()


def test_what_cannot_be_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise RigUnavailableError("the compiler is missing; apt-get install it")

    answer = asked(max_flash_bytes=10)
    monkeypatch.setattr(hints, "field_of", refuses)
    (told,) = hints.hints_of(answer.choice, False, lambda done, total: None)
    assert told == f"What would make {CORE} fit was not measured: the compiler is missing; " + (
        "apt-get install it"
    )


def test_the_command_line_shows_them() -> None:
    limit = str(flash_of(asked()) - 1)
    words = ["fit", "--platform", PRETEND, "--mode", "ccm", "--core", CORE, "--timing", "any"]
    done = CliRunner().invoke(app, [*words, "--max-flash", limit])
    wanted = asked(max_flash_bytes=int(limit), hints=True).hints
    assert wanted
    assert all(one in " ".join(done.stdout.split()) for one in wanted)

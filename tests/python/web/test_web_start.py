# SPDX-License-Identifier: MIT
"""With which platform the page opens: the common chip where the atlas knows its question."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import small_atlas
from web_server import serving

from aesfit.atlas import lines, look_up, origin
from aesfit.atlas.lines import Group, Line
from aesfit.building import build
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing import answered
from aesfit.choosing.request import jobs, request_of
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.web.offers import AT_ONCE, COMMON


@pytest.fixture(autouse=True)
def empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A question that is not answered from what is known fails."""
    asked: list[object] = []
    monkeypatch.setattr(answered, "measure", lambda jobs, **_: asked.append(jobs))
    yield
    assert asked == []


def question() -> list[Job]:
    """What the page's first question needs of the common chip."""
    request = request_of(platform_named(COMMON))
    return jobs(request, ranked_cores(request.platform))


def start() -> str:
    with (
        serving() as address,
        httpx.Client(base_url=address, trust_env=False, timeout=None) as client,
    ):
        return str(client.get("/api/choices").json()["start"])


def line_of(group: Group, job: Job) -> Line | None:
    found = (group.lines.get(lines.asked_of(job, directions)) for directions in lines.DIRECTIONS)
    return next((one for one in found if one is not None and job.op in one.asked.ops), None)


@pytest.mark.usefixtures("unmeasured")
def test_the_shipped_atlas_decides_with_an_empty_store() -> None:
    """Its rows hold, or a source was changed since; the page follows in both cases."""
    group = lines.group_of(COMMON, lines.PATH)
    assert group is not None
    held = [(job, line_of(group, job)) for job in question()]
    assert any(line is not None for _, line in held), "the atlas is about this question"
    current = not origin.others(platform_named(COMMON), group.tools) and all(
        line is not None and look_up.is_current(line, job) for job, line in held
    )
    assert start() == (COMMON if current else AT_ONCE)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("stale", [False, True])
def test_one_row_that_no_longer_holds_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stale: bool
) -> None:
    monkeypatch.setattr(origin, "tools_here", lambda platform: small_atlas.TOOLS)
    monkeypatch.setattr(build, "why_not", lambda platform: None)
    every = {one.asked: one for one in map(small_atlas.line, question())}
    last = max(every, key=lambda asked: asked.core)
    if stale:
        every[last] = replace(every[last], key="of other sources")
    group = replace(small_atlas.group(()), platform=COMMON, lines=every)
    monkeypatch.setattr(lines, "PATH", small_atlas.write(tmp_path / "atlas.csv", group))
    assert start() == (AT_ONCE if stale else COMMON)

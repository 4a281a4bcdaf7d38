# SPDX-License-Identifier: MIT
"""The report draws fronts of the chooser that every verb asks."""

import re
from collections.abc import Iterator

import pytest
from asked_four_ways import by_command
from web_server import pretending

import aesfit
import aesfit.report.plot
from aesfit.platforms.find import platform_named
from aesfit_papers.reporting import more as papers_more


@pytest.fixture(scope="module", autouse=True)
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Platforms whose rows follow from a formula, in an empty store."""
    with pretending(tmp_path_factory.mktemp("one")):
        yield


def test_the_report_of_the_papers_asks_the_same_chooser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aesfit.report.plot, "render", lambda *_, **__: b"<svg></svg>")
    shown = papers_more._front(platform_named("pretend"), lambda done, total: None).body
    wanted = by_command(["fit", "--platform", "pretend", "--mode", "ccm", "--bytes", "1504"])
    assert wanted["sentence"] in re.sub(r"<[^>]*>", "", shown)
    for one in wanted["ranking"]:
        figures = rf"{one['core']}</td>.*?{one['cycles']:,}</td>.*?{one['flash_bytes']:,}</td>"
        assert bool(re.search(figures, shown)) == (one["core"] in wanted["pareto"])

# SPDX-License-Identifier: MIT
"""Every experiment: its words, its results, and that those still follow from the code."""

import re
from typing import get_args

import pytest
from few import slow_but
from places import ROOT

from aesfit.extras import PLOTS, missing
from aesfit.report import picture
from aesfit_papers.judging.catalog import experiment_named, experiments, folder, names
from aesfit_papers.judging.contract import (
    CAUSES,
    PAPERS,
    UNTESTABLE,
    Cause,
    Experiment,
    Figure,
    ResultTable,
    Words,
)
from aesfit_papers.judging.places import ONE_LEVEL, has_level
from aesfit_papers.judging.results import parse, write
from aesfit_papers.judging.run import check, judged, stored, timed
from aesfit_papers.reporting import page as papers

REPEATABLE = [name for name in names() if not timed(experiment_named(name))]
FAST = [name for name in REPEATABLE if experiment_named(name).fast]


@pytest.fixture(params=names())
def experiment(request: pytest.FixtureRequest) -> Experiment:
    return experiment_named(str(request.param))


def test_each_paper_has_experiments() -> None:
    assert {one.paper.key for one in experiments()} == set(PAPERS)


def test_no_results_without_an_experiment() -> None:
    kept = {f"{path.parts[-3]}_{path.stem}" for path in folder().glob("*/results/*.csv")}
    assert kept <= set(names())


def test_what_it_shows_how_ours_is_measured_and_what_differs(experiment: Experiment) -> None:
    """Three paragraphs, each with whole sentences."""
    blocks = [" ".join(block.split()) for block in experiment.text.split("\n\n")]
    assert len(blocks) >= 3
    assert all(block[-1] in ".:" for block in blocks)
    assert experiment.name.startswith(f"{experiment.paper.key}_")
    assert experiment.number
    assert "\n" not in experiment.title


def test_claims_are_judged_at_levels_of_the_compiler_or_it_is_said_why_not(
    experiment: Experiment,
) -> None:
    measured = stored(experiment)
    assert measured is not None
    some = [one for one in experiment.claims(measured.rows) if not one.by_construction]
    without = any(not has_level(place) for one in some for place in one.found)
    assert without == (experiment.name in ONE_LEVEL)


def test_its_claims_are_judged_and_those_that_fail_have_a_reason(experiment: Experiment) -> None:
    measured = stored(experiment)
    assert measured is not None, f"aesfit papers run {experiment.name}"
    assert measured.provenance
    claims = judged(experiment, measured.rows)
    assert len({one.claim.sentence for one in claims}) == len(claims)
    for one in claims:
        if one.claim.by_construction.startswith("FIPS 197 fixes"):
            assert one.verdict.group == "by construction"
        elif one.claim.by_construction:
            assert one.verdict.word == "holds", one.claim.sentence
        elif one.verdict.group != "holds":
            assert one.cause in CAUSES, one.claim.sentence
            assert one.claim.why, one.claim.sentence


def test_every_kind_of_cause_says_what_it_means() -> None:
    assert set(CAUSES) == {*get_args(Cause), UNTESTABLE} - {""}
    told = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
    assert all(cause in told for cause in CAUSES)


@pytest.mark.few(one_in=4)
def test_it_is_rendered_and_the_page_shows_it(experiment: Experiment) -> None:
    if missing("drawing", PLOTS):
        pytest.skip(str(picture.why_not()))
    section = papers.section(experiment)
    assert section.parts
    for part in section.parts:
        if isinstance(part, ResultTable):
            assert part.lines
            assert {len(line) for line in part.lines} == {len(part.head)}
        elif isinstance(part, Figure):
            assert part.alt
            assert part.image.startswith(b"<?xml" if part.suffix == ".svg" else b"\x89PNG")
        else:
            assert isinstance(part, Words)
    page = papers.render([section], [])
    marks = re.findall(r'\bid="([^"]+)"', page)
    assert experiment.name in marks
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize("name", slow_but(FAST, REPEATABLE))
def test_exact_columns_follow_from_the_code(name: str) -> None:
    """The fast ones each time, in `make check-slow` all but those that time this computer.

    Those need counters that not every machine has: `aesfit papers check all --host`.
    """
    experiment = experiment_named(name)
    now = parse(write(experiment.columns, experiment.rows(lambda done, total: None)))
    assert check(experiment, now) == []

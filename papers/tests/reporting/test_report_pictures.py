# SPDX-License-Identifier: MIT
"""Pictures of the report: what was published looks alike, marks are named, WLAN by speed."""

import re
from xml.etree import ElementTree

from aesfit.report.marks import PAPER
from aesfit_papers.judging.catalog import experiment_named
from aesfit_papers.judging.charts import Bars, ChartLine, Scale, bars, lines
from aesfit_papers.judging.contract import Figure, Words
from aesfit_papers.judging.levels import with_own_flags
from aesfit_papers.judging.run import stored
from aesfit_papers.reporting.page import Section, render

TEXT = "{http://www.w3.org/2000/svg}text"
CYCLES = Scale("cycles", log=True)


def texts(svg: bytes) -> list[tuple[float, str]]:
    """Words of a picture with their height in it, from the top."""
    return [
        (float(one.get("y") or re.findall(r"[\d.-]+", one.get("transform", "0 0"))[1]), told)
        for one in ElementTree.fromstring(svg).iter(TEXT)
        for told in ["".join(one.itertext()).strip()]
    ]


def hollow(svg: bytes) -> int:
    """Diamonds with the paper's colour inside and an edge of 1.4 points."""
    style = rf"<use [^>]*style=\"fill: {PAPER}; stroke: #\w+; stroke-width: 1.4"
    return len(re.findall(style, svg.decode()))


def test_what_was_published_is_a_hollow_diamond_in_bars_and_lines() -> None:
    for theirs in (0, 2):
        both = (
            bars(["a", "b"], [Bars("x", [1.0, 2.0], [3.0, 4.0][:theirs])], CYCLES),
            lines([ChartLine("x", [(1, 1), (2, 2)], [(1, 3), (2, 4)][:theirs])], CYCLES, CYCLES),
        )
        for svg in both:
            assert hollow(svg) == (theirs + 1 if theirs else 0)  # the legend has one more


def test_the_wlan_figure_is_sorted_by_speed_and_names_the_rates() -> None:
    experiment = experiment_named("platforms_wlan")
    measured = stored(experiment)
    assert measured is not None
    (figure,) = [one for one in experiment.render(measured.rows) if isinstance(one, Figure)]
    told = texts(figure.image)
    speeds = {
        str(row["platform"]): float(row["mbit_per_s"] or row["published_mbit_per_s"] or 0)
        for row in with_own_flags(measured.rows)
    }
    down = [name for _, name in sorted(told, key=lambda one: one[0]) if name in speeds]
    assert len(down) > 20
    assert [speeds[name] for name in down] == sorted((speeds[n] for n in down), reverse=True)
    first = min(height for height, name in told if name in speeds)
    assert {name for height, name in told if height < first} >= {"54", "108"}


def test_figures_that_follow_each_other_stand_side_by_side() -> None:
    experiment = experiment_named("platforms_wlan")
    svg = bars(["a"], [Bars("x", [1.0])], CYCLES)
    one = Figure("one", svg, ".svg", "what one sees")
    page = render([Section(experiment, stored(experiment), [one, one, Words("between"), one])], [])
    groups = re.findall(r"<div class=figures>(.*?)</figure>\n</div>", page, re.DOTALL)
    assert [group.count("<figcaption>") for group in groups] == [2, 1]

# SPDX-License-Identifier: MIT
"""The ends of an interval over machines, and whether a published figure is inside."""

from claim_places import texts

from aesfit_papers.judging.contract import Pair, Row
from aesfit_papers.judging.lx import between_told, by_machine, ends, is_inside, rows_of

ROWS: list[Row] = [
    {"what": "E", "published": 40, "least": 30, "most": 35},
    {"what": "E", "published": 40, "least": 33, "most": 41},
    {"what": "crossover", "published": 7, "least": None, "most": None},
]


def test_ends_are_those_of_all_machines() -> None:
    assert ends(rows_of(ROWS, "E")) == (30, 41)
    assert ends(rows_of(ROWS, "E", least=30)) == (30, 35)


def test_what_never_comes_is_infinite() -> None:
    assert ends(rows_of(ROWS, "crossover")) == (float("inf"), float("inf"))


def test_a_published_figure_is_inside_on_a_machine_or_not() -> None:
    """Never over the hull of machines: 40 is between 35 and 45, and no machine takes it."""
    narrow, wide, never = (
        {**row, "doubts": "none", "load_latency": 2, "width": width, "version": "", "line": 16}
        for row, width in zip(ROWS, (4, 3, 3), strict=True)
    )
    assert [is_inside(row) for row in (narrow, wide, never)] == [False, True, False]
    above = {**wide, "least": 45, "most": 50}
    assert ends([narrow, above]) == (30, 50)
    found = texts(by_machine([narrow, above]))
    assert found["4 issues, load latency 2, doubts none"] == Pair(35, 40)
    assert found["3 issues, load latency 2, doubts none"] == Pair(40, 45)
    told = between_told([narrow, above])
    assert told == (
        "Ours takes 45 to 50 with 3 issues and 30 to 35 with 4 issues; "
        "0 of 2 modelled machines give 40."
    )
    assert texts(by_machine([never]))["3 issues, load latency 2, doubts none"].ratio < 1

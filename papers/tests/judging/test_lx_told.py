# SPDX-License-Identifier: MIT
"""The ends of an interval over machines, and whether a published figure is inside."""

from aesfit_papers.judging.contract import Row
from aesfit_papers.judging.lx import ends, is_inside, rows_of

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


def test_a_published_figure_is_inside_or_not() -> None:
    assert is_inside(rows_of(ROWS, "E"))
    assert not is_inside(rows_of(ROWS, "E", least=30))
    assert not is_inside(rows_of(ROWS, "crossover"))

# SPDX-License-Identifier: MIT
"""papers/aesfit_papers/claims.toml: every table, figure and claim has an experiment or a reason."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aesfit_papers.judging.catalog import names
from aesfit_papers.judging.contract import PAPERS
from aesfit_papers.judging.stated import (
    Leading,
    ShownFigure,
    Statement,
    Statements,
    Story,
    faults,
    parse,
    statements,
)

EXPERIMENTS = tuple(f"{paper}_table_1" for paper in PAPERS)
WHOLE = Statements(
    (
        Statement("a", "cache", "Table 1", "Says.", experiments=EXPERIMENTS),
        Statement("b", "cache", "section 2", "Says.", reason="It is so."),
    ),
    {paper: ("Table 1",) if paper == "cache" else () for paper in PAPERS},
    {paper: Leading("abstract", "Says.", f"{paper}_table_1", "A") for paper in PAPERS},
    tuple(Story(paper, f"{paper}_table_1", "A") for paper in PAPERS),
    (ShownFigure("cache_table_1", "Bars"),),
)


def test_the_list_is_whole() -> None:
    assert faults(statements(), names()) == []


def test_every_paper_has_statements_with_and_without_experiments() -> None:
    for paper in PAPERS:
        some = statements().of_paper(paper)
        assert any(one.experiments for one in some)
        assert any(one.reason for one in some)


def test_places_are_those_of_a_text() -> None:
    """Tables, figures, sections or the abstract."""
    for one in statements().entries:
        assert one.place.startswith(("Table ", "Figure ", "section", "abstract")), one.id
        assert one.says.endswith((".", ":")), one.id


def entries(*some: Statement) -> Statements:
    return replace(WHOLE, entries=some)


FIRST, SECOND = WHOLE.entries


@pytest.mark.parametrize(
    ("faulty", "told"),
    [
        (entries(replace(FIRST, id="b"), SECOND), "b is the id of 2 claims"),
        (entries(FIRST, replace(SECOND, paper="x")), "b is of the unknown paper 'x'"),
        (entries(FIRST, replace(SECOND, reason="")), "b has neither an experiment nor a reason"),
        (entries(replace(FIRST, reason="So."), SECOND), "a has both an experiment and a reason"),
        (
            entries(FIRST, replace(SECOND, reason="", experiments=("cache_x",))),
            "b names the experiment 'cache_x', which there is not",
        ),
        (
            entries(replace(FIRST, experiments=(), reason="So."), SECOND),
            "the experiment cache_table_1 answers no claim",
        ),
        (
            entries(replace(FIRST, place="section 1"), SECOND),
            "Table 1 of the paper 'cache' has no claim",
        ),
        (replace(WHOLE, numbered={"cache": ("Table 1", "Figure 1")}), "Figure 1 of the paper"),
        (replace(WHOLE, numbered={"cache": ()}), "figures of the paper 'mobile' are not listed"),
        (replace(WHOLE, story=()), "no claim introduces the paper 'mobile' in the report"),
        (
            replace(WHOLE, story=(*WHOLE.story, Story("cache", "mobile_table_1", "A"))),
            "the story of 'cache' is not of its experiments: mobile_table_1",
        ),
        (
            replace(WHOLE, pictures=(ShownFigure("cache_x", "A"),)),
            "a picture is of the experiment 'cache_x', which there is not",
        ),
        (replace(WHOLE, leading={}), "the paper 'mobile' has no headline"),
        (
            replace(WHOLE, leading={"cache": Leading("abstract", "Says.", "mobile_table_1", "A")}),
            "the headline of 'cache' is not of its experiments: mobile_table_1",
        ),
    ],
)
def test_each_fault_is_found(faulty: Statements, told: str) -> None:
    assert faults(WHOLE, EXPERIMENTS) == []
    assert any(told in one for one in faults(faulty, EXPERIMENTS))


TEXT = '[[claim]]\nid = "a"\npaper = "cache"\nplace = "Table 1"\nsays = "It says."\n'


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace('says = "It says."', ""), "claim a needs the text 'says'"),
        (lambda text: text + "reasons = 1\n", "claim a has an unknown key 'reasons'"),
        (lambda text: text + "=", "x.toml: "),
        (lambda text: text + '[headline.cache]\nplace = "abstract"\n', "headline of cache needs"),
        (lambda text: text + '[[story]]\npaper = "cache"\nclaims = "A"\n', "the story needs"),
        (lambda text: text + '[[picture]]\nexperiment = "cache_x"\n', "the picture needs"),
    ],
)
def test_a_list_that_cannot_be_read(change: Callable[[str], str], told: str) -> None:
    assert parse(TEXT, Path("x.toml")).entries[0].says == "It says."
    with pytest.raises(ValueError, match=told):
        parse(change(TEXT), Path("x.toml"))


def test_statements_with_as_many_rare_words_keep_their_order() -> None:
    """Whatever the order in which a run adds up their words."""

    def of(name: str, words: list[str]) -> Statement:
        return Statement(name, "cache", "Table 1", " ".join(words), experiments=EXPERIMENTS)

    for start in range(1000, 2000, 10):
        one, two = ([str(start + at) for at in some] for some in (range(4), range(4, 8)))
        common = [
            of("c", [word])
            for word, many in zip(one + two, (2, 4, 6, 5) * 2, strict=True)
            for _ in range(many)
        ]
        listed = entries(of("a", one), of("b", two), *common)
        near = listed.nearest(EXPERIMENTS[0], " ".join(one + two))
        assert [each.id for each in near[:2]] == ["a", "b"]

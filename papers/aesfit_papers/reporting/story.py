# SPDX-License-Identifier: MIT
"""The first screen of the report: each paper in two or three of its claims."""

from collections.abc import Sequence
from html import escape

from ..judging.contract import Paper
from ..judging.run import Judged
from ..judging.sections import ByPaper, Section, claim_name, count_verdicts, figure_named
from ..judging.stated import Story
from ..judging.told import bound, span
from ..judging.verdict import GROUPS
from . import parts


def story(by_paper: ByPaper, told: Sequence[Story]) -> str:
    """A card for each paper, and one with the totals."""
    cards = "".join(_card(paper, some, told) for paper, some in by_paper.items())
    every = [claim for some in by_paper.values() for one in some for claim in one.claims]
    found = count_verdicts(every)
    tallies = "".join(
        f"<li>{parts.badge(group)} <b>{found[group]}</b></li>" for group in GROUPS if found[group]
    )
    totals = (
        f"<section class=tale><h2>All {len(every)} claims</h2><ul class=tallies>{tallies}</ul>"
        '<p><a href="#summary">Filter and search them</a>, or read the papers one by one.</p>'
        "</section>"
    )
    return f"<div class=story>{cards}{totals if every else ''}</div>"


def _card(paper: Paper, some: Sequence[Section], told: Sequence[Story]) -> str:
    own = "".join(_told(one, some) for one in told if one.paper == paper.key)
    body = f"<ul>{own}</ul>" if own else "<p class=muted>Not measured yet.</p>"
    return (
        f'<section class=tale><h2><a href="#{paper.key}">{escape(paper.short)}</a></h2>'
        f"<p class=authors>{escape(paper.title)}</p>{body}</section>\n"
    )


def _told(headline: Story, some: Sequence[Section]) -> str:
    """A claim with its verdict and picture; empty if it was not measured."""
    found = claim_of(headline, some)
    if found is None:
        return ""
    section, number = found
    one: Judged = section.claims[number - 1]
    name = claim_name(section, number)
    return (
        f'<li>{parts.badge(one.verdict.group)} <a class=says href="#{name}">'
        f"{parts.words(one.claim.sentence)}</a> <span class=muted>Found "
        f"{span(one.claim, one.verdict)}; {bound(one.claim)}.</span> "
        f"{_picture(headline, section, name)}</li>\n"
    )


def claim_of(headline: Story, some: Sequence[Section]) -> tuple[Section, int] | None:
    """Its experiment and its number there, from 1; None if there is no such claim."""
    for section in some:
        if section.experiment.name == headline.experiment:
            for number, one in enumerate(section.claims, 1):
                if one.claim.sentence.startswith(headline.claim):
                    return section, number
    return None


def _picture(headline: Story, section: Section, name: str) -> str:
    """The picture, folded, because five do not fit on a screen."""
    if not headline.picture or not section.parts:
        return ""
    shown = parts.figure(figure_named(section, headline.picture), f"story-{name}")
    return f"<details class=shown><summary>picture</summary>{shown}</details>"

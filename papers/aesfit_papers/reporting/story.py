# SPDX-License-Identifier: MIT
"""The first screen of the report: each paper in two or three of its claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from ..judging.contract import Figure, Paper
from ..judging.run import Judged
from ..judging.sections import ByPaper, Section, claim_name, count_verdicts
from ..judging.told import bound, span
from ..judging.verdict import GROUPS
from . import parts


@dataclass(frozen=True)
class Headline:
    """A claim that stands for its paper."""

    experiment: str
    begins: str
    """The beginning of its sentence, unique within the experiment."""
    picture: int | None = None
    """Number of the experiment's figure that shows it, from 0."""


HEADLINES: Mapping[str, tuple[Headline, ...]] = {
    "transposed": (
        Headline("transposed_table_2", "In decryption the transposed form is faster", 2),
        Headline("transposed_table_2", "Where no instruction combines a shift", 1),
        Headline("transposed_ablation_temporaries", "To have no temporaries", 0),
    ),
    "cache": (
        Headline("cache_figure_4", "The error of the model is near to zero", 0),
        Headline("cache_figure_3", "No version is the best for all lengths", 0),
        Headline("cache_coefficients", "Without misses AES6 takes fewer cycles", 0),
    ),
    "mobile": (
        Headline("mobile_table_3", "The final implementation is faster at every size", 0),
        Headline("mobile_table_1", "The final implementation is more than 3 times", 0),
        Headline("mobile_look_up_tables", "V1 is the fast encryption", 0),
    ),
    "images": (
        Headline("images_figure_4", "Under CBC every picture is full scrambled", 0),
        Headline("images_product_or_table", "With mul() optimised encryption takes 12 to 30", 0),
        Headline("images_leak", "A look-up table defeats any timing attack"),
    ),
    "platforms": (
        Headline("platforms_width", "The core of 32 bits carries 54 Mbit/s"),
        Headline("platforms_wlan", "No software that suits hand-held devices supports 54", 0),
        Headline("platforms_wlan", "54 Mbit/s of payload are never achieved"),
    ),
}
"""Headline claims by paper: what it is known for, regardless of verdicts."""


def story(by_paper: ByPaper) -> str:
    """A card for each paper, and one with the totals."""
    cards = "".join(_card(paper, some) for paper, some in by_paper.items())
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


def _card(paper: Paper, some: Sequence[Section]) -> str:
    told = "".join(_told(one, some) for one in HEADLINES[paper.key])
    body = f"<ul>{told}</ul>" if told else "<p class=muted>Not measured yet.</p>"
    return (
        f'<section class=tale><h2><a href="#{paper.key}">{escape(paper.short)}</a></h2>'
        f"<p class=authors>{escape(paper.title)}</p>{body}</section>\n"
    )


def _told(headline: Headline, some: Sequence[Section]) -> str:
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


def claim_of(headline: Headline, some: Sequence[Section]) -> tuple[Section, int] | None:
    """Its experiment and its number there, from 1; None if there is no such claim."""
    for section in some:
        if section.experiment.name == headline.experiment:
            for number, one in enumerate(section.claims, 1):
                if one.claim.sentence.startswith(headline.begins):
                    return section, number
    return None


def _picture(headline: Headline, section: Section, name: str) -> str:
    """The picture, folded, because five do not fit on a screen."""
    if headline.picture is None:
        return ""
    drawn = [part for part in section.parts if isinstance(part, Figure)]
    if not drawn:
        return ""
    shown = parts.figure(drawn[headline.picture], f"story-{name}")
    return f"<details class=shown><summary>picture</summary>{shown}</details>"

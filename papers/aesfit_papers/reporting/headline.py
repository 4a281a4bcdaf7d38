# SPDX-License-Identifier: MIT
"""The top of docs/papers.md: pictures, and a table of claims, both chosen in claims.toml."""

from collections.abc import Mapping, Sequence

from ..judging.contract import PAPERS, Figure
from ..judging.run import Judged
from ..judging.sections import figure_named
from ..judging.stated import Leading, statements
from ..judging.told import bound, span, verdict_told
from ..judging.verdict import GROUPS
from .page import Section, count_verdicts


def files_of(sections: Sequence[Section], maps: Mapping[str, Figure]) -> dict[str, bytes]:
    """Files by name: pictures, the map of each paper and headline.md."""
    by_name = {one.experiment.name: one for one in sections}
    made = {f"map_{key}{one.suffix}": one.image for key, one in maps.items()}
    for shown in statements().pictures:
        if by_name[shown.experiment].parts:
            one = figure_named(by_name[shown.experiment], shown.picture)
            made[f"{shown.experiment}{one.suffix}"] = one.image
    made["headline.md"] = table(sections).encode()
    return made


def table(sections: Sequence[Section]) -> str:
    """A Markdown table: a claim of each paper, and the verdicts on all its claims."""
    heads = ("paper", "it says", "asked", "found", "verdict", *GROUPS)
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---|---|---|" + "--:|" * len(GROUPS)]
    listed = statements()
    for paper in PAPERS.values():
        some = [one for one in sections if one.experiment.paper == paper]
        found = count_verdicts([each for one in some for each in one.claims])
        told = _told(leading(some, listed.leading.get(paper.key)))
        lines.append("| " + " | ".join((paper.short, *told, *map(str, found.values()))) + " |")
    return "\n".join(("<!-- SPDX-License-Identifier: MIT -->", *lines)) + "\n"


def leading(sections: Sequence[Section], named: Leading | None) -> Judged | None:
    """The claim that stands for a paper; None if it has not been measured."""
    if named is None:
        return None
    some = [each for one in sections if one.experiment.name == named.experiment
            for each in one.claims]  # fmt: skip
    return next((one for one in some if one.claim.sentence.startswith(named.claim)), None)


def _told(one: Judged | None) -> tuple[str, ...]:
    if one is None:
        return "", "", "", "not measured"
    sentence = one.claim.sentence.replace("|", "\\|")
    return sentence, bound(one.claim), span(one.claim, one.verdict), verdict_told(one.verdict)

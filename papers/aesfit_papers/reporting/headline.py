# SPDX-License-Identifier: MIT
"""The top of docs/papers.md: three pictures and a table, of experiments chosen here."""

from collections.abc import Mapping, Sequence

from ..judging.contract import PAPERS, Figure
from ..judging.run import Judged
from ..judging.told import bound, span, verdict_told
from ..judging.verdict import GROUPS
from .page import Section, count_verdicts

PICTURES: tuple[tuple[str, int], ...] = (
    ("transposed_table_2", 2),
    ("cache_figure_3", 0),
    ("platforms_wlan", 0),
)
"""Experiments, and which of their figures is shown, from 0."""
LEADING: Mapping[str, tuple[str, int]] = {
    "transposed": ("transposed_table_2", 0),
    "cache": ("cache_crossovers", 0),
    "mobile": ("mobile_table_1", 0),
    "images": ("images_mix_columns_share", 0),
    "platforms": ("platforms_wlan", 0),
}
"""For each paper an experiment, and the number from 0 of its claim that stands for the paper."""


def files_of(sections: Sequence[Section]) -> dict[str, bytes]:
    """Files by name: pictures and headline.md."""
    by_name = {one.experiment.name: one for one in sections}
    made: dict[str, bytes] = {}
    for name, at in PICTURES:
        for one in [part for part in by_name[name].parts if isinstance(part, Figure)][at : at + 1]:
            made[f"{name}{one.suffix}"] = one.image
    made["headline.md"] = table(sections).encode()
    return made


def table(sections: Sequence[Section]) -> str:
    """A Markdown table: a claim of each paper, and the verdicts on all its claims."""
    heads = ("paper", "it says", "asked", "found", "verdict", *GROUPS)
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---|---|---|" + "--:|" * len(GROUPS)]
    for paper in PAPERS.values():
        some = [one for one in sections if one.experiment.paper == paper]
        found = count_verdicts([each for one in some for each in one.claims])
        name, at = LEADING.get(paper.key, ("", 0))
        claims = [each for one in some if one.experiment.name == name for each in one.claims]
        told = _told(claims[at]) if claims else ("", "", "", "not measured")
        lines.append("| " + " | ".join((paper.short, *told, *map(str, found.values()))) + " |")
    return "\n".join(("<!-- SPDX-License-Identifier: MIT -->", *lines)) + "\n"


def _told(one: Judged) -> tuple[str, ...]:
    sentence = one.claim.sentence.replace("|", "\\|")
    return sentence, bound(one.claim), span(one.claim, one.verdict), verdict_told(one.verdict)

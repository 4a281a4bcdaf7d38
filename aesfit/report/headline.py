# SPDX-License-Identifier: MIT
"""What a README shows of the report: three pictures and one table, of experiments fixed here."""

from collections.abc import Mapping, Sequence

from ..experiment.contract import PAPERS, Figure
from ..experiment.run import Judged
from .papers import Section, count_verdicts, short
from .papers_parts import CLASSES, asked, span
from .themed import on_dark

PICTURES: tuple[str, ...] = ()
"""Experiments whose first figure is shown."""
LEADING: Mapping[str, str] = {}
"""For each paper the experiment whose first claim stands for it."""


def files_of(sections: Sequence[Section]) -> dict[str, bytes]:
    """By name: pictures, in light and dark where they are drawn, and headline.md."""
    by_name = {one.experiment.name: one for one in sections}
    made: dict[str, bytes] = {}
    for name in PICTURES:
        drawn = [part for part in by_name[name].parts if isinstance(part, Figure)]
        if drawn:
            made[f"{name}{drawn[0].suffix}"] = drawn[0].image
        if drawn and drawn[0].suffix == ".svg":
            made[f"{name}-dark.svg"] = on_dark(drawn[0].image)
    made["headline.md"] = _table(sections).encode()
    return made


def _table(sections: Sequence[Section]) -> str:
    """Markdown: of each paper a claim that stands for it, and how all its claims fared."""
    heads = ("paper", "it says", "asked", "found", "verdict", *CLASSES)
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---|---|---|" + "--:|" * len(CLASSES)]
    for paper in PAPERS.values():
        some = [one for one in sections if one.experiment.paper == paper]
        found = count_verdicts([each for one in some for each in one.claims])
        leading = [one.claims[0] for one in some
                   if one.experiment.name == LEADING.get(paper.key) and one.claims]  # fmt: skip
        told = _told(leading[0]) if leading else ("", "", "", "not measured")
        lines.append("| " + " | ".join((short(paper), *told, *map(str, found.values()))) + " |")
    return "\n".join(("<!-- SPDX-License-Identifier: MIT -->", *lines)) + "\n"


def _told(one: Judged) -> tuple[str, ...]:
    sentence = one.claim.sentence.replace("|", "\\|")
    kind = "above 0" if one.claim.kind == "order" else asked(one.claim).split(",")[0]
    return sentence, kind, span(one.claim), one.verdict.word

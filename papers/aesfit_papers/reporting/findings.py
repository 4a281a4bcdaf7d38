# SPDX-License-Identifier: MIT
"""Sentences of findings.toml with their figures, refused if the verdicts that they name changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..judging.contract import PAPERS, Paper
from ..judging.flips import Standing
from ..judging.run import Judged
from ..judging.told import span
from ..judging.told_where import told_where
from ..judging.verdict import pair_of
from ..judging.where import holding

MINUTE: Mapping[str, str] = {
    "stood": "what stood the test",
    "failed": "what did not",
    "because": "because",
}
"""Keys of a paper in findings.toml, and what they tell in a minute."""
_MOST_WORDS = 16
"""Of such a sentence as it is written, where a figure is a word."""


@dataclass(frozen=True)
class FoundSpan:
    """The finding on a claim, for a sentence: as in the report, or as "%" or "where" asks."""

    one: Judged

    def __format__(self, form: str) -> str:
        """The least and the greatest; with "%" as shares, with "where" the places instead."""
        claim, verdict = self.one.claim, self.one.verdict
        if form == "where":
            return told_where(holding(verdict.places))
        if form != "%":
            return span(claim, verdict)
        shares = [pair_of(claim.found[place]).ratio for place in verdict.places]
        return f"{100 * min(shares):.2f} to {100 * max(shares):.2f} %"


@dataclass(frozen=True)
class Results:
    """Every claim that has results, judged; those true by construction too."""

    claims: Sequence[Standing]

    def of_paper(self, paper: Paper) -> list[Standing]:
        """The claims of one paper."""
        return [one for one in self.claims if one.experiment.startswith(f"{paper.key}_")]

    def named(self, experiment: str, beginning: str) -> Standing:
        """The only claim of an experiment whose sentence begins so."""
        found = [
            one
            for one in self.claims
            if one.experiment == experiment and one.judged.claim.sentence.startswith(beginning)
        ]
        if len(found) != 1:
            raise ValueError(f"{experiment} has {len(found)} claims that begin '{beginning}'")
        return found[0]


def resting(written: Mapping[str, Any], results: Results) -> list[Standing]:
    """The claims that a sentence rests on, if they still have the verdicts that it names."""
    rests = [results.named(one["experiment"], one["claim"]) for one in written["rests"]]
    for asked, one in zip(written["rests"], rests, strict=True):
        group = one.judged.verdict.group
        if group != asked["verdict"]:
            raise ValueError(
                f"a finding of findings.toml rests on '{one.judged.claim.sentence}' with the "
                f"verdict '{asked['verdict']}', which is now '{group}'; write it anew"
            )
    return rests


def told(written: Mapping[str, Any], rests: Sequence[Standing]) -> str:
    """The sentence with its figures."""
    text: str = written["text"]
    return text.format(*(FoundSpan(one.judged) for one in rests))


def in_a_minute(written: Sequence[Mapping[str, Any]], results: Results) -> Iterator[str]:
    """A Markdown table with a line a paper: what stood the test, what did not, and why."""
    yield f"| paper | {' | '.join(MINUTE.values())} |"
    yield "|---|" + "---|" * len(MINUTE)
    for one in written:
        paper = PAPERS[one["key"]]
        cells = [_cell(paper, key, one.get(key), results) for key in MINUTE]
        yield f"| [{paper.short}](#{_anchor(paper)}) | {' | '.join(cells)} |"


def _cell(paper: Paper, key: str, written: Mapping[str, Any] | None, results: Results) -> str:
    if written is None or not written["rests"]:
        raise ValueError(f"findings.toml does not say on which claims '{key}' of {paper.key} rests")
    if len(written["text"].split()) > _MOST_WORDS:
        raise ValueError(f"'{key}' of {paper.key} has more than {_MOST_WORDS} words")
    return told(written, resting(written, results)).replace("|", "\\|")


def _anchor(paper: Paper) -> str:
    """Of its section in the page, as Markdown names headings."""
    head = f"{paper.short}: {paper.title}".lower().replace(" ", "-")
    return "".join(letter for letter in head if letter.isalnum() or letter == "-")

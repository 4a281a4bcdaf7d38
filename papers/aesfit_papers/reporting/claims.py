# SPDX-License-Identifier: MIT
"""Every claim in one table of the report: filters, rows with their reasons, and totals."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from ..judging.contract import CAUSES
from ..judging.run import Judged
from ..judging.sections import ByPaper, Section, claim_name, count_verdicts, left_out
from ..judging.told import asked, span
from ..judging.verdict import GROUPS, Group
from . import parts

_HEADS: Mapping[str, str] = {
    "says-so": "the paper says",
    "found": "found, and how it was judged",
    "word": "verdict",
    "reason": "cause and reason",
}
"""Columns by their class in the style sheet."""


def counts(by_paper: ByPaper) -> str:
    """Numbers of claims by paper and verdict."""
    every = [
        (paper.short, f"#{paper.key}", count_verdicts([c for one in some for c in one.claims]))
        for paper, some in by_paper.items()
    ]
    total = {word: sum(found[word] for _, _, found in every) for word in GROUPS}
    lines = "".join(
        f'<tr><td><a href="{link}">{escape(name)}</a></td>{_tallies(found)}</tr>'
        for name, link, found in every
    )
    heads = "".join(f"<th class=n scope=col>{parts.badge(word)}</th>" for word in GROUPS)
    return (
        f"<table class=counts><thead><tr><th scope=col>paper</th>{heads}</tr></thead>"
        f"<tbody>{lines}<tr class=total><td>all claims</td>{_tallies(total)}</tr></tbody></table>"
        f"<p class=note>{parts.words(left_out(total))}</p>"
    )


def _tallies(found: Mapping[Group, int]) -> str:
    return "".join(f"<td class=n>{found[word]}</td>" for word in GROUPS)


def listing(by_paper: ByPaper) -> str:
    """All claims, paper by paper, below the filters."""
    told = "".join(_of_paper(key.key, key.short, some) for key, some in by_paper.items())
    if not told:
        return (
            "<p>No claim has been judged yet; measure with: <code>aesfit papers run all</code></p>"
        )
    return f"{_filters(by_paper)}\n{told}"


def _filters(by_paper: ByPaper) -> str:
    """The filters, hidden until the script that they need has loaded."""
    choices: dict[str, Mapping[str, str]] = {
        "verdict": {word: word for word in GROUPS},
        "paper": {paper.key: paper.short for paper in by_paper},
        "cause": {cause: cause for cause in CAUSES},
    }
    selects = "".join(_select(name, values) for name, values in choices.items())
    return (
        f"<form id=filters hidden>{selects}<label>search "
        '<input type=search name=words autocomplete=off placeholder="words of a claim">'
        "</label><output name=many></output></form>"
    )


def _select(name: str, values: Mapping[str, str]) -> str:
    options = "".join(
        f'<option value="{escape(key)}">{escape(told)}</option>' for key, told in values.items()
    )
    return (
        f'<label>{name} <select name={name}><option value="">all</option>{options}</select></label>'
    )


def _of_paper(key: str, short: str, some: Sequence[Section]) -> str:
    rows = "".join(_rows(key, some))
    if not rows:
        return ""
    many = sum(len(one.claims) for one in some)
    head = "".join(f"<th class={kind} scope=col>{told}</th>" for kind, told in _HEADS.items())
    return (
        f"<details class=fold open><summary>{escape(short)}: {many} claims</summary>"
        f'<table class="claims-table every"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details>\n"
    )


def _rows(key: str, some: Sequence[Section]) -> Iterator[str]:
    for one in some:
        for number, each in enumerate(one.claims, 1):
            yield _row(key, parts.words(one.experiment.number), claim_name(one, number), each)


def _row(key: str, where: str, name: str, one: Judged) -> str:
    told, verdict = one.claim, one.verdict
    return (
        f'<tr data-verdict="{verdict.group}" data-paper="{key}" data-cause="{escape(one.cause)}">'
        f"<td class=long><span class=where>{where}:</span> "
        f'<a href="#{name}">{parts.words(told.sentence)}</a></td>'
        f"<td class=found>{span(told, verdict)} "
        f"<span class=asked>{parts.words(asked(told))}</span></td>"
        f"<td class=word>{parts.badge(verdict.group)}</td>"
        f"<td class=reason>{_reason(one)}</td></tr>\n"
    )


def _reason(one: Judged) -> str:
    """The cause and its reason; for a claim by construction, why it cannot fail."""
    cause = f"<b>{escape(one.cause)}</b>" if one.cause else ""
    why = one.claim.by_construction or (one.claim.why if one.cause else "")
    unable = "; ".join(dict.fromkeys(one.verdict.untestable.values()))
    told = why or (unable if one.cause else "")
    return ": ".join(text for text in (cause, parts.words(told)) if text)

# SPDX-License-Identifier: MIT
"""The papers' statements in the report: as a list by paper, and beside each experiment."""

from collections.abc import Collection
from html import escape

from ..judging.contract import PAPERS, Paper
from ..judging.stated import Statement, Statements
from .parts import words


def listing(listed: Statements, shown: Collection[str]) -> str:
    """All statements, folded by paper; `shown`: the experiments in the page."""
    return "".join(_folded(paper, listed, shown) for paper in PAPERS.values())


def _folded(paper: Paper, listed: Statements, shown: Collection[str]) -> str:
    some = listed.of_paper(paper.key)
    if not some:
        return ""
    heads = {"where": "where", "says-so": "the paper says", "answered": "answered by"}
    row = "".join(f"<th class={kind} scope=col>{head}</th>" for kind, head in heads.items())
    rows = "".join(_row(one, shown) for one in some)
    return (
        f"<details class=fold><summary>{escape(paper.short)}: {len(some)} statements</summary>"
        f"<table class=claims-table><thead><tr>{row}</tr></thead><tbody>{rows}</tbody></table>"
        "</details>\n"
    )


def _row(one: Statement, shown: Collection[str]) -> str:
    answers = ", ".join(_link(name, shown) for name in one.experiments)
    return (
        f'<tr id="{_mark(one)}"><td class=where>{escape(one.place)}</td>'
        f"<td class=long>{words(one.says)}</td>"
        f"<td class=answered>{answers or words(one.reason)}</td></tr>\n"
    )


def _link(name: str, shown: Collection[str]) -> str:
    """An experiment's name that may be broken between its words."""
    told = name.replace("_", "_<wbr>")
    return f'<a href="#{name}">{told}</a>' if name in shown else told


def _mark(one: Statement) -> str:
    """The anchor of a statement in the page."""
    return f"says-{one.id}"


def answers(listed: Statements, experiment: str) -> str:
    """What an experiment answers, each with a link to its line."""
    links = "; ".join(
        f'<a href="#{_mark(one)}" title="{escape(one.says)}">{escape(_told(one, experiment))}</a>'
        for one in listed.answered_by(experiment)
    )
    return f"<p class=answers>Answers {links}.</p>\n" if links else ""


def _told(one: Statement, experiment: str) -> str:
    """The place, with its paper if that is not the experiment's."""
    own = experiment.startswith(f"{one.paper}_")
    return one.place if own else f"{PAPERS[one.paper].short}, {one.place}"

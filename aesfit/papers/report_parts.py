# SPDX-License-Identifier: MIT
"""Pieces of the report on the papers as HTML: tables, figures, claims, and what they rest on."""

import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape

from ..report.themed import for_page
from .contract import Claim, Figure, Part, ResultTable, Words
from .run import Judged
from .tables import figures, number
from .verdict import met

CLASSES = {"holds": "yes", "holds in part": "part", "does not hold": "no"}
"""Of the three verdicts, for the style sheet."""
_SHORT = 26
"""Letters of a cell up to which it stays on one line."""
_KINDS = {"ratio": "published", "at least": "at least", "at most": "at most"}


def words(text: str) -> str:
    """A sentence with `code` in it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def paragraphs(text: str) -> list[str]:
    """Of a docstring, their lines joined."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip())]


def part(one: Part, name: str, provenance: Sequence[str]) -> str:
    """A table, a figure or a paragraph; `name` is unique in the page."""
    if isinstance(one, Words):
        return "".join(f"<p>{words(block)}</p>\n" for block in paragraphs(one.text))
    if isinstance(one, ResultTable):
        return table(one, provenance)
    return figure(one, name)


def table(one: ResultTable, provenance: Sequence[str]) -> str:
    """A table in a box of its own that scrolls, with what it rests on folded at its foot."""
    right = [figures(column) for column in zip(*one.lines, strict=True)] or [False] * len(one.head)
    heads = "".join(
        f"<th{_side(side)} scope=col>{words(head)}</th>"
        for head, side in zip(one.head, right, strict=True)
    )
    lines = "\n".join("<tr>" + "".join(map(_cell, line, right)) + "</tr>" for line in one.lines)
    note = f"<p class=note>{words(one.note)}</p>" if one.note else ""
    return (
        f"<figure class=table><figcaption>{words(one.title)}</figcaption>\n"
        f"<div class=scroll tabindex=0><table><thead><tr>{heads}</tr></thead>\n"
        f"<tbody>{lines}</tbody></table></div>{note}{rests(provenance)}</figure>\n"
    )


def _side(right: bool) -> str:
    return " class=n" if right else ""


def _cell(text: str, right: bool) -> str:
    wraps = "" if right or len(text) <= _SHORT else " class=long"
    return f"<td{_side(right)}{wraps}>{words(text)}</td>"


def rests(provenance: Sequence[str]) -> str:
    """Folded on the screen, open on paper."""
    if not provenance:
        return ""
    lines = "".join(f"<li>{words(line)}</li>" for line in provenance)
    return f"<details class=rests><summary>How it was made</summary><ul>{lines}</ul></details>"


def figure(one: Figure, name: str) -> str:
    """A picture inside the page."""
    if one.suffix == ".svg":
        image = for_page(one.image, name, one.alt)
    else:
        data = b64encode(one.image).decode()
        image = f'<img src="data:image/png;base64,{data}" alt="{escape(one.alt)}">'
    note = f"<p class=note>{words(one.note)}</p>" if one.note else ""
    return (
        f"<figure><figcaption>{words(one.title)}</figcaption>\n"
        f"<div class=picture tabindex=0>{image}</div>{note}</figure>\n"
    )


def badge(word: str, text: str | None = None) -> str:
    """A verdict, told by colour and word; `text` for more words."""
    return f'<span class="badge {CLASSES[word]}">{text or word}</span>'


def claim(one: Judged, name: str) -> str:
    """What the paper says, the verdict, each place with what was found there, and the reason."""
    told, verdict = one.claim, one.verdict
    why = f"<p class=why>{words(told.why)}</p>" if told.why else ""
    places = "".join(_place(told, place, value) for place, value in told.found.items())
    return (
        f'<li id="{name}" class="claim {CLASSES[verdict.word]}">{badge(verdict.word)} '
        f"<span class=says>{words(told.sentence)}</span>\n"
        f"<div class=places><span class=asked>{asked(told)}</span>{places}</div>{why}</li>\n"
    )


def _place(told: Claim, place: str, value: float) -> str:
    kind, mark = ("yes", "\N{CHECK MARK}") if met(told, value) else ("no", "\N{BALLOT X}")
    return (
        f'<span class="place {kind}"><b aria-label="{"met" if kind == "yes" else "missed"}">'
        f"{mark}</b> {words(place)} <i>{number(value)}</i></span>"
    )


def bound(told: Claim) -> str:
    """What every figure that was found is held against."""
    if told.kind == "order":
        return "above 0"
    return f"{_KINDS[told.kind]} {number(told.published)}"


def asked(told: Claim) -> str:
    """What a claim asks of each place, in words."""
    more = {"order": " where the paper is right", "ratio": ", held within 25 %"}
    return bound(told) + more.get(told.kind, "")


def span(told: Claim) -> str:
    """What was found, from the least to the most."""
    low, high = min(told.found.values()), max(told.found.values())
    if number(low) == number(high):
        return number(low)
    return f"{number(low)} to {number(high)}"

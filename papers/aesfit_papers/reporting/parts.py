# SPDX-License-Identifier: MIT
"""Pieces of the report on the papers as HTML: tables, figures, claims and provenance."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

from aesfit.report.themed import for_page

from ..judging.contract import Claim, Figure, Part, ResultTable, Words
from ..judging.place import ClaimPlace
from ..judging.run import Judged
from ..judging.tables import figures
from ..judging.told import asked, value_told, verdict_told
from ..judging.verdict import GROUPS, Group

CLASSES: Mapping[Group, str] = dict(
    zip(GROUPS, ("yes", "part", "size", "no", "theirs", "none", "built"), strict=True)
)
"""Classes of the verdict groups in the style sheet."""
_SHORT = 26
"""Characters of a cell up to which it is kept on one line."""


def words(text: str) -> str:
    """A sentence with `code` in it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a docstring, with their lines joined."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip())]


def part(one: Part, name: str, provenance: Sequence[str]) -> str:
    """A table, a figure or a paragraph; `name` is unique in the page."""
    if isinstance(one, Words):
        return "".join(f"<p>{words(block)}</p>\n" for block in paragraphs(one.text))
    if isinstance(one, ResultTable):
        return table(one, provenance)
    return figure(one, name)


def table(one: ResultTable, provenance: Sequence[str]) -> str:
    """A table in its own scrolling box, with its provenance folded at its foot."""
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
    """The provenance, folded on the screen and open on paper."""
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


def badge(group: Group, text: str | None = None) -> str:
    """A verdict as a badge of colour and word; `text` replaces the word."""
    return f'<span class="badge {CLASSES[group]}">{text or group}</span>'


def claim(one: Judged, name: str) -> str:
    """A claim: statement, verdict, findings in each place, and the reason."""
    told, verdict = one.claim, one.verdict
    reasons = " ".join(
        text for text in (f"Cause: {one.cause}." if one.cause else "", told.why) if text
    )
    built = f"<p class=why>By construction: {words(told.by_construction)}</p>"
    why = f"<p class=why>{words(reasons)}</p>" if reasons else ""
    return (
        f'<li id="{name}" class="claim {CLASSES[verdict.group]}">'
        f"{badge(verdict.group, verdict_told(verdict))} "
        f"<span class=says>{words(told.sentence)}</span>\n"
        f"<div class=places><span class=asked>{words(asked(told))}</span>{_places(one)}</div>"
        f"{built if told.by_construction else ''}{why}</li>\n"
    )


def _places(one: Judged) -> str:
    """Places: judged ones, then those only shown, then those that cannot test the claim."""
    verdict = one.verdict
    judged = (
        _place(one.claim, place, "yes" if word == "holds" else "no", word)
        for place, word in verdict.places.items()
    )
    swept = (
        _place(one.claim, place, "swept", f"shown, not judged: {word}")
        for place, word in verdict.swept.items()
    )
    unable = (
        _place(one.claim, place, "swept", f"not testable here: {reason}")
        for place, reason in verdict.untestable.items()
    )
    return "".join((*judged, *swept, *unable))


def _place(told: Claim, place: ClaimPlace, kind: str, word: str) -> str:
    mark = {"yes": "\N{CHECK MARK}", "no": "\N{BALLOT X}"}.get(kind, "\N{MIDDLE DOT}")
    return (
        f'<span class="place {kind}" title="{escape(word)}"><b aria-label="{escape(word)}">'
        f"{mark}</b> {words(str(place))} <i>{value_told(told, told.found[place])}</i></span>"
    )

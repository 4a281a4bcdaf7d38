# SPDX-License-Identifier: MIT
"""The report on the five papers: one self-contained HTML file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template

from aesfit._native import version as __version__
from aesfit.report.themed import dark_variables

from ..judging.contract import PAPERS, Figure, Paper
from ..judging.run import Judged, command_line
from ..judging.sections import ByPaper, claim_name
from ..judging.sections import Section as Section
from ..judging.sections import count_verdicts as count_verdicts
from ..judging.sections import section as section
from ..judging.stated import Statements, statements
from ..judging.verdict import Group
from . import claims, parts
from . import statements as stated_parts
from .story import story

SYSTEMS: Mapping[str, str] = {
    "transposed": "The state is kept transposed, one row of it in each 32-bit word, so that "
    "MixColumns needs no rotations and InvMixColumns few doublings. Keys are expanded in that "
    "form or computed on the fly, and the only tables are the two S-boxes.",
    "cache": "A formula gives the time of a burst of block encryptions behind a data cache, "
    "from the size of each version's tables, its reads and its cycles without misses. It "
    "selects the best version without a simulation.",
    "mobile": "A byte-oriented AES for phones is optimised in C: three tables of 256 bytes, steps "
    "fused and inlined, the state in registers. It is compared with a plain version on a block, "
    "on key expansion, and in CBC over files of 16 bytes to 8 MiB.",
    "images": "Pictures are encrypted in ECB and CBC, with loops unrolled and merged at four "
    "levels, and the gain is compared with the size of the code. A formula counts the "
    "operations of AES for any key size and number of rounds.",
    "platforms": "One AES-128 runs as hardware in an FPGA, on the processor inside it, on a "
    "desktop and on a phone. Each is compared with the needs of a wireless network of 54 or 108 "
    "Mbit/s.",
}
"""Two sentences on what each paper builds, by its key."""


@dataclass(frozen=True)
class Extra:
    """A part of the report beyond the papers."""

    key: str
    title: str
    body: str
    """HTML."""


_OF_MANY: Mapping[Group, str] = {
    "holds": "hold",
    "in part": "hold in part",
    "other size": "have another size",
    "does not hold": "do not hold",
    "not judged on their code": "are not judged on their code",
}


def render(
    sections: Sequence[Section], extras: Sequence[Extra], maps: Mapping[str, Figure] | None = None
) -> str:
    """The whole page; `maps` are the pictures of where the claims of each paper hold."""
    page = Template(files(__package__).joinpath("papers.html").read_text(encoding="utf-8"))
    listed = statements()
    by_paper = {
        paper: sorted((one for one in sections if one.experiment.paper == paper), key=_place)
        for paper in PAPERS.values()
    }
    return page.substitute(
        dark=dark_variables(),
        version=escape(__version__),
        contents=_contents(by_paper, extras),
        story=story(by_paper, listed.story),
        counts=claims.counts(by_paper),
        claims=claims.listing(by_paper),
        stated=stated_parts.listing(listed, [one.experiment.name for one in sections]),
        papers="".join(
            _paper(paper, some, listed, (maps or {}).get(paper.key))
            for paper, some in by_paper.items()
        ),
        extras="".join(_extra(one) for one in extras),
    )


def _place(one: Section) -> tuple[int, tuple[int, ...], str]:
    """Sort key: tables, then figures, then others, each by number."""
    kind, _, rest = one.experiment.number.partition(" ")
    order = ("Table", "Figure").index(kind) if kind in ("Table", "Figure") else 2
    return order, tuple(map(int, re.findall(r"\d+", rest))), one.experiment.name


def _contents(by_paper: ByPaper, extras: Sequence[Extra]) -> str:
    lines = ['<li><a href="#summary">Every claim and its verdict</a></li>']
    lines.append('<li><a href="#stated">Where the papers say it</a></li>')
    for paper, some in by_paper.items():
        inner = "".join(
            f'<li><a href="#{one.experiment.name}">{parts.words(one.experiment.number)}: '
            f"{parts.words(one.experiment.title)}</a></li>"
            for one in some
        )
        lines.append(f'<li><a href="#{paper.key}">{escape(paper.short)}</a><ul>{inner}</ul></li>')
    inner = "".join(f'<li><a href="#{one.key}">{escape(one.title)}</a></li>' for one in extras)
    lines.append(f'<li><a href="#more">What nobody had</a><ul>{inner}</ul></li>')
    return f"<ul>{''.join(lines)}</ul>"


def _paper(paper: Paper, some: Sequence[Section], listed: Statements, drawn: Figure | None) -> str:
    drawn_map = parts.figure(drawn, f"map-{paper.key}") if drawn else ""
    body = "".join(_section(one, listed) for one in some) or "<p>No experiments yet.</p>"
    return (
        f'<section id="{paper.key}" class=paper>'
        f"<details class=fold><summary><h2>{escape(paper.title)}</h2></summary>\n"
        f"<p class=authors>{escape(paper.authors)}; {escape(paper.where)}</p>\n"
        f"<p class=system>{escape(SYSTEMS[paper.key])}</p>\n{drawn_map}{body}</details></section>\n"
    )


def _section(one: Section, listed: Statements) -> str:
    experiment = one.experiment
    shows, *rest = parts.paragraphs(experiment.text)
    more = "".join(f"<p>{parts.words(block)}</p>" for block in rest)
    title = (
        f"<span class=number>{parts.words(experiment.number)}</span> "
        f"{parts.words(experiment.title)}"
    )
    head = (
        f"<p>{parts.words(shows)}</p>\n{stated_parts.answers(listed, experiment.name)}"
        f"<div class=ours>{more}</div>\n"
    )
    if one.measured is None:
        missing = f"<p class=missing>{parts.words(one.missing)}</p>"
        return _article(experiment.name, title, f"{head}{missing}")
    body = "".join(_parts(one, one.measured.provenance))
    told = "".join(
        parts.claim(each, claim_name(one, number)) for number, each in enumerate(one.claims, 1)
    )
    verdicts = f"<h4>Its claims</h4><ul class=claims>{told}</ul>" if told else ""
    again = f"<p class=again>Again: <code>{command_line(experiment)}</code></p>"
    return _article(experiment.name, title, f"{head}{body}{verdicts}{again}", _fared(one.claims))


def _article(name: str, title: str, body: str, beside: str = "") -> str:
    """A folded part; `beside` its title stays in sight."""
    return (
        f'<article id="{name}"><details class=fold><summary><h3>{title}</h3>{beside}</summary>\n'
        f"{body}</details></article>\n"
    )


def _parts(one: Section, provenance: Sequence[str]) -> Iterator[str]:
    """Its tables, texts and figures; consecutive figures are placed side by side."""
    numbered = enumerate(one.parts)
    for drawn, some in groupby(numbered, key=lambda pair: isinstance(pair[1], Figure)):
        shown = "".join(
            parts.part(each, f"{one.experiment.name}-{number}", provenance) for number, each in some
        )
        yield f"<div class=figures>{shown}</div>" if drawn else shown


def _fared(judged: Sequence[Judged]) -> str:
    """Numbers of claims by verdict, as badges."""
    found = count_verdicts(judged)
    told = " ".join(
        parts.badge(word, f"{many} {word if many == 1 else _OF_MANY.get(word, word)}")
        for word, many in found.items()
        if many
    )
    return f"<span class=fared>{told}</span>" if told else ""


def _extra(one: Extra) -> str:
    return _article(one.key, escape(one.title), one.body)

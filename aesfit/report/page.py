# SPDX-License-Identifier: MIT
"""The answer as one self-contained HTML file, for light and dark."""

from html import escape
from importlib.resources import files
from string import Template

from ..choosing.answer import Answer
from ..choosing.ranking import Candidate, Choice
from ..choosing.request import BLOCK
from ..choosing.words import question
from ..measuring.evidence import evidence_cell
from ..units import count
from . import plot

SUFFIXES = (".html",)
_TEXT = ("core", "timing", "evidence", "front", "flags", "GHASH")
_FACTS = (
    ("Window", "window"),
    ("Memory", "memory"),
    ("Compiler", "compiler"),
    ("Flags of the winner", "flags"),
    ("Rig", "rig"),
    ("Version of aesfit", "version"),
    ("Cycles", "clock"),
    ("Sources, SHA-256", "sources_sha256"),
    ("Platform file, SHA-256", "platform_sha256"),
    ("Timing model, SHA-256", "timing_sha256"),
)


def render(answer: Answer, command: str) -> str:
    """The whole page; `command` asks the same question again."""
    choice = answer.choice
    page = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    asked = question(choice.request)
    return page.substitute(
        title=escape(f"Which AES fits {choice.request.platform.title}?"),
        question=escape(asked[0].upper() + asked[1:] + "."),
        verdict=_verdict(answer),
        plot=_plot(answer),
        ranking=_ranking(choice),
        dropped=_dropped(choice),
        provenance=_provenance(answer),
        command=escape(command),
    )


def _verdict(answer: Answer) -> str:
    """The verdict, with its first clause emphasised."""
    head, mark, rest = escape(answer.sentence).partition(":")
    file = f'<p class="muted">{escape(answer.file)}</p>' if answer.file else ""
    return f"<p><strong>{head}</strong>{mark}{rest}</p>{file}"


def _plot(answer: Answer) -> str:
    choice = answer.choice
    if not choice.ranking and not any(one.candidate for one in choice.dropped):
        return ""
    svg = plot.for_page(plot.render(answer, ".svg", titled=False))
    return f'<div class="card scroll plot">{svg}</div>'


def _columns(candidate: Candidate, choice: Choice) -> dict[str, tuple[float | str, str]]:
    """For each column the sort key and the text shown."""
    row = candidate.row

    def number(value: float | None) -> tuple[float | str, str]:
        return (-1, "-") if value is None else (value, count(value))

    searched = {}
    if candidate.ghash is not None:
        searched["GHASH"] = (candidate.ghash, f"<code>{escape(candidate.ghash)}</code>")
    if any(one.flags for one in choice.ranking):
        flags = " ".join(candidate.flags or ())
        searched["flags"] = (flags, f"<code>{escape(flags)}</code>")
    kind = row.secrecy.kind
    front = candidate.name in choice.pareto
    return {
        "rank": number(candidate.rank),
        "core": (row.core, f"<code>{escape(row.core)}</code>"),
        "cycles": number(row.cycles),
        "a byte": (row.cycles_per_byte or 0.0, f"{row.cycles_per_byte or 0:.1f}"),
        "key set-up": number(candidate.setup_cycles),
        choice.request.sizes[0]: number(row.flash_bytes),
        choice.request.sizes[1]: number(row.ram_bytes),
        "stack": number(row.stack_bytes),
        "timing": (row.secrecy.place, f'<span class="kind {kind}">{row.timing}</span>'),
        "evidence": (row.evidence or "", evidence_cell(row.secrecy)),
        "front": (int(not front), "\N{BULLET}" if front else ""),
        **searched,
    }


def _ranking(choice: Choice) -> str:
    if not choice.ranking:
        return ""
    table = [_columns(one, choice) for one in choice.ranking]
    heads = "".join(
        f'<th{_kind(name)} scope="col"><button type="button">{escape(name)}</button></th>'
        for name in table[0]
    )
    unit = "call" if choice.request.mode == BLOCK else "message"
    rows = "".join(
        ('<tr class="winner">' if number == 0 else "<tr>")
        + "".join(
            f'<td{_kind(name)} data-value="{escape(str(key))}">{shown}</td>'
            for name, (key, shown) in columns.items()
        )
        + "</tr>\n"
        for number, columns in enumerate(table)
    )
    return (
        "<h2>All cores within the limits</h2>\n"
        f'<p class="muted">Cycles of one {unit}; {_sizes(choice)} in bytes; front: no other core '
        "beats it in cycles and both sizes at once.</p>\n"
        '<div class="card scroll"><table><thead><tr>'
        f"{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div>"
    )


def _sizes(choice: Choice) -> str:
    """A phrase on the columns of sizes."""
    if choice.request.platform.rig == "published":
        return " and ".join(choice.request.sizes)
    return "flash (code, constants, tables), RAM (keys and stack) and stack"


def _kind(name: str) -> str:
    return ' class="text"' if name in _TEXT else ""


def _dropped(choice: Choice) -> str:
    if not choice.dropped:
        return ""
    rows = "".join(
        f'<tr><td class="text"><code>{escape(one.core)}</code></td>'
        f'<td class="text wrap">{escape(one.reason)}</td></tr>\n'
        for one in choice.dropped
    )
    return f'<h2>Dropped</h2>\n<div class="card scroll"><table><tbody>{rows}</tbody></table></div>'


def _provenance(answer: Answer) -> str:
    choice = answer.choice
    shown = choice.winner or next((one.candidate for one in choice.dropped if one.candidate), None)
    if shown is None:
        return ""
    told = [(title, getattr(shown.row.provenance, name)) for title, name in _FACTS]
    told.insert(2, ("Evidence", answer.evidence))
    facts = "".join(f"<dt>{title}</dt><dd>{escape(value)}</dd>" for title, value in told if value)
    return f'<h2>What the figures depend on</h2>\n<div class="card"><dl>{facts}</dl></div>'

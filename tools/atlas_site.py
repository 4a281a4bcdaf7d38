# SPDX-License-Identifier: MIT
"""The atlas on the site: a page for each platform, made from the lines that are current."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from atlas_picture import Mark, picture

from aesfit.choosing.answer import Answer
from aesfit.choosing.ranking import Candidate
from aesfit.choosing.usual import MODES, SIZES, usual_answer, usual_platforms
from aesfit.choosing.words import place
from aesfit.measuring.evidence import evidence_cell

MARK = "<!-- atlas pages -->"
"""Where docs/atlas.md lists the pages."""
PICTURED = ("ccm", "ctr", "block", "gcm", "cmac", "xts")
"""The mode of the picture: the first that is there."""
_HEADS = (
    "mode", "core", "timing", "evidence", "flash", "RAM", "key set-up",
    *(f"{size} B" for size in SIZES), "cycles/B", "Mbit/s",
)  # fmt: skip
Answers = Mapping[tuple[str, int], Answer]
"""By mode and payload."""


@dataclass(frozen=True)
class AtlasPage:
    """One platform."""

    platform: str
    title: str
    text: str


def pages() -> Iterator[AtlasPage]:
    """A page for each platform that has current lines."""
    for name in usual_platforms():
        found = _answers(name)
        if found:
            yield _page(name, found)


def listed(made: list[AtlasPage]) -> str:
    """The pages as a list with links."""
    if not made:
        return "No line is current: `make atlas` measures them again."
    return "\n".join(f"- [{one.title}](atlas/{one.platform}.md)" for one in made)


def _answers(name: str) -> Answers:
    asked = {(mode, size): usual_answer(name, mode, size) for mode in MODES for size in SIZES}
    return {key: answer for key, answer in asked.items() if answer is not None}


def _page(name: str, found: Answers) -> AtlasPage:
    first = next(iter(found.values()))
    platform, origin = first.choice.request.platform, first.origin
    told = f"measured on {origin.date} with {origin.compiler}" if origin else ""
    lines = [
        f"# {platform.title}: AES in cycles and bytes\n",
        f"{place(first.choice.request)}.",
        f"Figures were {told}.",
        "Cycles are those of one message under a 128-bit key that was set up before.",
        "Flash and RAM are those of a firmware that encrypts and decrypts; with `block` it only "
        "encrypts.",
        "In GCM each core stands with its best GHASH multiplier for messages of "
        f"{SIZES[-1]} bytes; a cell is empty where another is better.",
        f"[What the atlas is](../atlas.md); `aesfit fit --platform {name}` asks it.\n",
        *_pictured(found),
        _table(found),
    ]
    return AtlasPage(name, platform.title, "\n".join(lines))


def pictured(name: str) -> Iterator[str]:
    """The picture of one platform with its words; nothing where no line is current."""
    return _pictured(_answers(name))


def _pictured(found: Answers) -> Iterator[str]:
    size = SIZES[-1]
    mode = next((one for one in PICTURED if (one, size) in found), None)
    if mode is None:
        return
    choice = found[mode, size].choice
    marks = [
        Mark(one.name, one.row.flash_bytes, one.row.cycles, _steady(one), one.name in choice.pareto)
        for one in choice.ranking
    ]
    if not marks:
        return
    told = f"Cycles of {mode} messages of {size} bytes against bytes of flash"
    yield f"{told}; the timing of a filled mark is independent of the key on any memory."
    yield "Names are those of cores on the Pareto front, as far as there is room.\n"
    yield picture(marks, told) + "\n"


def _steady(one: Candidate) -> bool:
    return one.row.timing == "independent"


def _table(found: Answers) -> str:
    heads = "".join(f"<th>{escape(one)}</th>" for one in _HEADS)
    rows = "\n".join(_rows(found))
    return (
        f'<div style="overflow-x:auto"><table class="sortable"><thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>\n"
    )


def _rows(found: Answers) -> Iterator[str]:
    for mode in MODES:
        longest = found.get((mode, SIZES[-1]))
        for one in longest.choice.ranking if longest else ():
            yield _row(mode, one, found)


def _row(mode: str, one: Candidate, found: Answers) -> str:
    row = one.row
    title = one.name if one.ghash is None else f"{one.name} + {one.ghash}"
    words = (mode, title, row.timing, evidence_cell(row.secrecy))
    sizes = (row.flash_bytes, row.ram_bytes, one.setup_cycles)
    cycles = (_cycles(found.get((mode, size)), one) for size in SIZES)
    each = "".join(f"<td>{escape(word)}</td>" for word in words)
    each += "".join(map(_number, (*sizes, *cycles)))
    each += _number(row.cycles_per_byte, ".1f")
    each += _number(_mbit_per_s(one, found[mode, SIZES[-1]].choice.request.clock), ".3g")
    return f"<tr>{each}</tr>"


def _cycles(answer: Answer | None, same: Candidate) -> float | None:
    """Of the same core with the same multiplier."""
    ranking = answer.choice.ranking if answer else ()
    wanted = same.name, same.ghash
    return next((one.row.cycles for one in ranking if (one.name, one.ghash) == wanted), None)


def _number(value: float | None, form: str = ",.0f") -> str:
    """A cell; the script sorts by its data-value."""
    if value is None:
        return "<td></td>"
    return f'<td data-value="{value:g}" align="right">{value:{form}}</td>'


def _mbit_per_s(one: Candidate, clock: float | None) -> float | None:
    """Of payload; None where no clock is known."""
    return None if clock is None else 8 * SIZES[-1] * clock / one.row.cycles / 1e6

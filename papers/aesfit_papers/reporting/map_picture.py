# SPDX-License-Identifier: MIT
"""The map of a paper as a picture: a line for each claim, where it holds and what turns it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from aesfit.report.curves import OTHERS, PALETTE
from aesfit.report.marks import GRID, INK, MUTED, PAPER
from aesfit.report.themed import for_both

from ..judging.contract import PAPERS, Figure
from ..judging.maps import MappedClaim
from ..judging.places import LEVELS
from ..judging.rebuilt import CLANG
from ..judging.where import COMPILERS, Holding, Turn

HOLDS, FAILS = PALETTE[0], PALETTE[5]
"""Colours of places where a claim holds, and where it does not."""
_WIDTH, _LINE, _HEAD, _FOOT = 860, 14, 44, 6
"""Points, as all that follows."""
_CLAIM, _ALL, _CELLS, _TURNED, _SIZED = 4, 338, 450, 592, 722
"""Left edges of the columns."""
_CELL, _WHOLE, _GAP, _BAR = 27, 46, 5, 8
"""Width of a cell, of the bar over all places and of a gap, and height of a bar."""
_LETTERS, _TURN_LETTERS = 71, 29
"""Letters of a claim, and of a change, that fit."""
_BY_SIZE = "by memory or size"
_LEGEND = (
    "Share of places; then the smallest change with which the claim begins to hold (blue) or stops "
    "(orange), and the smallest of wait states, cache, lines, calls or bytes.",
    'Grey claims are not judged on their code, and "assumed" ones are not judged at all. '
    "A dash: no such place, or no such change, was tried.",
)
_FONT = "font-family: 'DejaVu Sans', Helvetica, Arial, sans-serif; font-size: 8px"


@dataclass(frozen=True)
class Share:
    """In how many of some places a claim holds."""

    holds: int
    places: int


def share(places: Holding) -> Share:
    """Of all of them."""
    return Share(sum(places.values()), len(places))


def at_level(one: MappedClaim, level: str) -> Share:
    """Over its mapped places, each at this level of gcc; no places if it was not tried there."""
    apart = {place.without(*LEVELS) for place in one.map.here}
    here = {
        place: held
        for place, held in one.map.every.items()
        if place.named("level") == level
        and CLANG not in place
        and place.without(level, *COMPILERS) in apart
    }
    return share(here)


def by_clang(one: MappedClaim) -> Share:
    """Over its mapped places as clang builds them."""
    return share({at: held for at, held in one.map.every.items() if CLANG in at})


def figures(every: Sequence[MappedClaim]) -> dict[str, Figure]:
    """The picture of each paper with such claims, by its key."""
    by_paper = {key: [one for one in every if one.experiment.paper.key == key] for key in PAPERS}
    return {key: _figure(some) for key, some in by_paper.items() if some}


def _figure(some: Sequence[MappedClaim]) -> Figure:
    alt = (
        f"A line for each of {len(some)} claims: the share of judged places where it holds, of "
        "each level of gcc, and by clang; the smallest change that turns it, and the smallest of "
        "the memory or of a size that does."
    )
    return Figure("Where each claim holds, and what turns it", _picture(some), ".svg", alt)


def _picture(some: Sequence[MappedClaim]) -> bytes:
    """An SVG with a line for each claim."""
    height = _HEAD + _LINE * len(some) + _FOOT
    drawn = [*_head(), *(shape for at, one in enumerate(some) for shape in _line(at, one))]
    rules = "".join(
        f"M{_CLAIM} {_HEAD + _LINE * at}H{_WIDTH - _CLAIM}" for at in range(len(some) + 1)
    )
    groups = "".join(
        f'<g style="fill: {colour}; {_FONT}">{"".join(told for of, told in drawn if of == colour)}'
        "</g>\n"
        for colour in (INK, MUTED, HOLDS, FAILS, OTHERS)
    )
    return for_both(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}pt" height="{height}pt" '
        f'viewBox="0 0 {_WIDTH} {height}" version="1.1">\n<defs></defs>\n'
        f'<path style="fill: {PAPER}" d="M0 0H{_WIDTH}V{height}H0z"/>\n'
        f'<path style="fill: none; stroke: {GRID}; stroke-width: 0.6" d="{rules}"/>\n'
        f"{groups}</svg>\n".encode()
    )


_Shape = tuple[str, str]
"""A colour, and an element of that colour."""


def _head() -> Iterator[_Shape]:
    """What the colours mean, and the names of the columns."""
    for left, colour, told in ((_CLAIM, HOLDS, "holds"), (52, FAILS, "does not hold")):
        yield _bar(left, 12, 10, colour)
        yield _text(left + 14, 12, told)
    for at, told in enumerate(_LEGEND):
        yield _text(136, 8 + 10 * at, told, MUTED)
    named = ((_CLAIM, "claim"), (_ALL, "places"), (_TURNED, "turned by"), (_SIZED, _BY_SIZE))
    for left, name in named:
        yield _text(left, 34, name, MUTED)
    for at, name in enumerate((*LEVELS, CLANG)):
        yield _text(_CELLS + at * _CELL, 34, name, MUTED)


def _line(at: int, one: MappedClaim) -> Iterator[_Shape]:
    y = _HEAD + _LINE * at + _LINE // 2
    name = one.name.removeprefix(f"{one.experiment.paper.key}_")
    theirs = one.one.verdict.group != "not judged on their code"
    sentence = _cut(f"{name}  {one.one.claim.sentence}", _LETTERS)
    yield _text(_CLAIM, y, sentence, INK if theirs else MUTED)
    yield from _whole(y, one)
    cells = [*(at_level(one, level) for level in LEVELS), by_clang(one)]
    for place, found in enumerate(cells):
        yield from _shares(_CELLS + place * _CELL, y, _CELL - _GAP, found)
    many = sum(one.map.tried.values())
    yield _turned(_TURNED, y, one.map.turns[:1], many)
    sized = [each for each in one.map.turns if each.sized]
    yield _turned(_SIZED, y, sized[:1], one.map.tried_sizes)


def _whole(y: int, one: MappedClaim) -> Iterator[_Shape]:
    """The share of all places."""
    every = share(one.map.here)
    yield from _shares(_ALL, y, _WHOLE, every)
    told = f"{every.holds} of {every.places}" if every.places else "none can test it"
    told += " assumed" if one.map.supposed else ""
    yield _text(_ALL + _WHOLE + _GAP if every.places else _ALL + _CELL, y, told)


def _turned(left: int, y: int, some: Sequence[Turn], tried: int) -> _Shape:
    """The first change; or that none of so many turned it, or a dash if none was tried."""
    if not some:
        none = f"none of {tried} tried" if tried else "\N{EN DASH}"
        return _text(left, y, none, MUTED)
    return _text(left, y, _cut(_change(some[0]), _TURN_LETTERS), _colour(some[0]))


def _colour(one: Turn) -> str:
    return FAILS if one.holds else HOLDS


def _change(one: Turn) -> str:
    """What becomes what; of an amount only the number is told twice."""
    before, after = one.before, one.after
    told = before.amount if one.sized and before.form == after.form else ""
    return f"{told or before.text} \N{RIGHTWARDS ARROW} {after.text}"


def _shares(left: int, y: int, width: int, found: Share) -> Iterator[_Shape]:
    """Blue for the share that holds, orange for the rest; a dash if nothing was tried."""
    if not found.places:
        yield _bar(left, y, _GAP, OTHERS, 1)
        return
    held = round(width * found.holds / found.places)
    if held:
        yield _bar(left, y, held, HOLDS)
    if held < width:
        yield _bar(left + held, y, width - held, FAILS)


def _bar(left: int, y: int, width: int, colour: str, height: int = _BAR) -> _Shape:
    return colour, f'<path d="M{left} {y - height // 2}h{width}v{height}h-{width}z"/>'


def _text(left: int, y: int, told: str, colour: str = INK) -> _Shape:
    return colour, f'<text x="{left}" y="{y + 3}">{escape(told)}</text>\n'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"

# SPDX-License-Identifier: MIT
"""The statistics of pictures as one self-contained HTML file, with the pictures."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from io import BytesIO
from string import Template

from ..pictures import statistics
from ..pictures.analysis import PLAIN, AnalysedPicture
from ..pictures.cipher import carrier
from ..pictures.figures import NAMES, plane_names, planes_of
from ..pictures.picture_file import FORMATS, Picture, encoded, image, pixels_from
from ..pictures.words import METRICS, RANGES, WORDS_OF_CAUTION, number, reasons

SUFFIXES = (".html",)
_LARGEST = 512
"""Largest edge of a picture on the page in pixels; of larger ones every n-th pixel is shown."""
_INKS = {"red": "#d0342c", "green": "#2a9d4a", "blue": "#3b6fd4"}
_WIDTH, _HEIGHT = 256, 64
"""Size of a histogram, in its own units."""


@dataclass(frozen=True)
class Look:
    """One picture with its histograms."""

    png: bytes
    """PNG of the picture; empty if no page is asked for."""
    planes: tuple[str, ...]
    histograms: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Shown:
    """One file with its items."""

    title: str
    told: str
    """A sentence on what was analysed."""
    items: tuple[AnalysedPicture, ...]
    looks: tuple[Look, ...]
    """What to show of each item."""


def look(item: AnalysedPicture, picture: Picture, page: bool) -> Look:
    """Histograms of an item's bytes, and for a page the picture, scaled down if large."""
    counts = [statistics.histogram(plane) for plane in planes_of(item.data, picture)]
    png = _preview(item, picture) if page else b""
    return Look(png, plane_names(picture), tuple(tuple(map(int, each)) for each in counts))


def _preview(item: AnalysedPicture, picture: Picture) -> bytes:
    step = -(-max(picture.width, picture.height) // _LARGEST)
    pixels = pixels_from(item.data, picture.pixels)[::step, ::step]
    return _png(replace(picture, pixels=pixels) if item.mode == PLAIN else carrier(picture, pixels))


def _png(picture: Picture) -> bytes:
    """Encode as PNG; inks and other colours unknown to PNG are shown as RGB."""
    if picture.mode in FORMATS[".png"][1]:
        return encoded(picture, ".png")
    out = BytesIO()
    image(picture).convert("RGB").save(out, format="PNG")
    return out.getvalue()


def render(shown: Sequence[Shown]) -> str:
    """The whole page."""
    folder = files(__package__)
    style = folder.joinpath("page.html").read_text(encoding="utf-8")
    page = Template(folder.joinpath("image_page.html").read_text(encoding="utf-8"))
    titles = ", ".join(one.title for one in shown)
    return page.substitute(
        style=style.partition("<style>")[2].partition("</style>")[0],
        title=escape(f"Statistics of {titles}" if len(shown) == 1 else "Statistics of pictures"),
        caution=escape(WORDS_OF_CAUTION),
        pictures="".join(map(_section, shown)),
        metrics="".join(_explained(name) for name in NAMES),
        ranges=escape(RANGES),
    )


def _explained(name: str) -> str:
    metric = METRICS[name]
    return f"<dt>{escape(metric.title)}</dt><dd>{escape(metric.sentence)}</dd>\n"


def _section(shown: Shown) -> str:
    cards = "".join(_card(item, seen) for item, seen in zip(shown.items, shown.looks, strict=True))
    notes = "".join(f'<p class="muted">{escape(one)}</p>' for one in reasons(shown.items))
    return (
        f'<h2>{escape(shown.title)}</h2>\n<p class="muted">{escape(shown.told)}</p>\n'
        f'<div class="cards">{cards}</div>\n{notes}'
    )


def _card(item: AnalysedPicture, seen: Look) -> str:
    change = (
        f' <span class="muted">the bit changes {item.change.short}</span>' if item.change else ""
    )
    source = f"data:image/png;base64,{b64encode(seen.png).decode()}"
    return (
        f'<section class="card"><h3>{escape(item.mode)}{change}</h3>\n'
        f'<img src="{source}" alt="{escape(item.file)}, {escape(item.mode)}">\n'
        f"{_histogram(seen)}\n{_table(item)}</section>\n"
    )


def _histogram(seen: Look) -> str:
    """A histogram of the 256 values, one line per plane, scaled to the largest count."""
    most = max(max(counts) for counts in seen.histograms)
    lines = "".join(
        f'<path d="{_steps(counts, most)}" style="--line: {_INKS.get(name, "var(--muted)")}"/>'
        for name, counts in zip(seen.planes, seen.histograms, strict=True)
    )
    named = ", ".join(seen.planes)
    return (
        f'<svg class="histogram" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" '
        f'role="img" aria-label="Histogram: {escape(named)}">{lines}</svg>'
        f'<p class="axis muted"><span>0</span><span>{escape(named)}; top: {most:,}</span>'
        "<span>255</span></p>"
    )


def _steps(counts: Sequence[int], most: int) -> str:
    """A staircase from the left edge to the right, closed along the baseline."""
    heights = [_HEIGHT - round((_HEIGHT - 1) * each / most, 1) for each in counts]
    return f"M0 {_HEIGHT}" + "".join(f"V{each:g}h1" for each in heights) + f"V{_HEIGHT}z"


def _table(item: AnalysedPicture) -> str:
    """Figures; those of an encrypted picture with their expected values."""
    expected = "" if item.mode == PLAIN else '<th scope="col">expected</th>'
    return (
        '<table><thead><tr><th class="text" scope="col"></th><th scope="col">measured</th>'
        f"{expected}</tr></thead>\n<tbody>"
        + "".join(_row(item, name) for name in NAMES)
        + "</tbody></table>"
    )


def _row(item: AnalysedPicture, name: str) -> str:
    """A row with a figure and its expectation; empty without either."""
    if item.figures[name] is None and item.expected[name].value is None:
        return ""
    kind = {True: "yes", False: "no", None: ""}[item.within(name)]
    mark = f'<span class="verdict-{kind}" title="within: {kind}"></span>' if kind else ""
    expected = "" if item.mode == PLAIN else f"<td>{_expected(item, name)}</td>"
    return (
        f'<tr><th class="text" scope="row">{escape(METRICS[name].title)}</th>'
        f"<td>{number(name, item.figures[name])}{mark}</td>{expected}</tr>\n"
    )


def _expected(item: AnalysedPicture, name: str) -> str:
    """The value, and its range if it has one."""
    expected = item.expected[name]
    value = number(name, expected.value)
    if expected.low is None or expected.low == expected.high:
        return value
    low, high = number(name, expected.low), number(name, expected.high)
    return f"{value}<small>{low} to {high}</small>"

# SPDX-License-Identifier: MIT
"""Plots and pages: what they hold, that labels keep apart, that pages need no network."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rows import CORES, PLATFORM, Core, Refused, results

from aesfit.choosing.answer import Answer
from aesfit.choosing.ranking import choose
from aesfit.choosing.request import Limits, Request, jobs
from aesfit.choosing.words import verdict
from aesfit.report import page, plot
from aesfit.report.labels import Box, Spot, place

EVIDENCE = "rules only & <tested>"
SVG = "{http://www.w3.org/2000/svg}"


def answer(limits: Limits | None = None, cores: dict[str, Core | Refused] | None = None) -> Answer:
    request = Request(PLATFORM, limits=limits or Limits())
    known = cores if cores is not None else dict(CORES)
    asked = jobs(request, known)
    choice = choose(request, asked, results(asked, known))
    return Answer(choice, verdict(choice, EVIDENCE), EVIDENCE, "a file: 1 message")


def words(svg: bytes) -> list[str]:
    """Text of an SVG, which stays text."""
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return ["".join(text.itertext()).strip() for text in texts]


def test_png_is_a_png_of_1440_pixels() -> None:
    png = plot.render(answer(), ".png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20], "big") == 1440


def test_svg_names_every_core_and_says_what_holds() -> None:
    told = words(plot.render(answer(Limits(flash=5500)), ".svg"))
    assert set(CORES) <= set(told)
    assert "Which AES fits Arm Cortex-M3?" in told
    assert "limit 5.37K" in told
    joined = " ".join(told)
    for needed in ("AES-128 in ccm", "1504 bytes", "no wait states", EVIDENCE, "Pareto"):
        assert needed in joined


def test_pictures_are_reproducible() -> None:
    assert plot.render(answer(), ".svg") == plot.render(answer(), ".svg")
    assert plot.render(answer(), ".png") == plot.render(answer(), ".png")


@pytest.mark.parametrize(
    "cores",
    [
        {"one": Core(1504, 1000, 300)},
        {"one": Core(1504, 1000, 60), "same": Core(1504, 1000, 60)},
        {"one": Refused("cannot")},
        {"host": Core(0.7 * 1504, 3000, 300), "slow": Core(400.5 * 1504, 900, 300)},
    ],
)
def test_pictures_and_pages_of_few_cores(cores: dict[str, Core | Refused]) -> None:
    assert words(plot.render(answer(cores=cores), ".svg"))
    assert page.render(answer(cores=cores), "aesfit fit").endswith("</html>\n")


def test_labels_keep_apart_and_inside() -> None:
    frame = Box(0, 0, 400, 300)
    spots = [Spot(60 + 45 * (i % 6), 60 + 22 * (i // 6), 6, 55, 10) for i in range(24)]
    boxes = place(spots, frame)
    for index, box in enumerate(boxes):
        assert box.outside(frame) == pytest.approx(0)
        assert sum(box.overlap(other) for other in boxes[index + 1 :]) == 0


def test_a_lone_label_stands_right_of_its_point() -> None:
    (box,) = place([Spot(100, 100, 5, 40, 10)], Box(0, 0, 300, 300))
    assert box.left == pytest.approx(107.5)
    assert (box.bottom + box.top) / 2 == pytest.approx(100)


def test_a_label_at_the_edge_turns_inwards() -> None:
    (box,) = place([Spot(290, 100, 5, 40, 10)], Box(0, 0, 300, 300))
    assert box.right < 290


class Reader(HTMLParser):
    """Collects tags, checks that they nest, and every address that a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "!doctype"):
            self.open.append(tag)
        named = dict(attrs)
        self.fetched += [v for k in ("src", "href", "xlink:href") if (v := named.get(k) or "")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    return reader


def test_page_needs_nothing_else() -> None:
    html = page.render(answer(), "aesfit fit")
    reader = read(html)
    assert all(address.startswith("#") for address in reader.fetched)
    assert not re.search(r"@import|url\((?!#)", html)
    assert "prefers-color-scheme: dark" in html
    assert "$" not in re.sub(r"<script>.*</script>", "", html, flags=re.DOTALL)


def test_page_says_everything() -> None:
    told = answer(Limits(flash=5500, timing="proved"))
    text = " ".join(read(page.render(told, "aesfit fit --max-flash '5500'")).text)
    needed = [*CORES, told.sentence.partition(":")[2], "a file: 1 message", EVIDENCE]
    needed += ["within 5,500 bytes of flash", "aesfit fit --max-flash '5500'"]
    needed += [one.reason for one in told.choice.dropped]
    needed += ["3f" * 32, "12.2.1", "one message; key set-up not charged"]
    for one in needed:
        assert one in text, one


def test_page_escapes_what_it_is_given() -> None:
    told = replace(answer(), sentence='<b>"x"</b>: & more', file="<i>.bin")
    html = page.render(told, "aesfit fit --file '<x>'")
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<x>" not in html


def test_page_table_sorts_by_numbers() -> None:
    html = page.render(answer(), "aesfit fit")
    body = html[html.index("<tbody>") : html.index("</tbody>")]
    rows = [re.findall(r'data-value="([^"]*)"', row) for row in body.split("<tr")[1:]]
    assert len(rows) == len(CORES)
    ranked = answer().choice.ranking
    assert [float(row[2]) for row in rows] == [one.row.cycles for one in ranked]
    assert [int(row[8]) for row in rows] == sorted(one.row.secrecy.place for one in ranked)


def test_page_colours_follow_the_theme() -> None:
    html = page.render(answer(), "aesfit fit")
    svg = html[html.index("<svg") : html.index("</svg>")]
    for name in ("ink", "muted", "grid", "here"):
        assert f"var(--{name}, #" in svg
        assert f"--{name}: #" in html


def test_page_without_a_winner(tmp_path: Path) -> None:
    html = page.render(answer(Limits(flash=10)), "aesfit fit --max-flash 10")
    assert "the nearest, small" in " ".join(read(html).text)
    assert "Every core that is left" not in html

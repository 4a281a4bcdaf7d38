# SPDX-License-Identifier: MIT
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NoReturn

import experiment_folder
import pytest
from click.testing import CliRunner

from aesfit.atlas import lines as lines_of_atlas
from aesfit.building.tools import ToolMissingError
from aesfit.cli import app
from aesfit.measuring import measure
from aesfit.report import themed
from aesfit.wlan import software
from aesfit_papers.judging.catalog import experiment_named, experiments
from aesfit_papers.judging.charts import Bars, ChartLine, ChartPanel, Scale, bars, lines, panels
from aesfit_papers.judging.contract import PAPERS
from aesfit_papers.judging.sections import figure_named
from aesfit_papers.judging.spots import DesignSpot, front, spots
from aesfit_papers.judging.stated import statements
from aesfit_papers.judging.tables import NOTHING, figures, number, percent, ratio
from aesfit_papers.reporting import headline
from aesfit_papers.reporting import more as papers_more
from aesfit_papers.reporting import page as papers

LINE = ChartLine("x", [(1, 1), (2, 2)], filled=True)
CYCLES = Scale("cycles", log=True)


STATED = """
[[claim]]
id = "one"
paper = "cache"
place = "Table 9"
says = "It < all."
experiments = ["cache_made_up"]
[[claim]]
id = "two"
paper = "mobile"
place = "section 1"
says = "More."
experiments = ["cache_made_up"]
[[claim]]
id = "three"
paper = "mobile"
place = "section 2"
says = "That is so."
reason = "As it is."
"""


LEADING = """
[headline.cache]
place = "abstract"
says = "It is fast."
experiment = "cache_made_up"
claim = "As"
"""


SHOWN = """
[[story]]
paper = "cache"
experiment = "cache_made_up"
claim = "Faster"
picture = "Bar"
[[picture]]
experiment = "cache_made_up"
picture = "Bars"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with experiment_folder.used(tmp_path, monkeypatch):
        yield tmp_path


class Outline(HTMLParser):
    """What is open, and all addresses and identifiers."""

    VOID = ("meta", "img", "use", "br", "wbr", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.names += [value or "" for name, value in attributes if name == "id"]
        self.links += [value or "" for name, value in attributes if name in ("href", "src")]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names += [value or "" for name, value in attributes if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(extras: list[papers.Extra]) -> str:
    return papers.render([papers.section(one) for one in experiments()], extras)


def test_page_needs_nothing_else_and_is_well_formed(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    experiment_folder.write(folder, "mobile_other")
    assert CliRunner().invoke(app, ["papers", "run", "all"]).exit_code == 0
    page = page_of([papers.Extra("more-1", "More & more", "<p>told</p>")])
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert len(set(outline.names)) == len(outline.names)
    assert all(link.startswith(("#", "data:")) for link in outline.links)
    assert {link[1:] for link in outline.links if link[0] == "#"} <= set(outline.names)
    assert not re.search(r"""url\(["']?https?:|@import|<script src|<link """, page)
    assert page == page_of([papers.Extra("more-1", "More & more", "<p>told</p>")])


def test_page_tells_claims_tables_and_what_they_rest_on(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    CliRunner().invoke(app, ["papers", "run", "cache_made_up"])
    page = page_of([])
    for told in (
        "Table 9 shows &lt;nothing&gt; of <code>this</code>.",
        '<span class="badge part">1 in part</span>',
        "Nothing &amp; more",
        "<td>a</td><td class=n>10</td><td class=n>10</td><td class=n>1.00</td>",
        "<li>gcc &lt;12&gt;</li>",
        'aria-label="a &amp; b"',
        "Again: <code>aesfit papers run cache_made_up</code>",
    ):
        assert told in page
    assert "<nothing>" not in page


def test_page_links_statements_and_experiments_both_ways(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    (folder / "claims.toml").write_text(STATED, encoding="utf-8")
    page = page_of([])
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert '<td class=answered><a href="#cache_made_up">cache_<wbr>made_<wbr>up</a></td>' in page
    assert '<a href="#says-one" title="It &lt; all.">Table 9</a>; ' in page
    assert '<a href="#says-two" title="More.">Javed, 2010, section 1</a>.' in page
    assert "<td class=answered>As it is.</td>" in page
    assert {link[1:] for link in outline.links if link[0] == "#"} <= set(outline.names)


def test_the_story_has_the_claims_and_pictures_that_the_list_chooses(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    (folder / "claims.toml").write_text(SHOWN, encoding="utf-8")
    assert "Not measured yet." in page_of([])
    CliRunner().invoke(app, ["papers", "run", "cache_made_up"])
    page = page_of([])
    assert '<a class=says href="#cache_made_up-claim-2">Faster.</a>' in page
    assert page.count("<details class=shown><summary>picture</summary>") == 1
    (folder / "claims.toml").write_text(SHOWN.replace('"Bar"', '"Lines"'), encoding="utf-8")
    with pytest.raises(ValueError, match="has 0 figures that begin 'Lines', of 'Bars'"):
        page_of([])


def test_an_experiment_without_results_says_how_to_get_them(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    page = page_of([])
    assert (
        "There are no results yet; measure them with: <code>aesfit papers run cache_made_up" in page
    )
    assert "No claim has been judged yet" in page


def test_files_for_a_readme(folder: Path) -> None:
    experiment_folder.write(folder, "cache_made_up")
    CliRunner().invoke(app, ["papers", "run", "cache_made_up"])
    (folder / "claims.toml").write_text(LEADING + SHOWN, encoding="utf-8")
    made = headline.files_of([papers.section(one) for one in experiments()], {})
    assert set(made) == {"cache_made_up.svg", "headline.md"}
    row = "| Bertoni and others, ISCAS 2003 | As fast. | at most 1 | 1 to 1.1 |"
    counts = "holds on all but b | 1 | 1 | 0 | 0 | 0 | 0 | 0 |"
    assert f"{row} {counts}\n" in made["headline.md"].decode()


def test_verb_writes_into_a_new_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment_folder.write(folder, "cache_made_up")
    monkeypatch.setattr(papers_more, "stored_extras", lambda: [])
    target = tmp_path / "new" / "report"
    done = CliRunner().invoke(app, ["papers", "report", "-o", str(target)])
    assert done.exit_code == 0, done.exception
    assert {path.name for path in target.iterdir()} == {"index.html", "headline.md"}
    assert "these have no results and are empty: cache_made_up" in done.stdout
    (tmp_path / "file").touch()
    wrong = CliRunner().invoke(app, ["papers", "report", "-o", str(tmp_path / "file")])
    assert wrong.exit_code == 2


def test_readme_shows_three_pictures_and_a_claim_of_each_paper() -> None:
    leading = {one.experiment for one in statements().leading.values()}
    pictures = statements().pictures
    shown = sorted({*(one.experiment for one in pictures), *leading})
    sections = [papers.section(experiment_named(name)) for name in shown]
    made = headline.files_of(sections, {})
    assert len(pictures) == 3
    assert {f"{one.experiment}.svg" for one in pictures} < set(made)
    table = made["headline.md"].decode()
    assert "not measured" not in table
    assert len(re.findall(r"^\| [A-Z]", table, re.MULTILINE)) == len(PAPERS)


def test_every_picture_of_the_story_is_one_figure_of_its_experiment() -> None:
    chosen = [one for one in statements().story if one.picture]
    drawn = {one.experiment: papers.section(experiment_named(one.experiment)) for one in chosen}
    for one in chosen:
        assert figure_named(drawn[one.experiment], one.picture).image


def test_without_emulator_and_tools_the_page_says_what_brings_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_of_atlas, "PATH", tmp_path / "no atlas")

    def no_tools(*_: object) -> NoReturn:
        raise ToolMissingError("yosys is missing; install with: pip install 'aesfit[silicon]'")

    for module in (measure, software):
        monkeypatch.setattr(module, "why_not", lambda platform: "no rig; pip install 'aesfit[rig]'")
    monkeypatch.setattr(papers_more, "silicon_rows", no_tools)
    told = {one.key: one.body for one in papers_more.extras(lambda done, total: None)}
    assert "libmgba" in told["models"]
    assert told["best"].count("no rig; pip install 'aesfit[rig]'</p>") == 1
    for name in papers_more.FRONTS:
        assert "no rig; pip install 'aesfit[rig]'</p>" in told[f"front-{name}"]
    assert "pip install 'aesfit[silicon]'</p>" in told["silicon"]


def test_charts_are_the_same_each_time_and_take_their_colours_from_the_page() -> None:
    drawn: list[Callable[[], bytes]] = [
        lambda: bars(["a", "b"], [Bars("x", [1.0, -2.0], [None, 3.0])], Scale("cycles")),
        lambda: bars(["a"], [Bars("x", [1.0]), Bars("y", [2.0])], Scale("share"), stacked=True),
        lambda: lines([ChartLine("x", [(1, 10), (2, 500)], [(2, 100)])], CYCLES, CYCLES,
                      marks=[(1.5, "here")]),
        lambda: panels([ChartPanel("p", [LINE])], CYCLES, CYCLES),
        lambda: spots([DesignSpot("a", "g", 1, 2), DesignSpot("b", "g", 2, 1)], CYCLES, CYCLES),
    ]  # fmt: skip
    for draw in drawn:
        svg = draw()
        assert svg == draw()
        page = themed.for_page(svg, "here", "what one sees")
        assert "var(--c-1d2433, #1d2433)" in page
        assert re.findall(r"(?:fill|stroke): (#\w+)", page) == []
        assert all(name.startswith("here-") for name in re.findall(r'\bid="([^"]+)"', page))


def test_front_of_designs() -> None:
    one, two, three = (
        DesignSpot("a", "", 1, 5),
        DesignSpot("b", "", 2, 3),
        DesignSpot("c", "", 3, 4),
    )
    assert front([three, two, one]) == [one, two]
    assert front([three, two, one], more=True) == [one]


def test_how_figures_are_written() -> None:
    told = [number(value) for value in (1234567, 1234.5, 0.12345, -12.5, 7.0, None, True, "x")]
    assert told == ["1,234,567", "1,234", "0.123", "\N{MINUS SIGN}12.5", "7", NOTHING, "yes", "x"]
    assert (ratio(3, 2), ratio(None, 2), ratio(3, 0)) == ("1.50", NOTHING, NOTHING)
    assert percent(0.125) == "12.5 %"
    assert figures(["1,234", NOTHING, "\N{MINUS SIGN}3"])
    assert not figures(["arm7tdmi", "12"])
    assert not figures([NOTHING])

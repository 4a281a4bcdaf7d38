# SPDX-License-Identifier: MIT
"""The page on the papers is what its tool writes; an outdated finding is refused."""

import re
import runpy
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from aesfit_papers.judging.catalog import experiment_named, experiments
from aesfit_papers.judging.contract import PAPERS, Row
from aesfit_papers.judging.run import judged, stored
from aesfit_papers.reporting import headline
from aesfit_papers.reporting.page import Section


def rows(name: str) -> Sequence[Row]:
    measured = stored(experiment_named(name))
    assert measured is not None
    return measured.rows


PAGE = ROOT / "docs" / "papers.md"
LONG = "very " * 16


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    """What make_papers_page.py defines."""
    return runpy.run_path(str(ROOT / "tools" / "make_papers_page.py"))


def test_the_page_is_as_the_tool_writes_it(maker: dict[str, Any]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert maker["renewed"](page) == page, "run tools/make_papers_page.py"


def test_table_of_papers() -> None:
    sections = [  # without their pictures, which take ten seconds to draw
        Section(one, measured, (), judged(one, measured.rows))
        for one in experiments()
        if (measured := stored(one))
    ]
    table = headline.table(sections).partition("\n")[2]
    assert table in PAGE.read_text(encoding="utf-8"), "run tools/make_papers_page.py"


def test_the_map_is_as_the_tool_writes_it(maker: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "papers-map.md").read_text(encoding="utf-8")
    assert maker["map_page"](page) == page, "run tools/make_papers_page.py"
    for path, image in maker["pictures"]().items():
        assert path.read_bytes() == image, "run tools/make_papers_page.py"
        assert f"](figures/{path.name})" in page
    with pytest.raises(ValueError, match="no place for the map"):
        maker["map_page"]("# Map\n")


def test_figures_of_pages_are_those_of_rows(maker: dict[str, Any]) -> None:
    """E of hexagon in the page on the cache model, rates of aes_ccm in two others."""
    page = (ROOT / "docs" / "lx-bounds.md").read_text(encoding="utf-8")
    assert maker["lx_page"](page) == page, "run tools/make_papers_page.py"
    with pytest.raises(ValueError, match="no place for its figures"):
        maker["lx_page"]("# E\n")
    packets = [f"{row['E']}" for row in rows("cache_coefficients") if row["place"] == "hexagon"]
    told = f"take {', '.join(packets[:-1])} and {packets[-1]} packets a call"
    assert told in (ROOT / "docs" / "cache-model.md").read_text(encoding="utf-8")
    rates = {row["platform"]: row["mbit_per_s"] for row in rows("platforms_wlan")
             if row["core"] == "aes_ccm" and row["mbit_per_s"] is not None}  # fmt: skip
    wlan = (ROOT / "docs" / "wlan.md").read_text(encoding="utf-8")
    silicon = (ROOT / "docs" / "silicon.md").read_text(encoding="utf-8")
    for family, rate in rates.items():
        (line,) = re.findall(rf"^{family} +aes_ccm .*", wlan, re.MULTILINE)
        assert f" {float(str(rate)):.0f}  yes" in line
    assert "and ".join(f"{float(str(rate)):.0f} " for rate in rates.values()) in silicon


CORES = {"AEST": "transposed", "AES2": "ttable1", "AES4": "ttable4", "AES6": "ttable8"}


@pytest.mark.parametrize(("place", "column"), [("lx-st200", 1), ("hexagon", 2)])
def test_crossovers_of_the_page_on_the_cache_model_are_those_of_rows(
    place: str, column: int
) -> None:
    """The best version of each burst in the rows is the one that the page names for it."""
    page = (ROOT / "docs" / "cache-model.md").read_text(encoding="utf-8")
    for line in (16, 32):
        (cells,) = re.findall(rf"^\| {line} \| (.*) \| (.*) \| the same \|$", page, re.MULTILINE)
        stages = re.findall(r"(\w+) to (\d+)", cells[column - 1])
        last = re.findall(r"then (\w+)", cells[column - 1])[0]
        for row in rows("cache_figure_3"):
            if (row["place"], row["line"]) == (place, line):
                best = str(row["best"])
                calls = float(str(row["calls"]))
                told = next((name for name, end in stages if calls <= int(end)), last)
                assert told in (best, CORES[best]), f"{line}-byte lines, {calls:.0f} calls"


def test_every_paper_has_what_holds_and_what_does_not() -> None:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for paper in PAPERS.values():
        (section,) = (one for one in sections if one.startswith(f"{paper.short}: "))
        assert "\nWhat holds:\n" in section
        assert "\nWhat does not:\n" in section


def test_a_minute_tells_each_paper_in_three_cells_of_about_fifteen_words() -> None:
    """Before all other tables, with a link to the paper's section and figures of its rows."""
    page = PAGE.read_text(encoding="utf-8")
    minute = page.split("<!-- minute: begin -->")[1].split("<!-- minute: end -->")[0]
    assert page.index("| what stood the test |") < page.index("| it says | asked |")
    lines = re.findall(r"^\| \[(.*?)\]\(#(.*?)\) \| (.*) \|$", minute, re.MULTILINE)
    assert [one[0] for one in lines] == [paper.short for paper in PAPERS.values()]
    heads = re.findall(r"^## (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads}
    for _, anchor, cells in lines:
        assert anchor in anchors
        assert all(5 <= len(cell.split()) <= 40 for cell in cells.split(" | "))  # places are long
        assert re.search(r"\d", cells)


def test_the_page_on_the_map_is_linked_beside_the_results() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = (one for one in readme.splitlines() if "Five papers measured again" in one)
    assert "(docs/papers.md)" in line
    assert "(docs/papers-map.md)" in line


def test_a_page_without_its_place_is_refused(maker: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"papers\.md has no place for the papers"):
        maker["renewed"]("# Papers\n")
    hasty = PAGE.read_text(encoding="utf-8").replace("<!-- minute: end -->", "")
    with pytest.raises(ValueError, match="no place for the table of one minute"):
        maker["renewed"](hasty)
    headless = PAGE.read_text(encoding="utf-8").replace("<!-- headlines: begin -->", "")
    with pytest.raises(ValueError, match="no place for the headlines"):
        maker["renewed"](headless)


def test_the_readme_counts_what_has_an_outcome(maker: dict[str, Any]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert maker["recounted"](readme) == readme, "run tools/make_papers_page.py"
    with pytest.raises(ValueError, match="does not count"):
        maker["recounted"]("# aesfit\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda text: text.replace('verdict = "holds"', 'verdict = "does not hold"', 1),
            r"with the verdict 'does not hold', which is now 'holds'; write it anew",
        ),
        (
            lambda text: text.replace('claim = "In dec', 'claim = "in dec', 1),
            r"has 0 claims that begin",
        ),
        (
            lambda text: text.replace("[paper.stood]", "[paper.standing]", 1),
            r"does not say on which claims 'stood' of transposed rests",
        ),
        (
            lambda text: text.replace(
                '[paper.stood]\ntext = "', f'[paper.stood]\ntext = "{LONG}', 1
            ),
            r"'stood' of transposed has more than 16 words",
        ),
        (
            lambda text: text.replace('kind = "open"', 'kind = "in part"', 1),
            r"no finding is of the kind 'in part'",
        ),
        (
            lambda text: text.replace('key = "cache"', 'key = "caches"'),
            r"is to have the papers transposed, cache",
        ),
    ],
)
def test_findings_that_do_not_stand_are_refused(
    maker: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[str], str],
    told: str,
) -> None:
    renewed = maker["renewed"]
    path = renewed.__globals__["FINDINGS"]
    text = path.read_text(encoding="utf-8")
    changed = tmp_path / "findings.toml"
    changed.write_text(change(text), encoding="utf-8")
    assert tomllib.loads(changed.read_text(encoding="utf-8")) != tomllib.loads(text)
    monkeypatch.setitem(renewed.__globals__, "FINDINGS", changed)
    with pytest.raises(ValueError, match=told):
        renewed(PAGE.read_text(encoding="utf-8"))

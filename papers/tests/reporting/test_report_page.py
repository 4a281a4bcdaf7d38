# SPDX-License-Identifier: MIT
"""The report in Chromium: its first screen, its filters, a narrow screen, and without a script."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from aesfit_papers.judging.catalog import experiments
from aesfit_papers.judging.contract import PAPERS, Figure
from aesfit_papers.judging.sections import Section
from aesfit_papers.judging.stated import statements
from aesfit_papers.reporting import page as papers
from aesfit_papers.reporting.story import claim_of

CHROMIUM = shutil.which("chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
ROWS = "table.every tbody tr"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs: apt-get install chromium")


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return [papers.section(one, drawn=False) for one in experiments()]


@pytest.fixture(scope="module")
def file(sections: list[Section], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "index.html"
    file.write_text(papers.render(sections, []), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS), timeout=0)
        yield browser
        browser.close()


def opened(browser: Browser, file: Path, wide: int, **context: Any) -> Page:  # noqa: ANN401
    """The page, which must not load anything else."""
    size = {"width": wide, "height": 900}
    page = browser.new_context(viewport=size, **context).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    return page


def test_every_headline_is_one_claim_of_its_paper(sections: list[Section]) -> None:
    for key in PAPERS:
        some = [one for one in statements().story if one.paper == key]
        assert 2 <= len(some) <= 3
        for one in some:
            found = claim_of(one, sections)
            assert found, one
            claims = found[0].claims
            assert sum(each.claim.sentence.startswith(one.claim) for each in claims) == 1


@needs_chromium
def test_the_story_is_one_screen_and_nothing_is_cut_off(browser: Browser, file: Path) -> None:
    page = opened(browser, file, 1280)
    low = page.evaluate("document.querySelector('.story').getBoundingClientRect().bottom")
    assert low <= 900
    assert page.locator(".story .tale li .says").count() == len(statements().story)
    for wide in (1280, 390):
        page.set_viewport_size({"width": wide, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == wide


@needs_chromium
def test_filters_and_search_leave_the_claims_asked_for(
    browser: Browser, file: Path, sections: list[Section]
) -> None:
    every = [(one.experiment.paper.key, each) for one in sections for each in one.claims]
    page = opened(browser, file, 1280)
    shown = page.locator(f"{ROWS}:visible")
    assert shown.count() == 0, "folded until somebody asks"
    assert page.locator(f"{ROWS}:not([hidden])").count() == len(every)
    asked = ("does not hold", "compiler or processor")
    page.select_option("select[name=verdict]", asked[0])
    page.select_option("select[name=paper]", "mobile")
    page.select_option("select[name=cause]", asked[1])
    wanted = [
        each.claim.sentence
        for key, each in every
        if (key, each.verdict.group, each.cause) == ("mobile", *asked)
    ]
    assert 0 < len(wanted) < len(every)
    assert shown.count() == len(wanted)
    page.select_option("select[name=cause]", "")
    page.select_option("select[name=verdict]", "")
    page.select_option("select[name=paper]", "")
    page.fill("input[name=words]", "CORE 108")
    assert 0 < shown.count() < len(every)
    assert all("108" in text for text in shown.all_inner_texts())
    assert page.locator("#filters output").inner_text().startswith(f"{shown.count()} of ")


@needs_chromium
def test_papers_are_folded_and_a_link_opens_what_it_names(browser: Browser, file: Path) -> None:
    page = opened(browser, file, 1280)
    height = "document.documentElement.scrollHeight"
    folded = page.evaluate(height)
    assert folded < 12_000
    name = page.locator("article").last.get_attribute("id")
    article = page.locator(f"#{name} > details")
    assert not article.is_visible()
    for _ in range(2):  # the second time the address stays as it is
        page.evaluate(f"document.querySelector('main a[href=\"#{name}\"]').click()")
        page.wait_for_function(f"document.querySelector('#{name} > details').open")
        assert article.is_visible()
        page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = false)")
    other = opened(browser, Path(f"{file}"), 1280)
    other.goto(f"{file.as_uri()}#{name}")
    assert other.locator(f"#{name} > details").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("main details:not([open])").count() == 0
    assert page.evaluate(height) > 5 * folded
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(height) == folded


@needs_chromium
def test_the_first_screen_of_a_paper_is_its_map(browser: Browser, tmp_path: Path) -> None:
    drawn = Figure("Map", b"<svg xmlns='http://www.w3.org/2000/svg' id='m'/>", ".svg", "a map")
    file = tmp_path / "index.html"
    some = [papers.section(one, drawn=False) for one in experiments()[:9]]
    key = some[0].experiment.paper.key
    file.write_text(papers.render(some, [], {key: drawn}), encoding="utf-8")
    page = opened(browser, file, 1280, reduced_motion="reduce")
    page.goto(f"{file.as_uri()}#{key}")
    page.wait_for_function(f"document.querySelector('#{key} > details').open")
    top = f"document.querySelector('#{key} figure').getBoundingClientRect().top"
    assert 0 < page.evaluate(top) < 450
    assert page.locator(f"#{key} > details > figure + article").count() == 1


@needs_chromium
def test_without_a_script_every_claim_is_shown_and_no_dead_filter(
    browser: Browser, file: Path, sections: list[Section]
) -> None:
    page = opened(browser, file, 390, java_script_enabled=False)
    assert page.locator(f"{ROWS}:visible").count() == sum(len(one.claims) for one in sections)
    assert not page.locator("#filters").is_visible()


def test_the_reason_stands_in_the_row(sections: list[Section]) -> None:
    page = papers.render(sections, [])
    rows = [row for row in page.split("<tr ") if row.startswith("data-verdict=")]
    failed = [row for row in rows if 'data-cause=""' not in row]
    assert failed
    for row in failed:
        cause = row.split('data-cause="')[1].split('"')[0]
        reason = row.split("<td class=reason>")[1]
        assert reason.startswith(f"<b>{cause}</b>: "), row

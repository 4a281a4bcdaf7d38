# SPDX-License-Identifier: MIT
"""The page in headless Chromium: sliders, keyboard, links, exports; no request leaves 127.0.0.1."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page
from web_browser import NEEDED, chromium, opened, settle, shown, typed
from web_server import FIRST, Halting, pretending, serving

from aesfit.cachemodel.predict import BurstQuestion, predict
from aesfit.cachemodel.versions import hierarchy, ranked_cores, versions
from aesfit.choosing.answer import fit
from aesfit.choosing.request import Limits
from aesfit.choosing.request import Request as Asked
from aesfit.platforms.find import platform_named

GRID = "getComputedStyle(document.querySelector('#scatter line')).stroke"
GRIDS = {"light": "rgb(228, 231, 236)", "dark": "rgb(44, 51, 64)"}
pytestmark = NEEDED


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pretending(tmp_path_factory.mktemp("page")), serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def loaded(browser: Browser, address: str) -> Iterator[Page]:
    page = opened(browser, f"{address}?platform=lx-st200", accept_downloads=True)
    yield page
    page.context.close()


@pytest.fixture
def page(loaded: Page) -> Iterator[Page]:
    """The page at its beginning, as the browser's back button brings it."""
    loaded.evaluate("document.activeElement.blur()")
    loaded.evaluate("history.replaceState(null, '', '?platform=lx-st200')")
    loaded.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    assert "lines of 16 bytes, 17 cycles a miss" in shown(loaded, "#asked")
    assert "bursts of 64 calls of 16 bytes, 100% of the" in shown(loaded, "#asked")
    assert shown(loaded, "#winner") == winner(64)
    yield loaded
    assert loaded.heard == []  # type: ignore[attr-defined]


def winner(calls: int, **geometry: Any) -> str:  # noqa: ANN401
    """What Python says of the Lx."""
    platform = platform_named("lx-st200")
    all_of = versions(platform, ranked_cores(platform))
    told = predict(BurstQuestion("", hierarchy(platform, **geometry), all_of, 1, 4096))
    return min((one.core for one in all_of), key=lambda core: told.at(core, calls))


def shows(page: Page, name: str) -> None:
    assert shown(page, "#winner") == name
    assert page.locator("#ranking tr").first.locator("td").nth(1).inner_text() == name


def set_burst(page: Page, calls: int) -> None:
    page.locator("#burst-exact").fill(str(calls))
    page.locator("#burst-exact").press("Enter")
    assert f"bursts of {calls:,} call" in shown(page, "#asked")


def test_sliders_change_the_winner(page: Page) -> None:
    shows(page, winner(64))
    seen = set()
    page.locator("#burst").focus()
    for key, calls in (("Home", 1), ("End", 4096)):
        page.keyboard.press(key)
        assert f"bursts of {calls:,} call" in shown(page, "#asked")
        shows(page, winner(calls))
        seen.add(winner(calls))
    for calls in (44, 45, 679, 680):
        set_burst(page, calls)
        shows(page, winner(calls))
        seen.add(winner(calls))
    assert seen == {"transposed", "ttable4", "ttable8"}


def test_the_line_moves_the_crossovers(page: Page) -> None:
    ranges = page.locator("#ranges li")
    assert ranges.all_inner_texts() == [
        "transposed 1 to 44 calls", "ttable4 45 to 679 calls", "ttable8 680 to 4,096 calls"
    ]  # fmt: skip
    page.locator("#line").press("ArrowRight")
    settle(page)
    assert ranges.all_inner_texts()[:2] == ["transposed 1 to 27 calls", "ttable4 28 to 419 calls"]
    assert shown(page, "output[for=penalty]") == "21 cycles"
    assert page.locator("#curve text.crossover").all_text_contents() == ["28", "420"]


def test_geometry_and_penalty_by_keyboard(page: Page) -> None:
    set_burst(page, 500)
    for control, presses, geometry in (
        ("cache", ["ArrowLeft"] * 4, {"size": 1024}),
        ("ways", ["Home"], {"size": 1024, "ways": 1}),
        ("penalty", ["Home"], {"size": 1024, "ways": 1, "penalty": 0.0}),
    ):
        for key in presses:
            page.locator(f"#{control}").press(key)
        data = hierarchy(platform_named("lx-st200"), **geometry)
        said = f"data cache of {data.data.size:,} bytes, {data.data.ways} way"
        assert said in shown(page, "#asked")
        assert f"{data.penalty.of(data.data.line):g} cycles a miss" in shown(page, "#asked")
        shows(page, winner(500, **geometry))
    page.locator("#as-built").click()
    shows(page, winner(500))
    assert page.evaluate("document.activeElement.id") == "cache"


def test_limits_and_constant_time(page: Page) -> None:
    set_burst(page, 1000)
    shows(page, "ttable8")
    page.locator("#flash").press("Home")
    assert page.locator("#flash-exact").input_value() == "2048"
    assert shown(page, "#winner") != "ttable8"
    typed(page, "flash-exact", "6K")
    assert page.locator("#flash-exact").input_value() == "6144"
    assert "within 6,144 bytes of tables" in shown(page, "#asked")
    assert shown(page, "#winner") == "ttable4"
    assert page.locator("#dropped dt").all_text_contents() == ["ttable8"]
    page.locator("#timing").select_option("proved")
    assert shown(page, "#winner") == "No core fits"
    assert "is within" in shown(page, "#sentence")
    page.locator("#timing").select_option("")
    assert shown(page, "#winner") == "ttable4"
    assert page.locator("#notice").is_hidden()
    assert "timing" not in page.url


def test_platforms_without_a_cache(page: Page) -> None:
    page.locator("#platform").select_option("pretend")
    page.locator("#mode").select_option("cbc")
    page.locator("#bytes").fill("64")
    page.locator("#bytes").press("Enter")
    page.locator("#timing").select_option("proved")
    settle(page)  # before this thread computes keys too
    platform = platform_named("pretend")
    asked = Asked(platform, "cbc", 64, 128, Limits(timing="proved"))
    answer = fit(asked, ranked_cores(platform))
    assert answer.choice.winner is not None
    settle(page)
    verdict = page.locator("#sentence p").all_text_contents()
    pairs = list(zip(verdict, answer.brief, strict=True))
    assert all(told == line.strip() or " (--timing " in line for told, line in pairs)
    shows(page, answer.choice.winner.name)
    settle(page)
    assert page.locator("#cache-fields").is_hidden()


def test_what_is_missing_or_wrong_is_said(page: Page) -> None:
    page.locator("#platform").select_option("lacking")
    assert "apt-get install" in shown(page, "#notice-text")
    settle(page)
    assert page.locator("#answer").is_hidden()
    page.locator("#platform").select_option("lx-st200")
    shows(page, winner(64))
    settle(page)
    assert page.locator("#notice").is_hidden()


def test_a_cache_that_cannot_be_is_said(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=lx-st200&cache=512")
    page.locator("#ways").press("End")
    assert "smaller than one set of 64 lines" in shown(page, "#notice-text")
    page.locator("#ways").press("Home")
    settle(page)
    assert page.locator("#notice").is_hidden()
    page.context.close()


def test_a_link_restores_the_view(page: Page, browser: Browser) -> None:
    set_burst(page, 30)
    page.locator("#line").press("ArrowRight")
    page.locator("#evicted").press("Home")
    page.locator("#objective").select_option("flash")
    page.locator("#flash").press("ArrowLeft")
    assert "0% of the caches evicted" in shown(page, "#asked")
    query = parse_qs(urlsplit(page.url).query)
    assert query == {
        "platform": ["lx-st200"], "line": ["32"], "evicted": ["0"], "burst": ["30"],
        "flash": ["16384"], "objective": ["flash"],
    }  # fmt: skip
    other = opened(browser, page.url)
    for spot in ("#asked", "#winner", "#sentence", "#ranking", "#command"):
        assert other.locator(spot).inner_text() == page.locator(spot).inner_text()
    for field in ("line", "evicted", "burst", "burst-exact", "flash-exact", "objective"):
        assert other.locator(f"#{field}").input_value() == page.locator(f"#{field}").input_value()
    other.context.close()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_page_that_was_opened_plainly_is_copied_with_its_question(
    browser: Browser, address: str, allowed: bool
) -> None:
    page = opened(browser, address, permissions=["clipboard-read", "clipboard-write"])
    if not allowed:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    page.locator("#link").click()
    page.wait_for_selector("#link-done:not(:empty)")
    link = page.evaluate("navigator.clipboard.readText()") if allowed else page.url
    assert link == f"{address}?platform=lx-st200"
    assert ("is the link" in page.locator("#link-done").inner_text()) is not allowed
    page.context.close()


def test_the_last_question_is_remembered_and_a_link_wins(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    assert page.locator("#platform").input_value() == "lx-st200", "answered without measuring"
    page.locator("#platform").select_option("pretend")
    page.locator("#mode").select_option("cbc")
    typed(page, "clock", "24MHz")
    assert "At 24 MHz it reaches" in shown(page, "#sentence")
    page.goto(address)
    settle(page)
    for field, value in (("platform", "pretend"), ("mode", "cbc"), ("clock", "24MHz")):
        assert page.locator(f"#{field}").input_value() == value
    page.goto(f"{address}?platform=lx-st200&burst=3")
    settle(page)
    assert page.locator("#platform").input_value() == "lx-st200"
    assert page.locator("#burst-exact").input_value() == "3"
    page.context.close()


def test_a_link_to_an_unknown_platform_is_not_answered_for_another(
    browser: Browser, address: str
) -> None:
    link = f"{address}?platform=%3Cb%3Egone&burst=3"
    page = opened(browser, link)
    told = "There is no platform <b>gone here; choose one."
    assert page.locator("#notice-text").inner_text() == told
    assert page.locator("#platform").input_value() == ""
    page.locator("#burst").press("Home")  # asks for no other platform either
    assert shown(page, "#notice-text") == told
    assert page.locator("#shown").is_hidden()
    assert page.url == link
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    page.locator("#platform").select_option("lx-st200")
    assert "bursts of 64 calls" in shown(page, "#asked"), "not what was asked of the other"
    assert page.locator("#notice").is_hidden()
    assert page.url == f"{address}?platform=lx-st200"
    page.evaluate("localStorage.setItem('aesfit.question', 'platform=gone&burst=3')")
    page.goto(address)  # which names none
    assert "bursts of 64 calls" in shown(page, "#asked")
    page.context.close()


def test_clock_rate_and_multiplier_are_asked_and_carried_by_link_and_command(
    browser: Browser, address: str
) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=gcm&bytes=64")
    page.locator("#ghash").select_option("table4")
    typed(page, "clock", "24")
    assert "'24' has no unit; write 24MHz" in shown(page, "#notice-text")
    typed(page, "clock", "24MHz")
    typed(page, "rate", "1Mbit/s")
    assert "1 Mbit/s" in shown(page, "#sentence")
    wanted = "--ghash table4 --clock 24MHz --rate 1Mbit/s"
    assert page.locator("#command").inner_text().endswith(wanted)
    other = opened(browser, page.url)
    for spot in ("#asked", "#sentence", "#command"):
        assert other.locator(spot).inner_text() == page.locator(spot).inner_text()
    for one in (other, page):
        one.context.close()


def test_cores_are_shown_as_they_finish(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=xts")
    with Halting(monkeypatch) as halting:
        page.locator("#mode").select_option("cfb")  # which no other test asks
        page.wait_for_selector("body[data-state=partial]")
        assert page.locator("#ranking tr").count() == FIRST
        assert f"So far {FIRST} cores are compared." in page.locator("#notice-text").inner_text()
        page.locator("#mode").select_option("ofb")  # asked at once, in the place of the other
        halting.go.set()
        settle(page)
        assert page.locator("#ranking tr").count() > FIRST
        assert "in ofb" in page.locator("#asked").inner_text()
        assert page.locator("#notice").is_hidden()
        assert halting.begun == ["cfb", "ofb"]
    page.context.close()


def test_exports(page: Page, tmp_path: Path) -> None:
    def saved(button: str, name: str) -> bytes:
        with page.expect_download() as found:
            page.locator(button).click()
        assert found.value.suggested_filename == name
        found.value.save_as(tmp_path / name)
        return (tmp_path / name).read_bytes()

    table = saved("#csv", "aesfit-lx-st200-table.csv").decode().splitlines()
    columns = "rank,core,ghash,cycles,flash_bytes,ram_bytes,timing,evidence,proved,pareto,dropped"
    assert table[0] == columns
    assert table[1].split(",")[:2] == ["1", winner(64)]
    curves = saved("#curve-csv", "aesfit-lx-st200-curves.csv").decode().splitlines()
    assert curves[0].split(",")[0] == "calls"
    assert curves[1].split(",")[0] == "1"
    assert json.loads(saved("#json", "aesfit-lx-st200-answer.json"))["winner"] == winner(64)
    for figure in ("curve", "scatter"):
        name = f"aesfit-lx-st200-{figure}"
        svg = saved(f"[data-picture={figure}][data-format=svg]", f"{name}.svg")
        assert b"<svg" in svg[:200]
        assert b"transposed" in svg
        png = saved(f"[data-picture={figure}][data-format=png]", f"{name}.png")
        assert png.startswith(b"\x89PNG\r\n")
        assert len(png) > 10_000


def test_the_keyboard_reaches_everything_and_is_not_caught(page: Page) -> None:
    controls = page.evaluate(
        "[...document.querySelectorAll('input, select, button, summary')]"
        ".filter((one) => one.checkVisibility() && !one.disabled).map((one) => one.id"
        " || one.dataset.picture + one.dataset.format)"
    )
    page.locator(".skip").focus()
    reached = []
    for _ in range(len(controls) + 12):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "[document.activeElement.id || (document.activeElement.dataset.picture ?? '')"
                " + (document.activeElement.dataset.format ?? ''),"
                " getComputedStyle(document.activeElement).outlineStyle]"
            )
        )
    names = [name for name, _ in reached]
    assert set(controls) <= set(names)
    assert [name for name in names if name in controls][: len(controls)] == controls
    assert all(outline != "none" for name, outline in reached if name in controls)
    labels = page.evaluate(
        "[...document.querySelectorAll('input, select')].filter((one) => !one.labels.length"
        " && !one.getAttribute('aria-labelledby')).map((one) => one.id)"
    )
    assert labels == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(browser: Browser, address: str, scheme: Any) -> None:  # noqa: ANN401
    page = opened(
        browser,
        f"{address}?platform=pretend",
        viewport={"width": 390, "height": 844},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    paper = page.evaluate("getComputedStyle(document.querySelector('figure')).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 27, 36)"}[scheme]
    assert page.evaluate(GRID) == GRIDS[scheme]
    page.locator("#timing").scroll_into_view_if_needed()
    page.locator("#timing").select_option("proved")
    settle(page)
    top, bottom = page.evaluate(
        "(({ top, bottom }) => [top, bottom])"
        "(document.getElementById('winner').getBoundingClientRect())"
    )
    assert top < 844
    assert bottom > 0
    assert page.heard == []  # type: ignore[attr-defined]
    page.context.close()


def test_colours_follow_the_system(page: Page) -> None:
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(GRID) == GRIDS[scheme]

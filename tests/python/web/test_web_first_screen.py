# SPDX-License-Identifier: MIT
"""What a reader sees first: advice with its control, the winner's mark, and no stale figures."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from web_browser import NEEDED, chromium, opened, shown
from web_server import pretending, serving

pytestmark = NEEDED


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pretending(tmp_path_factory.mktemp("first")), serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_advice_has_a_control_and_the_winner_is_marked(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=cbc&bytes=64")
    assert page.locator("#sentence button").count() == 1
    assert "--" not in page.locator("#sentence").inner_text()
    before = page.locator("#winner").inner_text()
    assert page.locator("#scatter .ring").count() == 1
    page.locator("#ranking tr").nth(2).hover()
    core = page.locator("#ranking tr").nth(2).get_attribute("data-core")
    assert page.locator("#scatter circle.hot").get_attribute("data-core") == core
    assert f"{core}" in page.locator("#scatter .tip").inner_text()
    page.locator("#sentence button").first.click()
    assert shown(page, "#winner") != before
    assert page.locator("#timing").input_value() in ("any", "independent")
    page.context.close()


def test_another_platform_takes_the_old_figures_away(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=pretend")
    page.locator("#platform").select_option("lacking")
    assert "apt-get install" in shown(page, "#notice-text")
    assert page.locator("#shown").is_hidden()
    page.context.close()


def test_selects_show_their_whole_text(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=lx-st200")
    cut = page.evaluate("""() => {
        const drawn = document.createElement("canvas").getContext("2d");
        return [...document.querySelectorAll("form select")].filter((one) => one.checkVisibility())
            .flatMap((one) => [...one.options].filter((option) => {
                drawn.font = getComputedStyle(one).font;
                return drawn.measureText(option.textContent).width > one.clientWidth - 36;
            }).map((option) => option.textContent));
    }""")
    assert cut == []
    page.context.close()

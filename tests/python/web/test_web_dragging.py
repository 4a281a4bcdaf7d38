# SPDX-License-Identifier: MIT
"""Sliders that move on while their question is on its way, in headless Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from web_browser import NEEDED, chromium, opened, settle
from web_server import Halting, pretending, serving

pytestmark = NEEDED
MOVES = 4
MOVES_ON = """([id, times]) => {
    const slider = document.getElementById(id), send = window.fetch;
    window.fetch = (...given) => {
        const answer = send(...given);
        if (times-- > 0) {
            slider.value = Number(slider.value) - 1;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
        }
        return answer;
    };
}"""
"""Moves a slider on whenever its question was sent and before it can be answered."""
SHOWS_THE_SLIDER = """(state) => document.body.dataset.state === state
    && document.getElementById("command").textContent.endsWith(
        ` ${document.getElementById("key_changes-exact").value}`)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pretending(tmp_path_factory.mktemp("dragging")), serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_a_drag_while_measuring_shows_the_last_position_before_all_is_measured(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=xts")
    with Halting(monkeypatch) as halting:
        page.locator("#mode").select_option("cfb")
        page.wait_for_selector("body[data-state=partial]")
        page.evaluate(MOVES_ON, ["key_changes", MOVES])
        page.locator("#key_changes").press("ArrowLeft")
        page.wait_for_function(SHOWS_THE_SLIDER, arg="partial")
        steps = int(page.locator("#key_changes").get_attribute("max") or 0)
        assert int(page.locator("#key_changes").input_value()) == steps - 1 - MOVES
        halting.go.set()
        settle(page)
        assert page.evaluate(SHOWS_THE_SLIDER, "ready")
        assert halting.begun == ["cfb"]
        assert page.heard == []  # type: ignore[attr-defined]
    page.context.close()


def test_each_answer_is_drawn_while_a_slider_moves_on(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=lx-st200")
    page.evaluate(MOVES_ON, ["penalty", MOVES])
    before = int(page.evaluate("document.body.dataset.drawn"))
    page.locator("#penalty").press("ArrowLeft")
    settle(page)
    assert int(page.evaluate("document.body.dataset.drawn")) == before + 1 + MOVES
    penalty = 17 - 1 - MOVES
    assert f"{penalty} cycles a miss" in page.locator("#asked").inner_text()
    assert page.heard == []  # type: ignore[attr-defined]
    page.context.close()

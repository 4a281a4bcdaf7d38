# SPDX-License-Identifier: MIT
"""What the page shows and says while an answer is on its way, in headless Chromium."""

import json
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route
from web_browser import NEEDED, chromium, opened, settle
from web_server import FIRST, Halting, pretending, serving

from aesfit.web.guard import TOKEN_HEADER

pytestmark = NEEDED
LISTENS = """() => {
    const live = "[role=status], [aria-live]";
    window.announced = [];
    new MutationObserver((records) => {
        for (const region of new Set(records.map(({ target }) => target.closest?.(live)))) {
            const said = region?.getAttribute("aria-live") !== "off" && region?.checkVisibility();
            if (said && region.textContent) announced.push([region.id, region.textContent]);
        }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden"] });
}"""
"""Collects what a screen reader would say: live regions whose content changed or appeared."""


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
    with pretending(tmp_path_factory.mktemp("progress")), serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def answers(page: Page, *lines: dict[str, object]) -> None:
    """Give these lines for the next question, all at once."""
    text = "".join(f"{json.dumps(line)}\n" for line in lines)

    def fulfil(route: Route) -> None:
        route.fulfill(content_type="application/x-ndjson", body=text)

    page.route("**/api/answer?*", fulfil, times=1)


def test_a_partial_answer_stays_while_lines_say_how_far_it_is(
    browser: Browser, address: str
) -> None:
    with httpx.Client(base_url=address, trust_env=False, timeout=None) as client:
        token = client.get("/api/choices").json()["token"]
        found = client.post(
            "/api/answer", params={"platform": "pretend"}, headers={TOKEN_HEADER: token}
        )
    whole = json.loads(found.text.splitlines()[-1])
    partial = {**whole, "state": "partial", "done": 3, "total": 9}
    partial["ranking"] = whole["ranking"][:FIRST]
    measuring: list[dict[str, object]] = [
        {"state": "measuring", "done": done, "total": 9} for done in (4, 5)
    ]
    page = opened(browser, f"{address}?platform=lx-st200")
    answers(page, partial, *measuring)
    page.locator("#platform").select_option("pretend")
    page.wait_for_selector("#notice-text:has-text('5 of 9')")
    told = f"Measuring: 5 of 9 runs are done. So far {FIRST} cores are compared."
    assert page.locator("#notice-text").inner_text() == told
    assert page.get_attribute("body", "data-state") == "partial"
    assert page.locator("#ranking tr").count() == FIRST
    assert page.locator("#asked").inner_text() == whole["asked"]
    assert page.heard == []  # type: ignore[attr-defined]
    page.context.close()


def test_a_screen_reader_hears_of_the_beginning_and_of_the_end(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=xts")
    with Halting(monkeypatch) as halting:
        page.evaluate(LISTENS)
        page.locator("#mode").select_option("cfb")
        page.wait_for_selector("body[data-state=partial]")
        assert page.evaluate("announced") == [["spoken", "Measuring …"]]
        halting.go.set()
        settle(page)
        _, *rest = page.evaluate("announced")
        assert ["spoken", "Every core is measured."] in rest
        assert {region for region, _ in rest} <= {"spoken", "answer"}
        assert len(rest) <= 2, "the answer once, where it is another"
        page.evaluate("announced.length = 0")
        page.locator("#clock").fill("24")
        page.locator("#clock").press("Enter")
        page.wait_for_selector("body[data-state='422']")
        assert [region for region, _ in page.evaluate("announced")] == ["notice"]
    page.context.close()


# --- sliders that move on while their question is on its way


def test_a_drag_while_measuring_shows_the_last_position_before_all_is_measured(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(browser, f"{address}?platform=pretend&mode=xts")
    with Halting(monkeypatch) as halting:
        page.locator("#mode").select_option("ofb")  # not measured above
        page.wait_for_selector("body[data-state=partial]")
        page.evaluate(MOVES_ON, ["key_changes", MOVES])
        page.locator("#key_changes").press("ArrowLeft")
        page.wait_for_function(SHOWS_THE_SLIDER, arg="partial")
        steps = int(page.locator("#key_changes").get_attribute("max") or 0)
        assert int(page.locator("#key_changes").input_value()) == steps - 1 - MOVES
        halting.go.set()
        settle(page)
        assert page.evaluate(SHOWS_THE_SLIDER, "ready")
        assert halting.begun == ["ofb"]
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

# SPDX-License-Identifier: MIT
"""The page in headless Chromium."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NEEDED = pytest.mark.skipif(CHROMIUM is None, reason="needs: apt-get install chromium")
"""Of every module that opens the page."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, until the tests of a module have run."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS), timeout=0)
        yield browser
        browser.close()


def opened(browser: Browser, address: str, **context: Any) -> Page:  # noqa: ANN401
    """A page that fails the test when anything is asked of another host or is complained about."""
    page = browser.new_context(**context).new_page()
    page.set_default_timeout(0)
    heard: list[str] = []

    def requested(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            heard.append(request.url)

    page.on("request", requested)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda told: heard.append(told.text) if told.type == "error" else None)
    page.goto(address)
    settle(page)
    page.heard = heard  # type: ignore[attr-defined]
    return page


def settle(page: Page) -> None:
    """Wait until the question that the controls hold is answered, well or badly."""
    page.wait_for_selector(
        "body[data-state]:not([data-state=asking], [data-state=measuring], [data-state=partial])"
    )


def shown(page: Page, selector: str) -> str:
    """What stands there once the question is answered."""
    settle(page)
    return page.locator(selector).inner_text()


def typed(page: Page, field: str, text: str) -> None:
    page.locator(f"#{field}").fill(text)
    page.locator(f"#{field}").press("Enter")

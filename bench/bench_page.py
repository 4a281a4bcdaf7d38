# SPDX-License-Identifier: MIT
"""Milliseconds of the page of `aesfit serve` in headless Chromium.

From opening the page to its first answer, and from moving a slider to the new drawing: when the
page's own code has drawn, and when the browser has painted.  Bytes are what came over the network.
Without --address it serves the page itself; with several addresses their pages take turns, so that
the load of the machine falls on all alike.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUERIES = (
    "platform=stm32f103",
    "platform=lx-st200",
    "platform=arm920t&mode=ccm",
)
"""A chip without caches, published coefficients, and caches whose misses the model expects."""
SLIDERS = {"platform=stm32f103": "key_changes"}
"""What is moved there; elsewhere the miss penalty."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_COUNTS_DRAWINGS = """() => {
    window.drawnAt = new Promise((done) => {
        const drawn = document.body.dataset.drawn;
        new MutationObserver((_, observer) => {
            if (document.body.dataset.drawn === drawn) return;
            observer.disconnect();
            const at = performance.now();
            requestAnimationFrame(() => setTimeout(() => done([at, performance.now()]), 0));
        }).observe(document.body, { attributes: true });
    });
}"""
_MOVES = """(id) => {
    const slider = document.getElementById(id);
    const value = Number(slider.value);
    const begun = performance.now();
    slider.value = value > (Number(slider.min) + Number(slider.max)) / 2 ? value - 1 : value + 1;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return begun;
}"""
_MARKS = """() => ["asked", "answered", "drawn"].map((name) =>
    performance.getEntriesByName(name).at(-1)?.startTime ?? null)"""
_RECEIVED = """() => performance.getEntriesByType("resource").concat(
    performance.getEntriesByType("navigation")).reduce((sum, one) => sum + one.transferSize, 0)"""


@dataclass
class Timed:
    """Of one question on one served page; milliseconds and bytes."""

    address: str
    query: str
    first_answer: list[float] = field(default_factory=list)
    first_bytes: int = 0
    drawn: list[float] = field(default_factory=list)
    painted: list[float] = field(default_factory=list)
    served: list[float] = field(default_factory=list)
    """Of `drawn`: until the answer was there and read."""
    redraw_bytes: int = 0
    """Of one answer after the first."""


def _open(browser: "Browser", timed: Timed) -> "Page":
    """A new page, with nothing cached, once its first answer is drawn."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(0)
    page.goto(f"{timed.address}?{timed.query}", wait_until="commit")
    page.wait_for_selector("body[data-drawn]", state="attached")
    return page


def _first(browser: "Browser", timed: Timed) -> None:
    page = _open(browser, timed)
    timed.first_answer.append(page.evaluate("performance.now()"))
    timed.first_bytes = page.evaluate(_RECEIVED)
    page.context.close()


def _redraws(browser: "Browser", timed: Timed, times: int) -> None:
    page = _open(browser, timed)
    slider = SLIDERS.get(timed.query, "penalty")
    for _ in range(times):
        before = page.evaluate(_RECEIVED)
        page.evaluate(_COUNTS_DRAWINGS)
        begun = page.evaluate(_MOVES, slider)
        drawn, painted = page.evaluate("drawnAt")
        timed.drawn.append(drawn - begun)
        timed.painted.append(painted - begun)
        asked, answered, _ = page.evaluate(_MARKS)
        if answered is not None:
            timed.served.append(answered - asked)
        timed.redraw_bytes = page.evaluate(_RECEIVED) - before
    page.context.close()


@contextmanager
def _served(addresses: Sequence[str]) -> Iterator[Sequence[str]]:
    """The addresses, or one of a server that ends with this program."""
    if addresses:
        yield addresses
        return
    command = [sys.executable, "-m", "aesfit", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own
        assert server.stderr is not None  # noqa: S101 - as asked for
        yield [server.stderr.readline().split()[1]]
        server.terminate()


def measure(addresses: Sequence[str], queries: Sequence[str], times: int) -> list[Timed]:
    """Every question on every page, in turns."""
    found = [Timed(address, query) for query in queries for address in addresses]
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for timed in found:  # the server's own first time, which is not counted
            _open(browser, timed).context.close()
        for _ in range(3):
            for timed in found:
                _first(browser, timed)
                _redraws(browser, timed, times)
        browser.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time the page of aesfit serve in Chromium.")
    parser.add_argument("--address", action="append", default=[], help="a page that is served")
    parser.add_argument("--query", action="append", default=[], help="platform=...&mode=...")
    parser.add_argument("--times", type=int, default=20, help="movements of a slider, in 3 turns")
    parser.add_argument("--json", action="store_true", help="print every time")
    given = parser.parse_args()
    with _served(given.address) as addresses:
        found = measure(addresses, given.query or QUERIES, given.times)
    if given.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
        return
    for one in found:
        print(f"{one.address}?{one.query}")
        first = median(one.first_answer)
        print(f"  page to first answer {first:7.0f} ms, {one.first_bytes:,} bytes")
        print(
            f"  slider to drawing    {median(one.drawn):7.1f} ms (best {min(one.drawn):.1f}), to "
            f"paint {median(one.painted):.1f} ms, {one.redraw_bytes:,} bytes"
        )
        if one.served:
            print(
                f"  of which the server  {median(one.served):7.1f} ms (best {min(one.served):.1f})"
            )


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Milliseconds of the page of `aesfit serve` in headless Chromium.

From opening the page to its first answer, and from moving a slider to the new drawing: when the
page's own code has drawn, and when the browser has painted.  Bytes are what came over the network.
A drag moves the slider once a frame, and counts the drawings until the last position is shown.
Without --address it serves the page itself; with several addresses their pages take turns, so that
the load of the machine falls on all alike.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUERIES = (
    "platform=stm32f407",
    "platform=lx-st200",
    "platform=arm920t&mode=ccm",
)
"""A chip without caches, published coefficients, and caches whose misses the model expects."""
SLIDERS = {"platform=stm32f407": "key_changes"}
"""What is moved there; elsewhere the miss penalty."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_ENDED = "body[data-state]:not([data-state=asking], [data-state=measuring], [data-state=partial])"
"""Answered, or with a notice that says why not."""
_COUNTS_DRAWINGS = """() => {
    window.drawnAt = new Promise((done) => {
        const drawn = document.body.dataset.drawn;
        new MutationObserver((_, observer) => {
            const { state } = document.body.dataset, shown = document.body.dataset.drawn !== drawn;
            const ended = !["asking", "measuring", "partial", "ready"].includes(state);
            if (!shown && !ended) return;
            observer.disconnect();
            if (ended) return done(null);
            const at = performance.now();
            requestAnimationFrame(() => setTimeout(() => done([at, performance.now()]), 0));
        }).observe(document.body, { attributes: true });
    });
}"""
_DRAGS = """async ([id, times]) => {
    const slider = document.getElementById(id), { dataset } = document.body;
    const back = Number(slider.value) > (Number(slider.min) + Number(slider.max)) / 2 ? -1 : 1;
    const before = Number(dataset.drawn);
    let moved = 0;
    while (moved < times && slider.value !== (back < 0 ? slider.min : slider.max)) {
        slider.value = Number(slider.value) + back;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        moved += 1;
        await new Promise(requestAnimationFrame);
    }
    const going = () => ["asking", "measuring", "partial"].includes(dataset.state);
    if (going()) await new Promise((done) => {
        new MutationObserver((_, observer) => {
            if (going()) return;
            observer.disconnect();
            done();
        }).observe(document.body, { attributes: true });
    });
    return [moved, Number(dataset.drawn) - before];
}"""
DRAG = 30
"""Frames of a drag, where the slider has as many steps."""
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
    moved: int = 0
    """Input events of all drags."""
    drawn_in_drags: int = 0


def _open(browser: "Browser", timed: Timed) -> "Page":
    """A new page, with nothing cached, once its first answer is drawn."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(0)
    page.goto(f"{timed.address}?{timed.query}", wait_until="commit")
    page.wait_for_selector(_ENDED, state="attached")
    _refuse_a_notice(page)
    return page


def _refuse_a_notice(page: "Page") -> None:
    """End with what the page says in the place of an answer."""
    if page.get_attribute("body", "data-state") != "ready":
        raise SystemExit(f"bench_page: {page.url}: {page.inner_text('#notice-text')}")


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
        found = page.evaluate("drawnAt")
        if found is None:
            _refuse_a_notice(page)
        drawn, painted = found
        timed.drawn.append(drawn - begun)
        timed.painted.append(painted - begun)
        asked, answered, _ = page.evaluate(_MARKS)
        if answered is not None:
            timed.served.append(answered - asked)
        timed.redraw_bytes = page.evaluate(_RECEIVED) - before
    page.context.close()


def _drag(browser: "Browser", timed: Timed) -> None:
    """On a page of its own, so that the slider begins where the question has it."""
    page = _open(browser, timed)
    moved, drawn = page.evaluate(_DRAGS, [SLIDERS.get(timed.query, "penalty"), DRAG])
    _refuse_a_notice(page)
    timed.moved += moved
    timed.drawn_in_drags += drawn
    page.context.close()


def _address(lines: Iterable[str]) -> str:
    """The one that aesfit serve prints; what it says instead ends this program."""
    said = ""
    for line in lines:
        found = re.search(r"http://\S+", line)
        if found:
            return found[0]
        said += line
    raise SystemExit(f"bench_page: aesfit serve did not start: {said.strip()}")


@contextmanager
def _served(addresses: Sequence[str]) -> Iterator[Sequence[str]]:
    """The addresses, or one of a server that ends with this program."""
    if addresses:
        yield addresses
        return
    command = [sys.executable, "-m", "aesfit", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own
        assert server.stderr is not None  # noqa: S101 - as asked for
        try:
            yield [_address(server.stderr)]
        finally:
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
                _drag(browser, timed)
        browser.close()
    return found


def _print(one: Timed) -> None:
    print(f"{one.address}?{one.query}")
    print(f"  page to first answer {median(one.first_answer):7.0f} ms, {one.first_bytes:,} bytes")
    print(
        f"  slider to drawing    {median(one.drawn):7.1f} ms (best {min(one.drawn):.1f}), to "
        f"paint {median(one.painted):.1f} ms, {one.redraw_bytes:,} bytes"
    )
    if one.served:
        print(f"  of which the server  {median(one.served):7.1f} ms (best {min(one.served):.1f})")
    print(f"  drag, once a frame   {one.drawn_in_drags} drawings of {one.moved} input events")


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
        _print(one)


if __name__ == "__main__":
    main()

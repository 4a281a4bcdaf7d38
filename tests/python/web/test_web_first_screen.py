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


CROWDED = """async () => {
    const { scatter } = await import("/scatter.js");
    const around = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
    const ranking = around.map(([x, y], i) => ({ core: i ? `neighbour_${i}` : "a_winner_in_a_crowd",
        cycles: Math.round(300000 * 1.09 ** y), flash: Math.round(5600 * 1.13 ** x), ram: 900,
        kind: "proved", front: true, rank: i + 1 }));
    ranking.push({ ...ranking[1], core: "far", cycles: 800000, flash: 3000, rank: 10 });
    ranking.push({ ...ranking[1], core: "wide", cycles: 200000, flash: 12000, rank: 11 });
    const drawn = scatter({ winner: "a_winner_in_a_crowd", ranking, dropped: [],
        flash_is: "flash", ram_is: "RAM", question: { flash: null, ram: null } }, "flash",
        { width: 340, height: 300 });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.style.font = "13px sans-serif";
    svg.innerHTML = drawn.layers.map(([, part]) => part).join("");
    document.body.append(svg);
    const name = svg.querySelector("text[font-weight]").getBBox();
    return [...svg.querySelectorAll("circle[data-core]")]
        .map((one) => [one.dataset.core, one.getBBox()])
        .filter(([, at]) => at.x < name.x + name.width && name.x < at.x + at.width
            && at.y < name.y + name.height && name.y < at.y + at.height)
        .map(([core]) => core);
}"""
"""Cores whose marks lie under the name of a winner that neighbours surround, in a narrow figure."""


def test_the_name_of_the_winner_lies_over_no_mark(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=pretend", viewport={"width": 390, "height": 844})
    assert page.evaluate(CROWDED) == []
    page.context.close()


ADVICE = """(lines) => import("/page.js").then(({ advised }) => lines.map((one) =>
    advised(document.createElement("p"), one).textContent))"""


def test_advice_reads_well_without_its_options(browser: Browser, address: str) -> None:
    page = opened(browser, f"{address}?platform=pretend")
    told = page.evaluate(ADVICE, [
        "Nobody can time you? ttable1 takes 29 % less (--timing any).",
        "Its addresses depend on the key. With --tables ram every access takes the same time. "
        "Independent of the key: fixslice (proved), 1.17 times the cycles.",
        "It needs more than 72 MHz, because its flash waits longer there (--clock sweep).",
    ])  # fmt: skip
    assert told == [
        "Nobody can time you? ttable1 takes 29 % less. Choose “any: nobody can time it”",
        "Its addresses depend on the key. Independent of the key: fixslice (proved), 1.17 times "
        "the cycles.",
        "It needs more than 72 MHz, because its flash waits longer there.",
    ]
    page.context.close()

# SPDX-License-Identifier: MIT
"""A picture file in a page, in Chromium, for readers of light and of dark pages."""

import base64
from collections.abc import Iterator

import pytest
from places import ROOT
from playwright.sync_api import Browser
from web_browser import NEEDED, chromium

from aesfit.report.marks import PAPER
from aesfit.report.themed import DARK

FIGURES = sorted((ROOT / "docs" / "figures").glob("*.svg"))
CORNER = """async () => {
  const picture = document.querySelector("img"), canvas = document.createElement("canvas");
  await picture.decode();
  canvas.width = canvas.height = 8;
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  return [...pen.getImageData(2, 2, 1, 1).data.slice(0, 3)];
}"""

pytestmark = NEEDED


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize(("scheme", "paper"), [("light", PAPER), ("dark", DARK[PAPER])])
def test_every_figure_of_the_pages_takes_its_reader_s_colours(
    browser: Browser, scheme: str, paper: str
) -> None:
    """Read where nothing is drawn, in the corner."""
    page = browser.new_context(color_scheme=scheme).new_page()  # type: ignore[arg-type]
    assert FIGURES
    for path in FIGURES:
        data = base64.b64encode(path.read_bytes()).decode()
        page.set_content(f'<img src="data:image/svg+xml;base64,{data}">')
        assert page.evaluate(CORNER) == list(bytes.fromhex(paper[1:])), path.name
    page.context.close()

# SPDX-License-Identifier: MIT
"""Pages of the atlas: tables and pictures hold what the answers hold."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import small_atlas
from places import ROOT

import aesfit.choosing.answer
from aesfit.atlas import lines, origin
from aesfit.building import build
from aesfit.choosing.answer import Answer
from aesfit.choosing.usual import usual_answer

sys.path.append(str(ROOT / "tools"))

import atlas_site
from atlas_picture import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, Mark, axis, picture

MARKS = [
    Mark("small", 1000, 300_000, steady=False, front=True),
    Mark("safe", 5000, 120_000, steady=True, front=True),
    Mark("beaten <", 6000, 130_000, steady=True, front=False),
]


@pytest.fixture
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = small_atlas.write(tmp_path / "atlas.csv", small_atlas.group())
    monkeypatch.setattr(lines, "PATH", path)
    monkeypatch.setattr(origin, "tools_here", lambda platform: small_atlas.TOOLS)
    monkeypatch.setattr(build, "why_not", lambda platform: None)
    monkeypatch.setattr(
        aesfit.choosing.answer, "ranked_cores", lambda platform: list(small_atlas.CORES)
    )
    return path


def test_a_page_has_every_core_with_its_figures(atlas: Path) -> None:
    (page,) = atlas_site.pages()
    assert (page.platform, page.title) == (small_atlas.CHIP, "STM32F103")
    assert "measured on 2026-11-23 with a compiler 12.2." in page.text
    rows = re.findall(
        r"<tr><td>ctr</td><td>(\w+)</td><td>depends on the key</td><td>-</td>(.*)</tr>", page.text
    )
    assert {name for name, _ in rows} == set(small_atlas.CORES)
    values = re.findall(r'data-value="([\d.]+)"', rows[0][1])
    assert values[:6] == ["1924", "280", "700", "1000", "3000", "70000"]
    assert values[6:] == ["46.5426", "12.3758"]
    assert atlas_site.listed([page]) == "- [STM32F103](atlas/stm32f103.md)"


def test_a_cell_is_of_the_multiplier_of_its_row(atlas: Path) -> None:
    """For short messages another multiplier may be better than the one that the row names."""
    long, short = (usual_answer(small_atlas.CHIP, "ctr", size) for size in (1504, 16))
    assert long is not None
    assert short is not None
    found = {
        ("ctr", 1504): _with(long, "table8"),
        ("ctr", 64): _with(short, "table8"),
        ("ctr", 16): _with(short, "table4"),
    }
    (row, *_) = atlas_site._rows(found)
    assert "+ table8" in row
    cells = re.findall(r"<td(?: data-value=\"(\d+)\")?[^>]*>", row)
    assert cells[7:10] == ["", "1000", "70000"]


def _with(answer: Answer, ghash: str) -> Answer:
    ranking = tuple(replace(one, ghash=ghash) for one in answer.choice.ranking)
    return replace(answer, choice=replace(answer.choice, ranking=ranking))


def test_a_platform_that_is_gone_has_no_page(atlas: Path) -> None:
    small_atlas.write(atlas, small_atlas.group(), small_atlas.other_group())
    assert [page.platform for page in atlas_site.pages()] == [small_atlas.CHIP]


def test_without_current_lines_there_is_no_page(atlas: Path) -> None:
    small_atlas.write(atlas)
    assert list(atlas_site.pages()) == []
    assert "make atlas" in atlas_site.listed([])


def test_marks_lie_where_their_values_do() -> None:
    drawn = picture(MARKS, "what it shows")
    places = [tuple(map(float, one)) for one in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert places[0][1] < places[2][1] < places[1][1]
    assert all(LEFT < x < WIDTH and TOP < y < HEIGHT - BOTTOM for x, y in places)
    assert re.findall(r'<circle[^>]* fill="(\w+)"', drawn) == [
        "none", "currentColor", "currentColor"
    ]  # fmt: skip
    assert ">small</text>" in drawn
    assert ">beaten &lt;</text>" not in drawn
    assert (
        "<title>beaten &lt;: 130,000 cycles, 6,000 bytes, independent of the key</title>" in drawn
    )


def test_an_axis_has_round_values_within() -> None:
    found = axis([900, 6000], 0, 100)
    assert found.ticks() == [1000, 2000, 5000]
    assert found.at(found.least) == 0
    assert found.at(found.most) == 100


def test_names_do_not_cover_each_other() -> None:
    near = [Mark(f"core{n}", 5000 + n, 120_000 + n, steady=True, front=True) for n in range(3)]
    assert re.findall(r">(core\d)</text>", picture([*near, MARKS[0]], "")) == ["core0"]

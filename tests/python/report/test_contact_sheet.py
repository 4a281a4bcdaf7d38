# SPDX-License-Identifier: MIT
"""The test pictures and the contact sheet."""

import os
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from few import slow_but
from pictures import DEEP, KINDS, make
from PIL import Image

from aesfit.cli import app
from aesfit.pictures import scenes
from aesfit.pictures.panels import Panel, panels, percent, sentence
from aesfit.pictures.picture_file import Picture, read
from aesfit.pictures.scenes import EDGES, SCENES
from aesfit.pictures.statistics import repeated_blocks
from aesfit.report.contact_sheet import SIZE, render


@pytest.fixture(autouse=True, scope="module")
def _scenes_made_once() -> Iterator[None]:
    """The same ones are asked for by several tests, and nobody writes into them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenes, "scene", cache(scenes.scene))
        yield


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["image", *map(str, arguments)])


def test_samples_are_24_bit_bitmaps_of_the_papers_sizes(tmp_path: Path) -> None:
    assert run("samples", "-o", tmp_path / "new" / "folder").exit_code == 0
    made = sorted((tmp_path / "new" / "folder").iterdir())
    assert len(made) == len(SCENES) * len(EDGES)
    for path in made:
        edge = int(path.stem.rpartition("-")[2])
        assert path.stat().st_size == 54 + 3 * edge * edge  # 117, 263 and 468 KiB
        found = read(path)
        assert (found.width, found.height, found.mode) == (edge, edge, "RGB")
        assert (found.pixels == scenes.scene(path.stem.rpartition("-")[0], edge).pixels).all()


def test_samples_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "landscape-400.bmp").write_bytes(b"precious")
    done = run("samples", "-o", tmp_path)
    assert "landscape-400.bmp exists already; --force overwrites it" in str(done.exception)
    assert [one.name for one in tmp_path.iterdir()] == ["landscape-400.bmp"]
    assert run("samples", "-o", tmp_path, "--force").exit_code == 0
    assert read(tmp_path / "landscape-400.bmp").width == 400


def test_the_umask_is_heeded(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert run("samples", "-o", tmp_path).exit_code == 0
    finally:
        os.umask(before)
    assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}


def test_scenes_are_what_they_are_named_for() -> None:
    logo, gradient, landscape = (scenes.scene(name, 200).pixels.astype(int) for name in SCENES)
    colours = np.unique(logo.reshape(-1, 3), axis=0, return_counts=True)[1]
    assert sorted(colours)[-4:] == sorted(colours[colours > 1500])
    assert np.abs(np.diff(gradient, axis=0)).max() <= 3
    assert np.abs(np.diff(gradient, axis=1)).max() <= 3
    steps = np.abs(np.diff(landscape[..., 1], axis=1))
    assert 2 < steps.mean() < 20
    assert landscape.std() > 30
    assert repeated_blocks(scenes.scene("logo", 200).data) > 0.9
    assert repeated_blocks(scenes.scene("landscape", 200).data) < 0.01


def test_scenes_look_alike_at_any_size() -> None:
    for name in SCENES:
        small, large = (scenes.scene(name, edge).pixels.astype(float) for edge in (200, 400))
        halved = large.reshape(200, 2, 200, 2, 3).mean(axis=(1, 3))
        assert np.abs(halved - small).mean() < 10


@pytest.mark.parametrize("edge", [200, 400])
def test_the_share_of_repeated_blocks_is_that_of_the_original(edge: int) -> None:
    found = panels(scenes.scene("logo", edge))
    shares = [one.repeated for one in found]
    assert len(set(shares[:6])) == 1
    assert shares[0] > 0.9
    assert shares[6:] == [0, 0]
    assert len({one.picture.data for one in found}) == 8
    told = sentence(found)
    assert told.startswith(f"{percent(shares[0])} of this picture's 16-byte blocks")
    assert "the same at any number of rounds" in told


def test_a_share_that_changed_is_not_hidden() -> None:
    found = panels(scenes.scene("logo", 200))
    found[3] = Panel(found[3].title, found[3].picture, found[3].repeated / 2)
    with pytest.raises(RuntimeError, match="ECB changed the share of repeated blocks"):
        sentence(found)


def test_percent_never_rounds_to_none_or_all() -> None:
    shares = [0, 0.0004, 0.5, 0.9996, 1]
    assert [percent(one) for one in shares] == ["0.0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "100.0 %"]


def test_the_sheet(tmp_path: Path) -> None:
    source, out = make(tmp_path, "rgb.bmp", (60, 40)), tmp_path / "sheet.png"
    done = run("sheet", source, "-o", out)
    assert done.exit_code == 0
    assert done.stdout.count(" repeated blocks") == 8
    first = out.read_bytes()
    with Image.open(out) as sheet:
        pixels = np.asarray(sheet.convert("RGB"))
    assert pixels.shape == (*reversed(SIZE), 3)
    assert (pixels[:20] == 255).all()
    assert (pixels[-20:] == 255).all()
    assert (pixels[:, :60] == 255).all()
    assert (pixels[:, -60:] == 255).all()
    for row in range(2):  # every panel shows something
        for column in range(4):
            part = pixels[140 + 446 * row :, 150 + 440 * column :][:300, :300]
            assert part.std() > 20
    assert run("sheet", source, "-o", out).exit_code == 1
    assert run("sheet", source, "-o", out, "--force").exit_code == 0
    assert out.read_bytes() == first


def test_pixels_of_the_sheet_are_the_pictures() -> None:
    """300 x 300 is shown one to one."""
    found = panels(scenes.scene("logo", 300))
    with Image.open(BytesIO(render(found))) as sheet:
        shown = np.asarray(sheet.convert("RGB"))[140:440, 150:450]
    assert (shown == found[0].picture.pixels).mean() > 0.99


@pytest.mark.parametrize("name", [*KINDS, *DEEP])
def test_panels_of_every_kind_can_be_drawn(name: str, tmp_path: Path) -> None:
    from aesfit.report.contact_sheet import as_rgb

    for panel in panels(read(make(tmp_path, name))):
        assert as_rgb(panel.picture).shape == (5, 7, 3)


@pytest.mark.parametrize("name", slow_but(["rgba.png"], ["grey_alpha.png", "rgba.png", "16.png"]))
def test_sheets_of_other_channels(name: str, tmp_path: Path) -> None:
    with Image.open(BytesIO(render(panels(read(make(tmp_path, name)))))) as sheet:
        assert sheet.size == SIZE


def test_less_than_a_block_has_no_sheet() -> None:
    with pytest.raises(ValueError, match=r"small has fewer than 16 bytes of pixels"):
        panels(Picture(np.zeros((3, 5, 1), np.uint8), "L", "small"))
